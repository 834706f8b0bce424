import { DateTime, Effect, FileSystem, Option, Result, Schema } from "effect"
import { Conversation } from "../../domain/cli/headless/Conversation.ts"
import { jsonOf } from "../../domain/words/formats/Json.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { fail } from "../exit.ts"

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
