import { Result, Schema } from "effect"
import { QueueRecord } from "./Queue.ts"

/** What the bytes of a queue's log hold. Offsets and lengths are bytes. */
export interface QueueLines {
  readonly records: ReadonlyArray<QueueRecord>
  /** Whole lines that are no records, as they stand. */
  readonly damaged: ReadonlyArray<Uint8Array>
  /** Where the last whole line ends; what is behind it was cut off while it was written. */
  readonly end: number
  /** The last record is whole but for its line end: somebody edited the file, or the cut was there. */
  readonly unended: boolean
  /** A record of a later version of the format was met: this leap must not touch the log. */
  readonly newer: boolean
}

const decodeRecord = Schema.decodeUnknownResult(Schema.fromJsonString(QueueRecord))
const decodeVersion = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Struct({ v: Schema.Int })))
const newline = 10

/** Reads a log. Total: what cannot be read is returned as damaged. */
export const parse = (bytes: Uint8Array): QueueLines => {
  const records: Array<QueueRecord> = []
  const damaged: Array<Uint8Array> = []
  let newer = false
  let end = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, end)) {
    const line = bytes.subarray(end, at)
    end = at + 1
    if (line.length === 0) continue
    // Bytes that are no UTF-8 inside a text must not become part of a message unnoticed.
    const text = decodeText(line)
    const record = text === null ? null : decodeRecord(text)
    if (record !== null && Result.isSuccess(record)) {
      records.push(record.success)
      continue
    }
    damaged.push(line)
    const version = text === null ? null : decodeVersion(text)
    if (version !== null && Result.isSuccess(version) && version.success.v > 1) newer = true
  }
  const tail = end < bytes.length ? decodeText(bytes.subarray(end)) : null
  const last = tail === null ? null : decodeRecord(tail)
  const unended = last !== null && Result.isSuccess(last)
  return { records: unended ? [...records, last.success] : records, damaged, end, unended, newer }
}

const decodeText = (line: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(line)
  } catch {
    return null
  }
}

/** The lines of a log. */
export const format = (records: ReadonlyArray<QueueRecord>): Uint8Array =>
  new TextEncoder().encode(records.map((record) => `${JSON.stringify(record)}\n`).join(""))
