import { Result, Schema } from "effect"
import { crc32 } from "../../words/text/crc32.ts"
import { QueueRecord } from "./QueueRecord.ts"
import { type LineText, type QueueLines, scan } from "./QueueScan.ts"
import { sumLength } from "./QueueSum.ts"
import { startOf } from "./QueueTorn.ts"

const decodeRecord = Schema.decodeUnknownResult(Schema.fromJsonString(QueueRecord))
const decodeVersion = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Struct({ v: Schema.Int })))

const recordOf = (text: string): LineText => {
  const record = decodeRecord(text)
  if (Result.isSuccess(record)) return record.success
  const version = decodeVersion(text)
  return Result.isSuccess(version) && version.success.v > 1 ? "newer" : "none"
}

/** Reads a log. Total: what cannot be read, or is not what was written, is returned as damaged. */
export const parse = (bytes: Uint8Array): QueueLines => scan(bytes, recordOf)

const encoder = new TextEncoder()

/** The lines of a log, each with its length as its first field and a checksum as its last one. */
export const format = (records: ReadonlyArray<QueueRecord>): Uint8Array =>
  encoder.encode(
    records
      .map((record) => {
        const fields = JSON.stringify(record).slice(1, -1)
        const open = `${startOf(encoder.encode(fields).length + sumLength)}${fields}`
        return `${open},"sum":"${crc32(encoder.encode(open))}"}\n`
      })
      .join("")
  )
