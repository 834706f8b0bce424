import { Result, Schema } from "effect"
import { crc32 } from "../text/crc32.ts"
import { QueueRecord } from "./Queue.ts"
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

const decodeRecord = Schema.decodeUnknownResult(Schema.fromJsonString(QueueRecord))
const decodeVersion = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Struct({ v: Schema.Int })))
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

type Line =
  | { readonly kind: "record"; readonly record: QueueRecord }
  | { readonly kind: "damaged" }
  /** What only a later version of the format explains. */
  | { readonly kind: "newer" }

/** One whole line. `demanded`: it must have a checksum. */
const parseLine = (line: Uint8Array, sum: ReturnType<typeof checked>, demanded: boolean): Line => {
  // Bytes that are no UTF-8 inside a text must not become part of a message unnoticed.
  const text = sum === "wrong" ? null : decodeText(line)
  if (text === null) return { kind: "damaged" }
  const record = decodeRecord(text)
  if (Result.isSuccess(record))
    return sum === "none" && demanded ? { kind: "damaged" } : { kind: "record", record: record.success }
  const version = decodeVersion(text)
  return { kind: Result.isSuccess(version) && version.success.v > 1 ? "newer" : "damaged" }
}

/** Reads a log. Total: what cannot be read, or is not what was written, is returned as damaged. */
export const parse = (bytes: Uint8Array): QueueLines => {
  const records: Array<QueueRecord> = []
  const damaged: Array<Uint8Array> = []
  let newer = false
  // A leap that writes none rewrites the whole log first: behind a line with a checksum each line has one.
  let demanded = false
  let end = 0
  const read = (line: Uint8Array): Line => {
    const sum = checked(line)
    const found = parseLine(line, sum, demanded)
    demanded ||= sum === "right"
    return found
  }
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, end)) {
    const line = bytes.subarray(end, at)
    end = at + 1
    if (line.length === 0) continue
    const found = read(line)
    if (found.kind === "record") records.push(found.record)
    else damaged.push(line)
    newer ||= found.kind === "newer"
  }
  const tail = bytes.subarray(end)
  const last = tail.length === 0 ? null : read(tail)
  const unended = last?.kind === "record"
  if (unended) records.push(last.record)
  // a line that was cut off was acknowledged to nobody; one that lost its line end later was
  else if (tail.length > 0 && anySum.test(new TextDecoder().decode(tail))) damaged.push(tail)
  return { records, damaged, end, unended, newer }
}

const encoder = new TextEncoder()

/** The lines of a log, each with a checksum as its last field. */
export const format = (records: ReadonlyArray<QueueRecord>): Uint8Array =>
  encoder.encode(
    records
      .map((record) => {
        const open = JSON.stringify(record).slice(0, -1)
        return `${open},"sum":"${crc32(encoder.encode(open))}"}\n`
      })
      .join("")
  )
