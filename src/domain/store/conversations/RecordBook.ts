import { Schema, Option } from "effect"
import { StartWords } from "../../words/session/StartWords.ts"
import { isSame, SessionRecord } from "./SessionRecord.ts"
import { decodeText, type LenientNode, member, parse } from "../../words/formats/LenientJson.ts"

/** A record, and members that a newer leap has added to it. */
interface RecordEntry {
  readonly record: SessionRecord
  readonly others: Readonly<Record<string, unknown>>
}

/** A tag's sessions, the one seen last at the end. */
export type RecordBook = ReadonlyArray<RecordEntry>

export const recordLimit = 50

const wordsIn = (words: StartWords | undefined): { readonly words?: StartWords } =>
  words === undefined ? {} : { words }

/**
 * Adds a session as the one seen last. Known values that are missing now stay. `stays`: its known directory stays too,
 * because the CLI continues there wherever it is started, and has not reported where it is now.
 */
export const record = (book: RecordBook, seen: SessionRecord, stays = false): RecordBook => {
  const before = book.find((entry) => isSame(entry.record, seen))
  const rest = book.filter((entry) => entry !== before)
  const merged: SessionRecord =
    before === undefined
      ? seen
      : {
          ...seen,
          cwd: stays ? before.record.cwd : seen.cwd,
          transcriptPath: seen.transcriptPath ?? before.record.transcriptPath,
          ...wordsIn(seen.words ?? before.record.words),
          firstSeen: before.record.firstSeen === 0 ? seen.firstSeen : Math.min(before.record.firstSeen, seen.firstSeen)
        }
  return [...rest, { record: merged, others: before?.others ?? {} }].slice(-recordLimit)
}

/** A session that was moved. `cli` names a CLI or, for all its variants, their base. */
export interface Relocated {
  readonly cli: string
  readonly sessionId: string
  readonly cwd: string
  /** Null: its place has not changed. */
  readonly transcriptPath: string | null
}

export const isOf = (record: SessionRecord, session: Pick<Relocated, "cli" | "sessionId">): boolean =>
  record.sessionId === session.sessionId && (record.cli === session.cli || record.base === session.cli)

/** Records the new place of a moved session. Its times, and its position among the others, stay. */
export const relocate = (book: RecordBook, moved: Relocated): RecordBook =>
  book.map((entry) =>
    isOf(entry.record, moved)
      ? {
          ...entry,
          record: {
            ...entry.record,
            cwd: moved.cwd,
            transcriptPath: moved.transcriptPath ?? entry.record.transcriptPath
          }
        }
      : entry
  )

export const RecordedLocation = Schema.Struct({
  tag: Schema.String,
  cli: Schema.String,
  cwd: Schema.String,
  transcriptPath: Schema.NullOr(Schema.String)
})
export type RecordedLocation = typeof RecordedLocation.Type

export const recordedLocations = (
  books: ReadonlyArray<{ readonly tag: string; readonly book: RecordBook }>,
  session: Pick<Relocated, "cli" | "sessionId">
): ReadonlyArray<RecordedLocation> =>
  books.flatMap(({ book, tag }) =>
    book
      .filter(({ record }) => isOf(record, session))
      .map(({ record: { cli, cwd, transcriptPath } }) => ({ tag, cli, cwd, transcriptPath }))
  )

/** Undoes {@link relocate}, with `otherwise` for a record without a former location. Records changed since stay. */
export const restore = (
  book: RecordBook,
  moved: Relocated,
  before: ReadonlyArray<Omit<RecordedLocation, "tag">>,
  otherwise: Pick<RecordedLocation, "cwd" | "transcriptPath">
): RecordBook =>
  book.map((entry) => {
    const { record } = entry
    if (
      !isOf(record, moved) ||
      record.cwd !== moved.cwd ||
      (moved.transcriptPath !== null && record.transcriptPath !== moved.transcriptPath)
    )
      return entry
    const { cwd, transcriptPath } = before.find(({ cli }) => cli === record.cli) ?? otherwise
    return {
      ...entry,
      record: { ...record, cwd, transcriptPath: moved.transcriptPath === null ? record.transcriptPath : transcriptPath }
    }
  })

/** The session as recorded by the tag that saw it last; null if no tag has it. */
export const newest = (
  books: ReadonlyArray<{ readonly book: RecordBook }>,
  session: Pick<SessionRecord, "cli" | "sessionId">
): SessionRecord | null =>
  books
    .flatMap(({ book }) => book.map(({ record }) => record))
    .filter((record) => isSame(record, session))
    .reduce<SessionRecord | null>(
      (newest, record) => (newest === null || record.lastSeen >= newest.lastSeen ? record : newest),
      null
    )

/** The session as recorded by the tag that saw it last; the given one if that is newer, or if no tag has it. */
export const current = (books: ReadonlyArray<{ readonly book: RecordBook }>, session: SessionRecord): SessionRecord => {
  const recorded = newest(books, session)
  return recorded !== null && recorded.lastSeen >= session.lastSeen ? recorded : session
}

