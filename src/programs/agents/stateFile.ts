import { Effect, Result, Schema, type Scope } from "effect"
import { Conversation } from "../../domain/agents/Conversation.ts"
import { fieldsOf, numberOf } from "../../domain/usage/Fields.ts"
import { FileLock } from "../../services/FileLock.ts"
import { Machine } from "../../services/Machine.ts"
import { SharedFile, type SharedFileError } from "../../services/SharedFile.ts"
import { type CommandError, fail } from "../exit.ts"

/** Where a conversation is kept between calls. */
export interface StateFile {
  /** What is kept; null where nothing is yet. */
  readonly conversation: Conversation | null
  readonly keep: (conversation: Conversation) => Effect.Effect<void, SharedFileError>
}

/** A conversation that is kept nowhere. */
export const noState: StateFile = { conversation: null, keep: () => Effect.void }

const parsed = (text: string): unknown => Result.getOrNull(Result.try(() => JSON.parse(text) as unknown))

const conversationIn = (file: string, bytes: Uint8Array | null): Effect.Effect<Conversation | null, CommandError> => {
  const text = new TextDecoder().decode(bytes ?? new Uint8Array())
  if (text.trim() === "") return Effect.succeed(null)
  const value = parsed(text)
  const schema = numberOf(fieldsOf(value)["schema"])
  if (schema !== null && schema > 1) return Effect.fail(fail("usage", `${file} was kept by a newer leap, in a form that this one does not know; update leap`))
  return Result.match(Schema.decodeUnknownResult(Conversation)(value), {
    onFailure: () => Effect.fail(fail("usage", `${file} is no conversation that 'leap chat' has kept; it was left as it is`)),
    onSuccess: Effect.succeed
  })
}

/**
 * Opens a state file for one call: nobody else takes a turn of its conversation until the scope closes. Where it could not be
 * written is said before anything is asked, and paid for.
 */
export const openState = (path: string): Effect.Effect<StateFile, CommandError | SharedFileError, FileLock | Machine | SharedFile | Scope.Scope> =>
  Effect.gen(function*() {
    if (path.trim() === "") return yield* fail("usage", "--state: the name of the file is empty")
    const machine = yield* Machine
    const shared = yield* SharedFile
    const file = path.startsWith("/") ? path : `${machine.cwd}/${path}`
    const directory = file.slice(0, file.lastIndexOf("/")) || "/"
    if ((yield* machine.directory(directory))._tag === "None") return yield* fail("usage", `--state: there is no directory ${directory}`)
    // a name of its own: the file's lock itself is held only while it is written
    yield* (yield* FileLock).acquire(`${file}.turn.lock`).pipe(Effect.mapError((error) =>
      error._tag === "FileBusyError"
        ? fail("refused", `another 'leap chat' is at a turn of ${file}; try again when that is over`)
        : fail("failed", `${file} could not be kept: ${error.why}; nothing was asked`)))
    const conversation = yield* conversationIn(file, yield* shared.read(file))
    return {
      conversation,
      keep: (conversation) =>
        Effect.asVoid(shared.change(file, () => Result.succeed(new TextEncoder().encode(`${JSON.stringify(conversation, null, 2)}\n`))))
    }
  })
