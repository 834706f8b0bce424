import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"

export const sessions = 200
export const changesPerSecond = 10
export const seconds = 10
/** The most that one measurement may take to begin. */
const patience = 60_000
/** Starts a program that says a line once it is ready; gives that line. */
export const begun = async (
  command: string,
  args: ReadonlyArray<string>,
  env: NodeJS.ProcessEnv
): Promise<{ readonly child: ChildProcess; readonly line: string }> => {
  const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "inherit"] })
  const line = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${args.join(" ")} was not ready in ${patience} ms`)), patience)
    child.stdout.once("data", (data) => {
      clearTimeout(late)
      resolve(String(data).trim())
    })
    child.once("close", (code) => reject(new Error(`${args.join(" ")} ended with ${code}`)))
  })
  return { child, line }
}

/** Sessions in this directory that change all the time; gives how to end them. */
export const simulate = async (home: string): Promise<() => void> => {
  const hosts = join(import.meta.dirname, "simulatedHosts.ts")
  const { child } = await begun(process.execPath, [hosts, home, `${sessions}`, `${changesPerSecond}`], process.env)
  return () => void child.kill("SIGKILL")
}
