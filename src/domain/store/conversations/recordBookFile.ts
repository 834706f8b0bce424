import { Option, Schema } from "effect"
import { StartWords } from "../../words/session/StartWords.ts"
import { decodeText, type LenientNode, member, parse } from "../../words/formats/LenientJson.ts"
import type { RecordEntry, RecordBook } from "./RecordBook.ts"
import { isSame, SessionRecord } from "./SessionRecord.ts"

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
