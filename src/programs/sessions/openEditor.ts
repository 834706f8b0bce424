import { Effect, Option, Result } from "effect"
import { ChildProcess } from "effect/process"
import { editorFor } from "../../domain/words/environment/editorFor.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { goneOr } from "../../domain/words/wording/goneOr.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { fail } from "../exit.ts"

/** An editor with its own windows that has not failed by then is left alone. */
const timeout = "1 second"

/** The program that opens a directory, by settings and environment, or the reason why there is none. */
export const editorNow = Effect.fnUntraced(function* (directory: string) {
  const system = yield* System
  const { settings } = yield* (yield* UserSettings).read
  return editorFor(directory, settings.editor, system.env, system.platform)
})

/** Opens a directory in the user's editor and returns its name. Waits for it unless it has its own windows. */
export const openEditor = Effect.fn("openEditor")(function* (directory: string, terminal: boolean) {
  const system = yield* System
  const found = yield* editorNow(directory)
  if (Result.isFailure(found)) return yield* fail("refused", found.failure)
  const { args, command, draws, from } = found.success
  if (draws === "terminal" && !terminal)
    return yield* fail(
      "refused",
      `${command} (${from}) needs a terminal: 'leap settings set editor COMMAND' names another`
    )
  if (Option.isNone(yield* system.directory(directory)))
    return yield* fail("refused", `${oneLine(directory, 300)} ${goneOr(yield* system.hidden(directory))}`)
  const path = yield* Effect.option(system.which(command, system.env, directory))
  if (Option.isNone(path)) return yield* fail("notInstalled", `${command} (${from}) is no program that can be run`)
  const stdio = terminal && draws !== "desktop" ? "inherit" : "ignore"
  const code = yield* Effect.gen(function* () {
    const child = yield* ChildProcess.make(path.value, args, {
      cwd: directory,
      // a terminal editor stays in the process group, for size changes and job control
      detached: draws === "desktop",
      stdin: stdio,
      stdout: stdio,
      stderr: stdio
    })
    if (draws !== "desktop") return yield* child.exitCode
    // its child processes must outlive this one too
    yield* child.unref
    return Option.getOrElse(yield* Effect.timeoutOption(child.exitCode, timeout), () => 0)
  }).pipe(
    Effect.scoped,
    Effect.mapError(({ message }) => fail("failed", `${command} could not be started: ${oneLine(message, 200)}`))
  )
  return code === 0 ? command : yield* fail("failed", `${command} (${from}) ended with exit code ${code}`)
})
