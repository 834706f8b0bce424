import { clean, width } from "../tui/Cells.ts"

export interface PickRow {
  readonly tag: string
  readonly cli: string
  readonly displayName: string
  readonly sessionId: string
  readonly cwd: string
  /** Milliseconds since the epoch; 0 if unknown. */
  readonly lastSeen: number
  readonly bytes: number | null
  /** The running session with this conversation. */
  readonly liveAs: string | null
  readonly missing: boolean
}

export interface Preview {
  readonly lastUser: string | null
  readonly lastAssistant: string | null
}

/** A row with its texts for display and search, all of them clean. */
export interface PickEntry {
  readonly row: PickRow
  readonly key: string
  readonly tag: string
  readonly badge: string
  readonly id: string
  readonly path: string
  readonly here: boolean
  readonly liveAs: string | null
  readonly oneOfSeveral: boolean
  /** The searched texts, in lower case. */
  readonly names: ReadonlyArray<string>
  readonly idFolded: string
  readonly paths: ReadonlyArray<string>
}

export const badgeLimit = 18
/** Characters of a session's id that distinguish it from others with the tag. */
export const idLength = 8
/** A longer path or name is damaged or hostile, so it is cut first. */
const textLimit = 4096

const cleaned = (text: string): string => clean(text.slice(0, textLimit))

/** A text in lower case in which every character keeps its index. */
export const fold = (text: string): string =>
  /^[\x00-\x7f]*$/.test(text)
    ? text.toLowerCase()
    : [...text]
        .map((char) => {
          const lower = char.toLowerCase()
          return lower.length === char.length ? lower : char
        })
        .join("")

export const tilde = (path: string, home: string): string =>
  home === "" || home === "/"
    ? path
    : path === home
      ? "~"
      : path.startsWith(`${home}/`)
        ? `~${path.slice(home.length)}`
        : path

/** A path written by a person, with a leading `~` resolved. */
export const fromTilde = (path: string, home: string): string => path.replace(/^~(?=\/|$)/, () => home)

/** The most columns that names take, and whether ids are needed to distinguish sessions. */
export interface Widest {
  readonly tag: number
  readonly badge: number
  readonly several: boolean
}

export const widestOf = (entries: ReadonlyArray<PickEntry>): Widest => ({
  tag: entries.reduce((most, { tag }) => Math.max(most, width(tag)), 0),
  badge: entries.reduce((most, { badge }) => Math.max(most, width(badge)), 0),
  several: entries.some(({ oneOfSeveral }) => oneOfSeveral)
})

/** The age in the largest full unit; empty if unknown. */
export const age = (at: number, now: number): string => {
  if (at <= 0) return ""
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  return seconds < 60
    ? `${seconds}s`
    : seconds < 3600
      ? `${Math.floor(seconds / 60)}m`
      : seconds < 86_400
        ? `${Math.floor(seconds / 3600)}h`
        : `${Math.floor(seconds / 86_400)}d`
}

const units = ["B", "kB", "MB", "GB", "TB"]

export const bytesText = (bytes: number): string => {
  let unit = 0
  let value = bytes
  while (Math.round(value) >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || Math.round(value) >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${units[unit]}`
}

/** Entries in the order of the list: newest first; equal times keep the given order. */
export const entriesOf = (rows: ReadonlyArray<PickRow>, home: string, cwd: string): ReadonlyArray<PickEntry> => {
  const perTag = new Map<string, number>()
  for (const { tag } of rows) perTag.set(tag, (perTag.get(tag) ?? 0) + 1)
  return rows
    .map((row): PickEntry => {
      const tag = cleaned(row.tag)
      const badge = cleaned(row.displayName)
      const id = cleaned(row.sessionId)
      const path = cleaned(tilde(row.cwd, home))
      return {
        row,
        tag,
        badge,
        id,
        path,
        key: JSON.stringify([row.tag, row.cli, row.sessionId]),
        here: row.cwd === cwd,
        liveAs: row.liveAs === null ? null : cleaned(row.liveAs),
        oneOfSeveral: (perTag.get(row.tag) ?? 0) > 1,
        names: [tag, badge, cleaned(row.cli), ...(row.liveAs === null ? [] : [cleaned(row.liveAs)])].map(fold),
        idFolded: fold(id),
        paths: [path, cleaned(row.cwd)].map(fold)
      }
    })
    .sort((a, b) => b.row.lastSeen - a.row.lastSeen)
}

/** The words of a query, folded; all must match. */
export const wordsOf = (query: string): ReadonlyArray<string> =>
  fold(clean(query))
    .split(" ")
    .filter((word) => word !== "")

/** Entries with all words: a word is their tag, then all are in names or id, then in paths too; each group in order. */
export const search = (entries: ReadonlyArray<PickEntry>, words: ReadonlyArray<string>): ReadonlyArray<PickEntry> => {
  if (words.length === 0) return entries
  const exact: Array<PickEntry> = []
  const named: Array<PickEntry> = []
  const placed: Array<PickEntry> = []
  for (const entry of entries) {
    const byName = (word: string): boolean =>
      entry.names.some((name) => name.includes(word)) || entry.idFolded.startsWith(word)
    if (words.every(byName)) (words.includes(fold(entry.tag)) ? exact : named).push(entry)
    else if (words.every((word) => byName(word) || entry.paths.some((path) => path.includes(word)))) placed.push(entry)
  }
  return [...exact, ...named, ...placed]
}
