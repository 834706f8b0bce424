import { Effect, Layer } from "effect"
import { spawn } from "node:child_process"
import { oneLine } from "../../domain/words/text/printable.ts"
import { SleepInhibitor } from "../../services/SleepInhibitor.ts"
import { DesktopError } from "../../services/DesktopError.ts"

type Environment = Readonly<Record<string, string | undefined>>

/**
 * The program that keeps the system awake. It ends with this process, however that ends: one by the process's id, the
 * other because the standard input of its command ends.
 */
const commandOf = (platform: string, reason: string): readonly [program: string, ...args: ReadonlyArray<string>] =>
  platform === "darwin"
    ? ["caffeinate", "-i", "-w", String(process.pid)]
    : ["systemd-inhibit", "--what=idle:sleep", "--who=leap", `--why=${reason}`, "--mode=block", "cat"]

/** The most of what the program says about its failure. */
const whyMost = 200

const hold = (env: Environment, platform: string) => (reason: string) =>
  Effect.callback<never, DesktopError>((resume) => {
    const [program, ...args] = commandOf(platform, reason)
    const failed = (why: string) =>
      resume(new DesktopError({ what: "this machine is not kept from sleeping", why: `${program} ${why}` }))
    const child = spawn(program, args, { env, cwd: "/", stdio: ["pipe", "ignore", "pipe"] })
    let text = ""
    child.stdin.on("error", () => {})
    child.stderr.setEncoding("utf8").on("data", (data: string) => {
      if (text.length < whyMost) text += data
    })
    child.once("error", (error: NodeJS.ErrnoException) =>
      failed(error.code === "ENOENT" ? "is not installed" : `cannot be started (${error.code ?? error.message})`)
    )
    child.once("close", (code, signal) =>
      failed(text.trim() === "" ? `ended (${signal ?? `exit code ${code}`})` : `ended: ${oneLine(text, whyMost)}`)
    )
    return Effect.sync(() => {
      child.stdin.destroy()
      child.kill()
    })
  })

/** For a process of this environment on this system. */
export const layerFrom = (env: Environment, platform: string): Layer.Layer<SleepInhibitor> =>
  Layer.succeed(SleepInhibitor, { hold: hold(env, platform) })

export const layer: Layer.Layer<SleepInhibitor> = layerFrom(process.env, process.platform)
