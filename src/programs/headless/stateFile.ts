import { Effect, Result, Schema, type Scope } from "effect"
import { Conversation } from "../../domain/cli/headless/Conversation.ts"
import { fieldsOf, numberOf } from "../../domain/words/reading/Fields.ts"
import { jsonOf } from "../../domain/words/formats/Json.ts"
import { FileLock } from "../../services/FileLock.ts"
import { System } from "../../services/System.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { type CommandError, fail } from "../exit.ts"
import { absolutePath } from "../../domain/words/text/paths.ts"
import { isBusy, type StoreError } from "../../services/StoreError.ts"

/** The file in which `leap chat` stores a conversation between calls. */
export interface StateFile {
  readonly conversation: Conversation | null
  readonly save: (conversation: Conversation) => Effect.Effect<void, StoreError>
}

export const noState: StateFile = { conversation: null, save: () => Effect.void }

const conversationIn = (file: string, bytes: Uint8Array | null): Effect.Effect<Conversation | null, CommandError> => {
  const text = new TextDecoder().decode(bytes ?? new Uint8Array())
  if (text.trim() === "") return Effect.succeed(null)
  const value = jsonOf(text)
  const schema = numberOf(fieldsOf(value)["schema"])
  if (schema !== null && schema > 1)
    return Effect.fail(
      fail("usage", `${file} was kept by a newer leap, in a form that this one does not know; update leap`)
    )
  return Result.match(Schema.decodeUnknownResult(Conversation)(value), {
    onFailure: () =>
      Effect.fail(fail("usage", `${file} is no conversation that 'leap chat' has kept; it was left as it is`)),
    onSuccess: Effect.succeed
  })
}

/** Opens a state file for one call exclusively. It fails here if it cannot be written, before any cost arises. */
export const openState = (
  path: string
): Effect.Effect<StateFile, CommandError | StoreError, FileLock | System | SharedFile | Scope.Scope> =>
  Effect.gen(function* () {
    if (path.trim() === "") return yield* fail("usage", "--state: the name of the file is empty")
    const system = yield* System
    const shared = yield* SharedFile
    const file = absolutePath(system.cwd, path)
    const directory = file.slice(0, file.lastIndexOf("/")) || "/"
    if ((yield* system.directory(directory))._tag === "None")
      return yield* fail("usage", `--state: there is no directory ${directory}`)
    // a separate lock, because the file's own lock is held only during a write
    yield* (yield* FileLock)
      .acquire(`${file}.turn.lock`)
      .pipe(
        Effect.mapError((error) =>
          isBusy(error)
            ? fail("refused", `another 'leap chat' is at a turn of ${file}; try again when that is over`)
            : fail("failed", `${file} could not be kept: ${error.why}; nothing was asked`)
        )
      )
    return {
      conversation: yield* conversationIn(file, yield* shared.read(file)),
      save: (conversation) =>
        Effect.asVoid(
          shared.change(file, () =>
            Result.succeed(new TextEncoder().encode(`${JSON.stringify(conversation, null, 2)}\n`))
          )
        )
    }
  })
