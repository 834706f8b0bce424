import { Schema } from "effect"
import { isSame, type SessionRecord } from "./SessionRecord.ts"

/** A record, and what a newer leap has put beside it. */
export interface Entry {
  readonly record: SessionRecord
  readonly others: Readonly<Record<string, unknown>>
}

/** A tag's sessions, the one that was seen last at the end. */
export type RecordBook = ReadonlyArray<Entry>

/** Of one tag no more are kept. */
export const recordLimit = 50

/**
 * Takes a session in as the one seen last. What was known of it before and is not told now stays; so does its directory
 * with a CLI that goes on in the session's own (`stays`), wherever that was started.
 */
export const record = (book: RecordBook, seen: SessionRecord, stays = false): RecordBook => {
  const before = book.find((entry) => isSame(entry.record, seen))
  const rest = book.filter((entry) => entry !== before)
  const merged: SessionRecord = before === undefined ? seen : {
    ...seen,
    cwd: stays ? before.record.cwd : seen.cwd,
    transcriptPath: seen.transcriptPath ?? before.record.transcriptPath,
    firstSeen: before.record.firstSeen === 0 ? seen.firstSeen : Math.min(before.record.firstSeen, seen.firstSeen)
  }
  return [...rest, { record: merged, others: before?.others ?? {} }].slice(-recordLimit)
}

/** A session that was moved: `cli` may name a CLI or, for all its variants, their base. */
export interface Relocated {
  readonly cli: string
  readonly sessionId: string
  readonly cwd: string
  /** Null: where it is has not changed. */
  readonly transcriptPath: string | null
}

/** Whether a record is of the session. */
export const isOf = (record: SessionRecord, session: Pick<Relocated, "cli" | "sessionId">): boolean =>
  record.sessionId === session.sessionId && (record.cli === session.cli || record.base === session.cli)

/** Where a moved session is from now on. When it was seen, and its place among the others, stay. */
export const relocate = (book: RecordBook, moved: Relocated): RecordBook =>
  book.map((entry) => isOf(entry.record, moved)
    ? { ...entry, record: { ...entry.record, cwd: moved.cwd, transcriptPath: moved.transcriptPath ?? entry.record.transcriptPath } }
    : entry)

/** What a tag's record of a session said of where it is, before the session was moved. */
export const Said = Schema.Struct({
  tag: Schema.String,
  cli: Schema.String,
  cwd: Schema.String,
  transcriptPath: Schema.NullOr(Schema.String)
})
export type Said = typeof Said.Type

/** What these books say of where the session is. */
export const saidOf = (
  books: ReadonlyArray<{ readonly tag: string; readonly book: RecordBook }>, session: Pick<Relocated, "cli" | "sessionId">
): ReadonlyArray<Said> =>
  books.flatMap(({ book, tag }) =>
    book.filter(({ record }) => isOf(record, session)).map(({ record: { cli, cwd, transcriptPath } }) => ({ tag, cli, cwd, transcriptPath })))

/**
 * Takes back what {@link relocate} made of the records: each says again what it said, and one that is not among those
 * what `otherwise` says. A record that does not say what the move made of it was changed since, and stays.
 */
export const restore = (
  book: RecordBook, moved: Relocated, said: ReadonlyArray<Omit<Said, "tag">>, otherwise: Pick<Said, "cwd" | "transcriptPath">
): RecordBook =>
  book.map((entry) => {
    const { record } = entry
    if (!isOf(record, moved) || record.cwd !== moved.cwd || (moved.transcriptPath !== null && record.transcriptPath !== moved.transcriptPath)) return entry
    const { cwd, transcriptPath } = said.find(({ cli }) => cli === record.cli) ?? otherwise
    return { ...entry, record: { ...record, cwd, transcriptPath: moved.transcriptPath === null ? record.transcriptPath : transcriptPath } }
  })

/** The session as the tag has it that saw it last; as it is given where none has it. */
export const current = (books: ReadonlyArray<{ readonly book: RecordBook }>, session: SessionRecord): SessionRecord =>
  books.flatMap(({ book }) => book.map(({ record }) => record)).filter((record) => isSame(record, session))
    .reduce((newest, record) => record.lastSeen >= newest.lastSeen ? record : newest, session)

/** The transcript of the CLI's session that was seen last and has one; of several at the same time the later in the book. */
export const latestTranscript = (book: RecordBook, cli: string): string | null =>
  book.reduce<SessionRecord | null>((latest, { record }) =>
    record.cli === cli && record.transcriptPath !== null && (latest === null || record.lastSeen >= latest.lastSeen) ? record : latest, null
  )?.transcriptPath ?? null

/** A session that may have written nothing yet is no lost one: records that are younger than this (milliseconds) stay. */
export const grace = 24 * 60 * 60 * 1000

/** Leaves out the sessions of which nothing is left. Whoever cannot tell says false. */
export const prune = (book: RecordBook, now: number, isGone: (record: SessionRecord) => boolean): RecordBook =>
  book.filter(({ record }) => now - record.lastSeen < grace || !isGone(record))

/** A session among those that can be picked. */
export interface SessionRow {
  readonly tag: string
  readonly record: SessionRecord
}

/** One row for each session, under the tag that saw it last; newest first. */
export const rows = (books: ReadonlyArray<{ readonly tag: string; readonly book: RecordBook }>): ReadonlyArray<SessionRow> => {
  const newest = new Map<string, SessionRow>()
  for (const { book, tag } of books) {
    for (const { record } of book) {
      const key = `${record.cli}/${record.sessionId}`
      const other = newest.get(key)
      if (other === undefined || record.lastSeen >= other.record.lastSeen) newest.set(key, { tag, record })
    }
  }
  return [...newest.values()].sort((a, b) => b.record.lastSeen - a.record.lastSeen)
}
