import { formed, type JsonForm } from "../../words/formats/JsonForm.ts"
import { withFormerCauses } from "./formerCauses.ts"
import type { QueueRecord } from "./QueueRecord.ts"
import { checked } from "./QueueSum.ts"
import { isSized, isTorn, piecesOf } from "./QueueTorn.ts"

/** The content of a queue's log. Offsets and lengths are bytes. */
export interface QueueLines {
  readonly records: ReadonlyArray<QueueRecord>
  /** Bytes that are no record, or differ from what was written: whole lines, or the uncertain part of a line. */
  readonly damaged: ReadonlyArray<Uint8Array>
  /** Where the last whole line ends. Later bytes are a write that was cut off, the unended record, or damaged. */
  readonly end: number
  /** The last record lacks only its line end: somebody edited the file, or the write was cut there. */
  readonly unended: boolean
  /** The log holds a record of a later format: this leap must not touch it. */
  readonly newer: boolean
}

export type LineText = QueueRecord | "none" | "newer"

const newline = 10
const carriageReturn = 13

const decodeText = (line: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(line)
  } catch {
    return null
  }
}

/** `recordOf`: a line's record. Total: an unreadable or changed line is in `damaged`. */
export const scan = (bytes: Uint8Array, recordOf: (text: string) => LineText): QueueLines => {
  const records: Array<QueueRecord> = []
  const damaged: Array<Uint8Array> = []
  let newer = false
  // After a line with a checksum each line has one: a leap that writes none rewrites the whole log first.
  let demanded = false
  let end = 0
  const read = (line: Uint8Array): LineText => {
    const sum = checked(line)
    // Invalid UTF-8 inside a text must not become part of a message unnoticed.
    const text = sum === "wrong" ? null : decodeText(line)
    const found = text === null ? "none" : recordOf(text)
    const isLost = sum === "none" && (demanded || isSized(line)) && typeof found !== "string"
    demanded ||= sum === "right"
    return isLost ? "none" : found
  }
  const keep = (bytes: Uint8Array, found: LineText) => {
    if (typeof found === "string") damaged.push(bytes)
    else records.push(withFormerCauses(found))
    newer ||= found === "newer"
  }
  /** Reads a line's content. A damaged line may still contain complete records with correct checksums. */
  const take = (line: Uint8Array) => {
    const found = read(line)
    if (found !== "none") return keep(line, found)
    for (const { bytes, isWhole } of piecesOf(line)) keep(bytes, isWhole ? read(bytes) : "none")
  }
  // Editors of other systems end lines with a carriage return; leap writes none.
  const bare = (line: Uint8Array) => (line.at(-1) === carriageReturn ? line.subarray(0, -1) : line)

  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, end)) {
    const line = bare(bytes.subarray(end, at))
    end = at + 1
    if (line.length > 0) take(line)
  }
  const tail = bytes.subarray(end)
  const before = records.length
  // Nobody received an answer for a write that was cut off. Any other tail lacks only its line end, or is damaged.
  if (tail.length > 0 && !isTorn(tail)) take(bare(tail))
  return { records, damaged, end, unended: records.length > before, newer }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Reads a log by its records' form alone; null if a line parses but has another form, perhaps a later version's. */
export const scanPlain = (bytes: Uint8Array, form: JsonForm): QueueLines | null => {
  let isPlain = true
  const lines = scan(bytes, (text) => {
    const found = parsed(text)
    const record = formed(form, found)
    isPlain &&= record !== undefined || found === undefined
    return record === undefined ? "none" : (record as QueueRecord)
  })
  return isPlain ? lines : null
}
