import { DateTime, Effect, FileSystem, Option, Result, Schema, type Scope } from "effect"
import { Conversation } from "../../domain/cli/headless/Conversation.ts"
import { jsonOf } from "../../domain/words/formats/Json.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { fail, type CommandError } from "../exit.ts"
import { fieldsOf, numberOf } from "../../domain/words/reading/Fields.ts"
import { FileLock } from "../../services/FileLock.ts"
import { System } from "../../services/System.ts"
import { SharedFile } from "../../services/SharedFile.ts"
import { absolutePath } from "../../domain/words/text/paths.ts"
import { isBusy, type StoreError } from "../../services/StoreError.ts"

const extension = ".json"
const directory = Effect.map(Paths, ({ state }) => `${state}/chats`)

/** The state file of the conversation with this name. Creates its directory. */
export const chatFile = Effect.fn("agents.chatFile")(function* (name: string) {
  if (!Schema.is(Tag)(name))
    return yield* fail("usage", `--name: '${name}' is no name: letters, digits, '_' and '-', no command's name`)
  const files = yield* FileSystem.FileSystem
  yield* (yield* Paths).ensureBase
  const chats = yield* directory
  yield* files
    .makeDirectory(chats, { recursive: true, mode: 0o700 })
    .pipe(Effect.mapError((error) => fail("failed", `${chats} cannot be made: ${error.message}`)))
  return `${chats}/${name}${extension}`
})

/** A conversation's summary; all of it is null if its file cannot be read. */
const summaryOf = (text: string) => {
  const chat = Option.getOrNull(Schema.decodeUnknownOption(Conversation)(jsonOf(text)))
  const prompts = chat?.turns.filter(({ role }) => role === "user") ?? null
  const {
    cwd = null,
    model = null,
    provider = null,
    sessionId = null,
    stoppedBy = null,
    totalTokens = null
  } = chat ?? {}
  const turns = prompts?.length ?? null
  return { provider, model, cwd, sessionId, turns, totalTokens, stoppedBy, lastPrompt: prompts?.at(-1)?.text ?? null }
}

/** The conversations that `leap chat --name` stores, the last changed first. */
export const namedChats = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const chats = yield* directory
  const names = yield* Effect.orElseSucceed(files.readDirectory(chats), (): ReadonlyArray<string> => [])
  const found = yield* Effect.forEach(
    names.filter((file) => file.endsWith(extension) && Schema.is(Tag)(file.slice(0, -extension.length))),
    Effect.fnUntraced(function* (file) {
      const path = `${chats}/${file}`
      const text = yield* Effect.orElseSucceed(files.readFileString(path), () => "")
      const info = yield* Effect.option(files.stat(path))
      const time = Option.flatMap(info, ({ mtime }) => mtime)
      const updatedAt = Option.isNone(time) ? null : DateTime.formatIso(DateTime.makeUnsafe(time.value))
      return { name: file.slice(0, -extension.length), ...summaryOf(text), updatedAt }
    }),
    { concurrency: 8 }
  )
  return found.sort((a, b) => (b.updatedAt ?? "").localeCompare(a.updatedAt ?? ""))
})

export type NamedChat = Effect.Success<typeof namedChats>[number]

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
  return Effect.mapError(Schema.decodeUnknownEffect(Conversation)(value), () =>
    fail("usage", `${file} is no conversation that 'leap chat' has kept; it was left as it is`)
  )
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
