import { Option, Schema } from "effect"
import type { Edit, Plan } from "../relocation/Plan.ts"

/** Says in a session's own file which directory it is of. */
export const workspaceKind = "copilot.workspace"

/** One field as it stands in the file, with its line break, and the one before it. */
const Field = Schema.Struct({ key: Schema.String, text: Schema.String, after: Schema.NullOr(Schema.String) })
type Field = typeof Field.Type

/** What the file said and shall say, so that a change can be carried out and taken back without another look. */
export const WorkspaceDetail = Schema.Struct({
  file: Schema.String,
  /** The fields that tell of the directory, in their order. */
  before: Schema.fromJsonString(Schema.Array(Field)),
  to: Schema.String
})
export type WorkspaceDetail = typeof WorkspaceDetail.Type

const encode = Schema.encodeSync(WorkspaceDetail)

/** The edit that makes a session one of another directory. */
export const workspaceEdit = (detail: WorkspaceDetail): Edit => ({ kind: workspaceKind, detail: encode(detail) })

/** Tells of the directory. */
const directoryKey = "cwd"

/** Tell of the repository that the directory is in. Copilot finds them anew when it goes on with the session. */
const repositoryKeys: ReadonlySet<string> = new Set(["git_root", "repository", "host_type", "branch"])

const tellsPlace = (key: string): boolean => key === directoryKey || repositoryKeys.has(key)

interface Entry {
  readonly key: string
  readonly text: string
}

/** The fields of a file that is a flat list of them, as Copilot writes it; null for any other. */
const entriesIn = (text: string): ReadonlyArray<Entry> | null => {
  const entries: Array<Entry> = []
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const key = /^([A-Za-z_][\w-]*):(?=[ \t\r\n]|$)/.exec(line)?.[1]
    const last = entries.at(-1)
    if (key !== undefined) {
      if (entries.some((entry) => entry.key === key)) return null
      entries.push({ key, text: line })
    } else if (/^(?:[ \t]|\r?\n)/.test(line) && last !== undefined) {
      entries[entries.length - 1] = { key: last.key, text: last.text + line }
    } else return null
  }
  return entries
}

/** The line break that a field ends with; the last of a file may have none. */
const breakOf = (text: string): string => /\r?\n$/.exec(text)?.[0] ?? ""

const textOf = (entries: ReadonlyArray<Entry>): string =>
  entries.map(({ text }, at) => at < entries.length - 1 && breakOf(text) === "" ? `${text}\n` : text).join("")

/** A path as a YAML value, in the plainest form that it can have. */
export const scalar = (path: string): string => {
  if (/^\/[\w./ +@%=~,-]*$/.test(path) && !path.endsWith(" ")) return path
  if (!/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]/.test(path.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ""))) {
    return `'${path.replaceAll("'", "''")}'`
  }
  return JSON.stringify(path).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

const lineOf = (to: string, old: string): string => `${directoryKey}: ${scalar(to)}${breakOf(old)}`

const decodeString = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.String))

/** The value of a field that stands on one line, whichever of YAML's styles it has; null for what is not so simple. */
const valueOf = (text: string): string | null => {
  const value = /^[^:]+:[ \t]+([^\n]*?)[ \t]*\r?\n?$/.exec(text)?.[1] ?? ""
  if (value.startsWith("'")) return /^'(?:[^']|'')*'$/.test(value) ? value.slice(1, -1).replaceAll("''", "'") : null
  if (value.startsWith("\"")) return Option.getOrNull(decodeString(value))
  return value.startsWith("/") && !/: | #/.test(value) ? value : null
}

const saysSame = (text: string, other: string): boolean => {
  const value = valueOf(text)
  return text === other || value !== null && value === valueOf(other)
}

const directoryIn = (fields: ReadonlyArray<{ readonly key: string; readonly text: string }>): string | null =>
  fields.find(({ key }) => key === directoryKey)?.text ?? null

/** The directory that the file names; null where it does so in a form that Copilot does not write for one. */
export const directoryOf = (text: string): string | null => {
  const field = directoryIn(entriesIn(text) ?? [])
  return field === null ? null : valueOf(field)
}

/** The fields that tell of the session's directory; null where the file has no such form. */
export const placeIn = (text: string): ReadonlyArray<Field> | null => {
  const entries = entriesIn(text)
  if (entries === null || !entries.some(({ key }) => key === directoryKey)) return null
  return entries.flatMap(({ key, text }, at) => tellsPlace(key) ? [{ key, text, after: entries[at - 1]?.key ?? null }] : [])
}

/** What became of a text; `other`: it says neither what it said nor what it shall say. */
export type Edited = { readonly _tag: "Text"; readonly text: string } | { readonly _tag: "unreadable" | "other" }

/** Makes the text say the new directory. What tells of the old one's repository goes, all else stays as it is. */
export const withDirectory = (text: string, { before, to }: Pick<WorkspaceDetail, "before" | "to">): Edited => {
  const entries = entriesIn(text)
  const old = directoryIn(before)
  const now = entries === null ? null : directoryIn(entries)
  if (entries === null || old === null || now === null) return { _tag: "unreadable" }
  if (saysSame(now, lineOf(to, old))) return { _tag: "Text", text }
  if (!saysSame(now, old)) return { _tag: "other" }
  return {
    _tag: "Text",
    text: textOf(entries.flatMap((entry) => entry.key === directoryKey ? [{ key: entry.key, text: lineOf(to, entry.text) }] : repositoryKeys.has(entry.key) ? [] : [entry]))
  }
}

/** Makes a text that says the new directory say again what it said of the old one. */
export const withoutDirectory = (text: string, { before, to }: Pick<WorkspaceDetail, "before" | "to">): Edited => {
  const entries = entriesIn(text)
  const old = directoryIn(before)
  const now = entries === null ? null : directoryIn(entries)
  if (entries === null || old === null || now === null) return { _tag: "unreadable" }
  if (!saysSame(now, lineOf(to, old))) return saysSame(now, old) ? { _tag: "Text", text } : { _tag: "other" }
  // what Copilot has found of the new directory since does not belong to the old one
  const restored = entries.filter(({ key }) => !tellsPlace(key))
  for (const { after, key, text } of before) {
    const at = after === null ? 0 : restored.findIndex((entry) => entry.key === after) + 1
    restored.splice(at, 0, { key, text })
  }
  return { _tag: "Text", text: textOf(restored) }
}

const decodeOpen = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
const decodeSince = Schema.decodeUnknownOption(Schema.Struct({ refreshedAt: Schema.String }))

/** Copilot says every 20 seconds that it has a session open; one that did not for so long is dead. Milliseconds. */
const silence = 60_000

/** Whether Copilot's list of open sessions, at this time, has the session. A Copilot that was killed does not take it out. */
export const isOpen = (list: string | null, sessionId: string, now: number): boolean => {
  const entry = list === null ? Option.none() : decodeOpen(list)
  if (Option.isNone(entry) || !Object.hasOwn(entry.value, sessionId)) return false
  const since = decodeSince(entry.value[sessionId])
  return Option.isSome(since) && Math.abs(now - Date.parse(since.value.refreshedAt)) < silence
}

/** The process that a log of this name is of. */
export const loggedPid = (name: string): number | null => {
  const pid = /^process-\d+-(\d{1,10})\.log$/.exec(name)?.[1]
  return pid === undefined ? null : Number(pid)
}

/** A move of a session of Copilot: its files belong to no directory and stay. */
export const relocation = (sessionId: string, edits: ReadonlyArray<Edit>): Plan =>
  ({ cli: "copilot", sessionId, pieces: [], lineFiles: [], tidy: [], edits })
