import { Option, Schema } from "effect"
import { editsOf } from "../../store/relocation/Edits.ts"

/** One field as it is in the file, with its line break, and the key of the field before it. */
const Field = Schema.Struct({ key: Schema.String, text: Schema.String, after: Schema.NullOr(Schema.String) })
type Field = typeof Field.Type

/** What the file said of the directory, and the new one: the edit is applied and reverted without a new inspection. */
const WorkspaceDetail = Schema.Struct({
  file: Schema.String,
  /** The fields about the directory, in their order. */
  before: Schema.fromJsonString(Schema.Array(Field)),
  to: Schema.String
})
export type WorkspaceDetail = typeof WorkspaceDetail.Type

export const workspaceEdits = editsOf("copilot.workspace", WorkspaceDetail)

const directoryKey = "cwd"

/** The keys about the directory's repository. Copilot computes them again on a resume. */
const repositoryKeys: ReadonlySet<string> = new Set(["git_root", "repository", "host_type", "branch"])

const isPlaceKey = (key: string): boolean => key === directoryKey || repositoryKeys.has(key)

interface Entry {
  readonly key: string
  readonly text: string
}

/** The fields of a file that is a flat list of them, as Copilot writes it; null: any other. */
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

const breakOf = (text: string): string => /\r?\n$/.exec(text)?.[0] ?? ""

const textOf = (entries: ReadonlyArray<Entry>): string =>
  entries.map(({ text }, index) => (index < entries.length - 1 && breakOf(text) === "" ? `${text}\n` : text)).join("")

/** A path as a YAML value, in the plainest possible style. */
export const scalar = (path: string): string => {
  if (/^\/[\w./ +@%=~,-]*$/.test(path) && !path.endsWith(" ")) return path
  if (
    !/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]/.test(
      path.replace(/[\ud800-\udbff][\udc00-\udfff]/g, "")
    )
  ) {
    return `'${path.replaceAll("'", "''")}'`
  }
  return JSON.stringify(path).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
}

const directoryLine = (to: string, old: string): string => `${directoryKey}: ${scalar(to)}${breakOf(old)}`

const decodeString = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.String))

/** The value of a field on one line, in any of YAML's styles; null: anything more complex. */
const valueOf = (text: string): string | null => {
  const value = /^[^:]+:[ \t]+([^\n]*?)[ \t]*\r?\n?$/.exec(text)?.[1] ?? ""
  if (value.startsWith("'")) return /^'(?:[^']|'')*'$/.test(value) ? value.slice(1, -1).replaceAll("''", "'") : null
  if (value.startsWith('"')) return Option.getOrNull(decodeString(value))
  return value.startsWith("/") && !/: | #/.test(value) ? value : null
}

const isSameValue = (text: string, other: string): boolean => {
  const value = valueOf(text)
  return text === other || (value !== null && value === valueOf(other))
}

const directoryFieldIn = (fields: ReadonlyArray<{ readonly key: string; readonly text: string }>): string | null =>
  fields.find(({ key }) => key === directoryKey)?.text ?? null

/** The directory in the file; null: a form that Copilot does not use. */
export const directoryOf = (text: string): string | null => {
  const field = directoryFieldIn(entriesIn(text) ?? [])
  return field === null ? null : valueOf(field)
}

export const placeIn = (text: string): ReadonlyArray<Field> | null => {
  const entries = entriesIn(text)
  if (entries === null || !entries.some(({ key }) => key === directoryKey)) return null
  return entries.flatMap(({ key, text }, index) =>
    isPlaceKey(key) ? [{ key, text, after: entries[index - 1]?.key ?? null }] : []
  )
}

/** The result of an edit. `other`: the text has neither the old nor the new directory. */
export type Edited = { readonly _tag: "Text"; readonly text: string } | { readonly _tag: "unreadable" | "other" }

type Detail = Pick<WorkspaceDetail, "before" | "to">

/** Edits the fields of a file with the other of the two directories; one with the wanted directory stays as it is. */
const editing =
  (wanted: "new" | "old", edit: (entries: ReadonlyArray<Entry>, detail: Detail) => ReadonlyArray<Entry>) =>
  (text: string, detail: Detail): Edited => {
    const entries = entriesIn(text)
    const old = directoryFieldIn(detail.before)
    const current = entries === null ? null : directoryFieldIn(entries)
    if (entries === null || old === null || current === null) return { _tag: "unreadable" }
    const isNew = isSameValue(current, directoryLine(detail.to, old))
    if (!isNew && !isSameValue(current, old)) return { _tag: "other" }
    return { _tag: "Text", text: isNew === (wanted === "new") ? text : textOf(edit(entries, detail)) }
  }

export const withDirectory = editing("new", (entries, { to }) =>
  entries
    .filter(({ key }) => !repositoryKeys.has(key))
    .map((entry) => (entry.key === directoryKey ? { ...entry, text: directoryLine(to, entry.text) } : entry))
)

export const withoutDirectory = editing("old", (entries, { before }) => {
  // Fields that Copilot has added for the new directory do not belong to the old one.
  const restored = entries.filter(({ key }) => !isPlaceKey(key))
  for (const { after, key, text } of before) {
    const index = after === null ? 0 : restored.findIndex((entry) => entry.key === after) + 1
    restored.splice(index, 0, { key, text })
  }
  return restored
})

const decodeOpen = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
const decodeSince = Schema.decodeUnknownOption(Schema.Struct({ refreshedAt: Schema.String }))

/** Milliseconds after which an open session counts as dead: Copilot records it every 20 seconds. */
const openTimeout = 60_000

/** Whether Copilot's list has this session open at `now`. A killed Copilot does not remove its entry. */
export const isOpen = (list: string | null, sessionId: string, now: number): boolean => {
  const entry = list === null ? Option.none() : decodeOpen(list)
  if (Option.isNone(entry) || !Object.hasOwn(entry.value, sessionId)) return false
  const since = decodeSince(entry.value[sessionId])
  return Option.isSome(since) && Math.abs(now - Date.parse(since.value.refreshedAt)) < openTimeout
}

export const loggedPid = (name: string): number | null => {
  const pid = /^process-\d+-(\d{1,10})\.log$/.exec(name)?.[1]
  return pid === undefined ? null : Number(pid)
}