/** The transcript of the CLI's last seen session that has one; of several seen at once, of the later in the book. */
export const latestTranscript = (book: RecordBook, cli: string): string | null =>
  book.reduce<SessionRecord | null>(
    (latest, { record }) =>
      record.cli === cli && record.transcriptPath !== null && (latest === null || record.lastSeen >= latest.lastSeen)
        ? record
        : latest,
    null
  )?.transcriptPath ?? null

/** Records younger than this (milliseconds) stay: their sessions may not have written anything yet. */
export const grace = 24 * 60 * 60 * 1000

/** Removes the sessions of which nothing is left. `isGone` is false in case of doubt. */
export const prune = (book: RecordBook, now: number, isGone: (record: SessionRecord) => boolean): RecordBook =>
  book.filter(({ record }) => now - record.lastSeen < grace || !isGone(record))

export interface SessionRow {
  readonly tag: string
  readonly record: SessionRecord
}

/** One row for each session, under the tag that saw it last, the newest first. */
export const rows = (
  books: ReadonlyArray<{ readonly tag: string; readonly book: RecordBook }>
): ReadonlyArray<SessionRow> => {
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

/** How a tag's CLI was last started, even if no conversation was reported. */
export const LatestStart = Schema.Struct({ cli: Schema.String, words: StartWords })
export type LatestStart = typeof LatestStart.Type
const decodeLatest = Schema.decodeUnknownOption(LatestStart)

export const latestStart = ({ others }: Pick<ReadBook, "others">): LatestStart | null =>
  Option.getOrNull(decodeLatest(others["latest"]))

export interface ReadBook {
  readonly book: RecordBook
  /** A part of it could not be read, and would be lost by rewriting the file. */
  readonly damaged: boolean
  /** Members beside the sessions: the tag's latest start, and what a newer leap has written. */
  readonly others: Readonly<Record<string, unknown>>
}

const schemaVersion = 1

const valueOf = (node: LenientNode): unknown => {
  if (!node.whole) return undefined
  switch (node.kind) {
    case "leaf":
      return node.value
    case "array":
      return node.items.map(valueOf)
    case "object":
      return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]))
  }
}

const othersOf = (node: LenientNode, known: ReadonlySet<string>): Readonly<Record<string, unknown>> =>
  node.kind !== "object"
    ? {}
    : Object.fromEntries(
        node.members.flatMap(({ key, value }) => {
          const read = known.has(key) ? undefined : valueOf(value)
          return read === undefined ? [] : [[key, read]]
        })
      )

const leafOf = (node: LenientNode, key: string): string | number | boolean | null => {
  const found = member(node, key)
  return found?.kind === "leaf" && found.whole ? found.value : null
}

const known: ReadonlySet<string> = new Set(Object.keys(SessionRecord.fields))
const decode = Schema.decodeUnknownOption(SessionRecord)
const decodeWords = Schema.decodeUnknownOption(StartWords)
const isPath = Schema.is(SessionRecord.fields.transcriptPath)

/** One session. Its CLI, id and directory are required; the rest may be missing. */
const entryOf = (node: LenientNode): RecordEntry | null => {
  const text = (key: string): string | null => {
    const value = leafOf(node, key)
    return typeof value === "string" && value !== "" ? value : null
  }
  const path = text("transcriptPath")
  const time = (key: string): number => {
    const value = leafOf(node, key)
    return typeof value === "number" && Number.isFinite(value) ? value : 0
  }
  const words = member(node, "words")
  const readWords = words === null ? Option.none() : decodeWords(valueOf(words))
  const read = decode({
    cli: text("cli"),
    base: text("base") ?? text("cli"),
    sessionId: text("sessionId"),
    transcriptPath: path !== null && isPath(path) ? path : null,
    cwd: text("cwd"),
    firstSeen: time("firstSeen"),
    lastSeen: time("lastSeen"),
    version: text("version") ?? "",
    ...(Option.isSome(readWords) ? { words: readWords.value } : {})
  })
  return Option.isNone(read) ? null : { record: read.value, others: othersOf(node, known) }
}

const isWhole = (node: LenientNode): boolean => node.whole && Option.isSome(decode(valueOf(node)))

/** The readable sessions in a tag's file, however damaged the rest is. */
export const readBook = (content: Uint8Array | null): ReadBook => {
  const { exact, text } = decodeText(content ?? new Uint8Array())
  const { problems, root } = parse(text, exact)
  if (root === null) return { book: [], damaged: !exact || text.trim() !== "", others: {} }
  const sessions = member(root, "sessions")
  const items = sessions?.kind === "array" ? sessions.items : []
  const book = items.reduce<RecordBook>((book, item) => {
    const entry = entryOf(item)
    return entry === null ? book : [...book.filter(({ record }) => !isSame(record, entry.record)), entry]
  }, [])
  return {
    book,
    damaged: problems.length > 0 || !exact || sessions?.kind !== "array" || !items.every(isWhole),
    others: othersOf(root, new Set(["sessions"]))
  }
}

export const writeBook = (book: RecordBook, others: ReadBook["others"] = {}): Uint8Array => {
  const sessions = book.map(({ others, record }) => ({ ...record, ...others }))
  return new TextEncoder().encode(`${JSON.stringify({ schema: schemaVersion, ...others, sessions }, null, 1)}\n`)
}
