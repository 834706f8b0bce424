import { isSafeName } from "../relocation/Names.ts"
import type { Edit, Piece, Plan } from "../relocation/Plan.ts"
import { fieldsOf, textOf } from "../usage/Fields.ts"
import { jsonOf, recordsOf } from "../usage/InputHistory.ts"

/** Whether a file in a project's chats has the name of one of the session's. Other sessions may share the beginning of its id. */
export const isNamedFor = (name: string, sessionId: string): boolean =>
  name.startsWith("session-") && [".json", ".jsonl"].some((ending) => name.endsWith(`-${sessionId.slice(0, 8)}${ending}`))

/** So many bytes of a session's file hold its header. */
export const headerBytes = 64 << 10

/** The session that a file is of, by its beginning: the first line, or the first member of a document of an older version. */
export const sessionIn = (head: string): string | null => {
  const line = head.slice(0, head.indexOf("\n") < 0 ? head.length : head.indexOf("\n"))
  return textOf(fieldsOf(jsonOf(line))["sessionId"]) ?? /^\s*\{\s*"sessionId"\s*:\s*"([^"\\]+)"/.exec(head)?.[1] ?? null
}

/** What of a user's message Gemini CLI does not count as one: its own context, commands, nothing at all. */
const isIgnored = (text: string): boolean => text === "" || ["/", "?", "<session_context>", "<hook_context>"].some((beginning) => text.startsWith(beginning))

const spoken = (content: unknown): string =>
  (Array.isArray(content) ? content : [content]).map((part) => typeof part === "string" ? part : textOf(fieldsOf(part)["text"]) ?? "").join("").trim()

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0

const isContent = (message: unknown): boolean => {
  const { content, thoughts, toolCalls, type } = fieldsOf(message)
  if (type === "user") return !isIgnored(spoken(content))
  return type === "gemini" && (spoken(content) !== "" || isFilled(toolCalls) || isFilled(thoughts))
}

/**
 * Whether a file holds nothing of a conversation: what Gemini CLI leaves beside a session's file when it goes on with it in
 * a later minute. A text that has something unknown in it is not empty.
 */
export const isEmptyTwin = (text: string): boolean => {
  if (text.includes("\uFFFD") || !text.endsWith("\n")) return false
  return recordsOf(text).every((record) => {
    const changed = fieldsOf(record["$set"])
    const messages = [record, ...[record["messages"], changed["messages"]].flatMap((list) => Array.isArray(list) ? list : [])]
    const isKnown = "sessionId" in record || "$set" in record || record["type"] === "user"
    return isKnown && !("memoryScratchpad" in changed) && !("summary" in changed) && !messages.some(isContent)
  })
}

/** Beyond this no file is taken for an empty one (bytes). */
export const twinBytes = 1 << 20

/** Directories of a project's folder that are no session's. */
const shared: ReadonlySet<string> = new Set(["chats", "logs", "tool-outputs"])

/** What a session, or an agent that it began, may have in a project's folder beside its file, by relative path. */
const artifactsOf = (id: string): ReadonlyArray<readonly [Piece["kind"], string]> => [
  ["file", `logs/session-${id}.jsonl`],
  ["tree", `tool-outputs/session-${id}`],
  ...shared.has(id.toLowerCase()) ? [] : [["tree", id]] as const
]

/** All that a session may have in a project's folder but its files, by relative path: `agents` are the names of its agents' files. */
export const belongings = (sessionId: string, agents: ReadonlyArray<string>): ReadonlyArray<readonly [Piece["kind"], string]> => [
  ["tree", `chats/${sessionId}`],
  ...[sessionId, ...agents.filter((name) => /\.jsonl?$/.test(name)).map((name) => name.replace(/\.jsonl?$/, "")).filter(isSafeName)]
    .filter((id, at, ids) => ids.indexOf(id) === at).flatMap(artifactsOf)
]

/** Where a session is moved: the folders are those of the two projects in `~/.gemini/tmp`. */
export interface GeminiMove {
  readonly sessionId: string
  readonly fromFolder: string
  readonly toFolder: string
  /** Names of its files in the project's chats. */
  readonly files: ReadonlyArray<string>
  /** What of its belongings is there. */
  readonly belongings: ReadonlyArray<readonly [Piece["kind"], string]>
  readonly edits: ReadonlyArray<Edit>
}

/** Moves the session's files and what belongs to it; the folders' markers and the registry are edits. */
export const relocation = ({ belongings, edits, files, fromFolder, sessionId, toFolder }: GeminiMove): Plan => ({
  cli: "gemini",
  sessionId,
  pieces: fromFolder === toFolder ? [] : [
    ...files.map((name): Piece => ({ kind: "file", from: `${fromFolder}/chats/${name}`, to: `${toFolder}/chats/${name}`, optional: false })),
    ...belongings.map(([kind, path]): Piece => ({ kind, from: `${fromFolder}/${path}`, to: `${toFolder}/${path}`, optional: true }))
  ],
  lineFiles: [".jsonl"],
  tidy: [],
  edits: fromFolder === toFolder ? [] : edits
})
