/** What was entered before, oldest first, and where among it the user is. */
export interface EntryHistory {
  readonly entries: ReadonlyArray<string>
  /** How many entries back; 0 for what is being written. */
  readonly back: number
  /** What was being written when the user went back. */
  readonly draft: string
}

export const emptyHistory: EntryHistory = { entries: [], back: 0, draft: "" }

/** Entries that are kept, and the characters of all of them together. */
export const entriesMost = 200
export const lengthMost = 256 * 1024

/** Entries with one more, once; the oldest go where there are too many. A text that is too long is left out. */
export const withEntry = (entries: ReadonlyArray<string>, entry: string): ReadonlyArray<string> => {
  if (entry.trim() === "" || entry.length > lengthMost) return entries
  const all = [...entries.filter((other) => other !== entry), entry].slice(-entriesMost)
  let length = 0
  const first = all.findLastIndex((text) => (length += text.length) > lengthMost)
  return all.slice(first + 1)
}

/** The history with what was just entered. */
export const entered = (history: EntryHistory, entry: string): EntryHistory => ({
  entries: withEntry(history.entries, entry),
  back: 0,
  draft: ""
})

/** An older (1) or newer (-1) entry, and its text; null at the end. `text`: what is in the editor now. */
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

/** The document in which entries are kept. */
export const encodeEntries = (entries: ReadonlyArray<string>): string =>
  `${JSON.stringify({ schema: 1, entries }, null, 1)}\n`

/** The entries of such a document; none of one that is no such document. */
export const decodeEntries = (text: string): ReadonlyArray<string> => {
  try {
    const document = JSON.parse(text) as unknown
    const entries = typeof document === "object" && document !== null && "entries" in document ? document.entries : null
    return Array.isArray(entries)
      ? entries.filter((entry): entry is string => typeof entry === "string").reduce(withEntry, [])
      : []
  } catch {
    return []
  }
}
