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

/** A conversation that `leap chat --name` stores; all but its name and time are null if its file cannot be read. */
export interface NamedChat {
  readonly name: string
  readonly provider: string | null
  readonly model: string | null
  readonly cwd: string | null
  readonly sessionId: string | null
  readonly turns: number | null
  readonly totalTokens: number | null
  readonly stoppedBy: string | null
  readonly lastPrompt: string | null
  readonly updatedAt: string | null
}

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

const summaryOf = (text: string): Omit<NamedChat, "name" | "updatedAt"> => {
  const read = Schema.decodeUnknownResult(Conversation)(jsonOf(text))
  if (Result.isFailure(read))
    return {
      provider: null,
      model: null,
      cwd: null,
      sessionId: null,
      turns: null,
      totalTokens: null,
      stoppedBy: null,
      lastPrompt: null
    }
  const { cwd, model, provider, sessionId, stoppedBy, totalTokens, turns } = read.success
  const prompts = turns.filter(({ role }) => role === "user")
  const lastPrompt = prompts.at(-1)?.text ?? null
  return { provider, model, cwd, sessionId, turns: prompts.length, totalTokens, stoppedBy, lastPrompt }
}

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
      return { name: file.slice(0, -extension.length), ...summaryOf(text), updatedAt } satisfies NamedChat
    }),
    { concurrency: 8 }
  )
  return found.sort((a, b) => (b.updatedAt ?? "").localeCompare(a.updatedAt ?? ""))
})

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
