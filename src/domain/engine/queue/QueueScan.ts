import { formed, type JsonForm } from "../../words/reading/JsonForm.ts"
import { withFormerCauses } from "./formerCauses.ts"
import type { QueueRecord } from "./QueueRecord.ts"
import { checked } from "./QueueSum.ts"
import { isSized, isTorn, piecesOf } from "./QueueTorn.ts"

/** What the bytes of a queue's log hold. Offsets and lengths are bytes. */
export interface QueueLines {
  readonly records: ReadonlyArray<QueueRecord>
  /** What is no record, or not as it was written, as it stands: lines, or what of a line is not certain. */
  readonly damaged: ReadonlyArray<Uint8Array>
  /** Where the last whole line ends; what is behind it was cut off while it was written, or is told as damaged. */
  readonly end: number
  /** The last record is whole but for its line end: somebody edited the file, or the cut was there. */
  readonly unended: boolean
  /** A record of a later version of the format was met: this leap must not touch the log. */
  readonly newer: boolean
}

/** What a line's text is: a record, none, or what only a later version of the format explains. */
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

/**
 * Reads a log, with what tells which record a line's text is. Total: what cannot be read, or is not what was written,
 * is returned as damaged.
 */
export const scan = (bytes: Uint8Array, recordOf: (text: string) => LineText): QueueLines => {
  const records: Array<QueueRecord> = []
  const damaged: Array<Uint8Array> = []
  let newer = false
  // A leap that writes none rewrites the whole log first: behind a line with a checksum each line has one.
  let demanded = false
  let end = 0
  const read = (line: Uint8Array): LineText => {
    const sum = checked(line)
    // Bytes that are no UTF-8 inside a text must not become part of a message unnoticed.
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
  /** Takes over what a line holds. A line that is none as a whole may hold records that are, by their own checksums. */
  const take = (line: Uint8Array) => {
    const found = read(line)
    if (found !== "none") return keep(line, found)
    for (const { bytes, isWhole } of piecesOf(line)) keep(bytes, isWhole ? read(bytes) : "none")
  }
  // An editor of another system ends lines so; leap writes no such byte.
  const bare = (line: Uint8Array) => (line.at(-1) === carriageReturn ? line.subarray(0, -1) : line)

  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, end)) {
    const line = bare(bytes.subarray(end, at))
    end = at + 1
    if (line.length > 0) take(line)
  }
  const tail = bytes.subarray(end)
  const before = records.length
  // What was cut off while it was written was acknowledged to nobody. Anything else was whole, and is no more.
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

/**
 * Reads a log by the form of its records alone, where that says it all. Null where a line was written whole but has not
 * this form: a later version's, perhaps.
 */
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
