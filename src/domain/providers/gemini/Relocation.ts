import { isSafeName } from "../../store/relocation/safeName.ts"
import type { Edit, Piece, Plan } from "../../store/relocation/Plan.ts"
import { fieldsOf, textOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import { recordsOf } from "../../cli/usage/InputHistory.ts"

/** Whether a chat file's name, which contains only the beginning of a session id, may be the session's. */
export const isNamedFor = (name: string, sessionId: string): boolean =>
  name.startsWith("session-") &&
  [".json", ".jsonl"].some((ending) => name.endsWith(`-${sessionId.slice(0, 8)}${ending}`))

/** The bytes at a file's start that certainly contain its header. */
export const headerBytes = 64 << 10

/** The id of the session in a file, from its first line, or the first member of an older version's document. */
export const sessionIn = (head: string): string | null => {
  const line = head.slice(0, head.indexOf("\n") < 0 ? head.length : head.indexOf("\n"))
  return textOf(fieldsOf(jsonOf(line))["sessionId"]) ?? /^\s*\{\s*"sessionId"\s*:\s*"([^"\\]+)"/.exec(head)?.[1] ?? null
}

/** Whether Gemini CLI ignores a user's message: its own context, commands, empty messages. */
const isIgnored = (text: string): boolean =>
  text === "" || ["/", "?", "<session_context>", "<hook_context>"].some((beginning) => text.startsWith(beginning))

const textIn = (content: unknown): string =>
  (Array.isArray(content) ? content : [content])
    .map((part) => (typeof part === "string" ? part : (textOf(fieldsOf(part)["text"]) ?? "")))
    .join("")
    .trim()

const isFilled = (list: unknown): boolean => Array.isArray(list) && list.length > 0

const isContent = (message: unknown): boolean => {
  const { content, thoughts, toolCalls, type } = fieldsOf(message)
  if (type === "user") return !isIgnored(textIn(content))
  return type === "gemini" && (textIn(content) !== "" || isFilled(toolCalls) || isFilled(thoughts))
}

/** Whether a file has no conversation. Gemini CLI leaves such a file beside that of a session that is resumed later. */
export const isEmptyTwin = (text: string): boolean => {
  if (text.includes("\uFFFD") || !text.endsWith("\n")) return false
  return recordsOf(text).every((record) => {
    const update = fieldsOf(record["$set"])
    const messages = [
      record,
      ...[record["messages"], update["messages"]].flatMap((list) => (Array.isArray(list) ? list : []))
    ]
    const isKnown = "sessionId" in record || "$set" in record || record["type"] === "user"
    return isKnown && !("memoryScratchpad" in update) && !("summary" in update) && !messages.some(isContent)
  })
}

/** Files larger than this (in bytes) are never taken for empty ones. */
export const twinBytes = 1 << 20

/** Directories in a project's folder that belong to no single session. */
const sharedFolders: ReadonlySet<string> = new Set(["chats", "logs", "tool-outputs"])

/** Where a session, or one of its agents, may have files in a project's folder, apart from its chat file. */
const artifactsOf = (id: string): ReadonlyArray<readonly [Piece["kind"], string]> => [
  ["file", `logs/session-${id}.jsonl`],
  ["tree", `tool-outputs/session-${id}`],
  ...(sharedFolders.has(id.toLowerCase()) ? [] : ([["tree", id]] as const))
]

/** A session's files in a project's folder, apart from its chat files; `agents`: the files of its agents. */
export const belongings = (
  sessionId: string,
  agents: ReadonlyArray<string>
): ReadonlyArray<readonly [Piece["kind"], string]> => [
  ["tree", `chats/${sessionId}`],
  ...[
    sessionId,
    ...agents
      .filter((name) => /\.jsonl?$/.test(name))
      .map((name) => name.replace(/\.jsonl?$/, ""))
      .filter(isSafeName)
  ]
    .filter((id, index, ids) => ids.indexOf(id) === index)
    .flatMap(artifactsOf)
]

export interface GeminiMove {
  readonly sessionId: string
  readonly fromFolder: string
  readonly toFolder: string
  readonly files: ReadonlyArray<string>
  readonly belongings: ReadonlyArray<readonly [Piece["kind"], string]>
  readonly edits: ReadonlyArray<Edit>
}

/** Moves the session's files and belongings; edits change the folders' markers and the registry. */
export const relocation = ({ belongings, edits, files, fromFolder, sessionId, toFolder }: GeminiMove): Plan => ({
  cli: "gemini",
  sessionId,
  pieces:
    fromFolder === toFolder
      ? []
      : [
          ...files.map((name): Piece => ({
            kind: "file",
            from: `${fromFolder}/chats/${name}`,
            to: `${toFolder}/chats/${name}`,
            optional: false
          })),
          ...belongings.map(([kind, path]): Piece => ({
            kind,
            from: `${fromFolder}/${path}`,
            to: `${toFolder}/${path}`,
            optional: true
          }))
        ],
  lineFiles: [".jsonl"],
  tidy: [],
  edits: fromFolder === toFolder ? [] : edits
})
