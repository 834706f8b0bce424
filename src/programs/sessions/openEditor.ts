import { Effect, Option, Result } from "effect"
import { ChildProcess } from "effect/process"
import { editorFor } from "../../domain/words/session/editorFor.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { goneOr } from "../../domain/words/wording/goneOr.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { fail } from "../exit.ts"

/** Opens a directory in the user's editor, with this `terminal` or none. Gives the program's name. */
export const openEditor = Effect.fn("openEditor")(function* (directory: string, terminal: boolean) {
  const system = yield* System
  const { settings } = yield* (yield* UserSettings).read
  const found = editorFor(directory, settings.editor, system.env, system.platform)
  if (Result.isFailure(found)) return yield* fail("refused", found.failure)
  const { args, command, from, inTerminal } = found.success
  if (inTerminal && !terminal)
    return yield* fail(
      "refused",
      `${command} (${from}) needs a terminal: 'leap settings set editor COMMAND' names another`
    )
  if (Option.isNone(yield* system.directory(directory)))
    return yield* fail("refused", `${oneLine(directory, 300)} ${goneOr(yield* system.hidden(directory))}`)
  const path = yield* Effect.option(system.which(command, system.env, directory))
  if (Option.isNone(path)) return yield* fail("notInstalled", `${command} (${from}) is no program that can be run`)
  const stdio = terminal ? "inherit" : "ignore"
  const code = yield* ChildProcess.make(path.value, args, {
    cwd: directory,
    stdin: stdio,
    stdout: stdio,
    stderr: stdio
  }).pipe(
    Effect.flatMap(({ exitCode }) => exitCode),
    Effect.scoped,
    Effect.mapError(({ message }) => fail("failed", `${command} could not be started: ${oneLine(message, 200)}`))
  )
  return code === 0 ? command : yield* fail("failed", `${command} (${from}) ended with exit code ${code}`)
})
