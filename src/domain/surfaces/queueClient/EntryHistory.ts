import { jsonOf } from "../../words/formats/Json.ts"
import { fieldsOf, itemsOf } from "../../words/reading/Fields.ts"

export interface EntryHistory {
  readonly entries: ReadonlyArray<string>
  /** How many entries back; 0: the text being written. */
  readonly back: number
  /** The text being written when the user went back. */
  readonly draft: string
}

export const emptyHistory: EntryHistory = { entries: [], back: 0, draft: "" }

/** The most entries that are kept, and the most characters of all together. */
export const entriesMost = 200
export const lengthMost = 256 * 1024

/** The entries with a new one, without duplicates and too long texts. Beyond the limit the oldest are dropped. */
export const withEntry = (entries: ReadonlyArray<string>, entry: string): ReadonlyArray<string> => {
  if (entry.trim() === "" || entry.length > lengthMost) return entries
  const all = [...entries.filter((other) => other !== entry), entry].slice(-entriesMost)
  let length = 0
  const first = all.findLastIndex((text) => (length += text.length) > lengthMost)
  return all.slice(first + 1)
}

export const entered = (history: EntryHistory, entry: string): EntryHistory => ({
  entries: withEntry(history.entries, entry),
  back: 0,
  draft: ""
})

/** An older (1) or newer (-1) entry, and its text; null at the end. `text`: the present text of the editor. */
export const gone = (
  history: EntryHistory,
  by: 1 | -1,
  text: string
): { readonly history: EntryHistory; readonly text: string } | null => {
  const back = history.back + by
  if (back < 0 || back > history.entries.length) return null
  const draft = history.back === 0 ? text : history.draft
  return { history: { ...history, back, draft }, text: back === 0 ? draft : (history.entries.at(-back) ?? "") }
}

export const encodeEntries = (entries: ReadonlyArray<string>): string =>
  `${JSON.stringify({ schema: 1, entries }, null, 1)}\n`

/** The entries of such a document; none if it cannot be read. */
export const decodeEntries = (text: string): ReadonlyArray<string> =>
  itemsOf(fieldsOf(jsonOf(text))["entries"])
    .filter((entry) => typeof entry === "string")
    .reduce<ReadonlyArray<string>>(withEntry, [])
