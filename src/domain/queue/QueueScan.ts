import { formed, type JsonForm } from "../reading/JsonForm.ts"
import type { QueueRecord } from "./QueueRecord.ts"
import { checked } from "./QueueSum.ts"

/** What the bytes of a queue's log hold. Offsets and lengths are bytes. */
export interface QueueLines {
  readonly records: ReadonlyArray<QueueRecord>
  /** Whole lines that are no records, or not as they were written; as they stand. */
  readonly damaged: ReadonlyArray<Uint8Array>
  /** Where the last whole line ends; what is behind it was cut off while it was written. */
  readonly end: number
  /** The last record is whole but for its line end: somebody edited the file, or the cut was there. */
  readonly unended: boolean
  /** A record of a later version of the format was met: this leap must not touch the log. */
  readonly newer: boolean
}

/** What a line's text is: a record, none, or what only a later version of the format explains. */
export type LineText = QueueRecord | "none" | "newer"

const newline = 10

/** A checksum anywhere: the line was written to its end, whatever became of it since. */
const anySum = /"sum":"[0-9a-f]{8}"/

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
    const isLost = sum === "none" && demanded && typeof found !== "string"
    demanded ||= sum === "right"
    return isLost ? "none" : found
  }
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, end)) {
    const line = bytes.subarray(end, at)
    end = at + 1
    if (line.length === 0) continue
    const found = read(line)
    if (typeof found === "string") damaged.push(line)
    else records.push(found)
    newer ||= found === "newer"
  }
  const tail = bytes.subarray(end)
  const last = tail.length === 0 ? "none" : read(tail)
  const unended = typeof last !== "string"
  if (unended) records.push(last)
  // a line that was cut off was acknowledged to nobody; one that lost its line end later was
  else if (tail.length > 0 && anySum.test(new TextDecoder().decode(tail))) damaged.push(tail)
  return { records, damaged, end, unended, newer }
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
