import { Effect } from "effect"
import { execFile, type ExecFileException, type ExecFileOptions } from "node:child_process"

/** A program's output, and its failure, if any. The program is killed when nobody waits for it. */
export const programEnd = (
  command: string,
  args: ReadonlyArray<string>,
  options: ExecFileOptions
): Effect.Effect<{ readonly error: ExecFileException | null; readonly output: Buffer }> =>
  Effect.callback((resume) => {
    const child = execFile(command, args, { ...options, encoding: "buffer" }, (error, output) =>
      resume(Effect.succeed({ error, output }))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })
