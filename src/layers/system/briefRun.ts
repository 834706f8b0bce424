import { type Duration, Effect, Option } from "effect"
import { spawn } from "node:child_process"
import type { Readable } from "node:stream"
import type { VersionQuery } from "../../services/CliVersions.ts"
import { send } from "./signals.ts"

/** More than any program prints as its version or its help. */
const outputLimit = 64 * 1024

/**
 * Runs the program in its own process group, without input. The group is killed when the program ends or the time is
 * up. Returns the output, and whether the program ended by itself.
 */
export const briefRun = (
  { args, env, program }: VersionQuery,
  cwd: string,
  timeout: Duration.Input
): Effect.Effect<{ readonly text: string; readonly ended: boolean }> =>
  Effect.suspend(() => {
    let text = ""
    return Effect.callback<void>((resume) => {
      const child = spawn(program, args, { env, cwd, detached: true, stdio: ["ignore", "pipe", "pipe"] })
      const append = (data: string): void => {
        if (text.length < outputLimit) text += data
      }
      // Without free file descriptors it has no pipes, and is not started.
      const pipes: ReadonlyArray<Readable | undefined> = [child.stdout, child.stderr]
      for (const pipe of pipes) pipe?.setEncoding("utf8").on("data", append)
      const endGroup = (): void => {
        if (child.pid !== undefined) send(-child.pid, "SIGKILL")
      }
      child.once("error", () => resume(Effect.void))
      // Processes that the program leaves running would keep its pipes open.
      child.once("exit", endGroup)
      child.once("close", () => resume(Effect.void))
      return Effect.sync(() => {
        endGroup()
        for (const pipe of pipes) pipe?.destroy()
        child.unref()
      })
    }).pipe(
      Effect.timeoutOption(timeout),
      Effect.map((end) => ({ text, ended: Option.isSome(end) }))
    )
  })
