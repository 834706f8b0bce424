import { Result, Schema } from "effect"
import { jsonOf } from "../../words/formats/Json.ts"
import { MessageCause } from "../../words/session/MessageCause.ts"
import { crc32 } from "../../words/text/crc32.ts"
import { QueueRecord } from "./QueueRecord.ts"
import { type LineText, type QueueLines, scan } from "./QueueScan.ts"
import { sumLength } from "./QueueSum.ts"
import { startOf } from "./QueueTorn.ts"

const decodeRecord = Schema.decodeUnknownResult(QueueRecord)
const isCause = Schema.is(MessageCause)
const decodeVersion = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Struct({ v: Schema.Int })))

/** Removes causes that this leap does not know, as a later one may write; their texts stay. */
const knownIn = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(knownIn)
    : typeof value === "object" && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([name, own]) => name !== "cause" || isCause(own))
            .map(([name, own]) => [name, knownIn(own)])
        )
      : value

const recordOf = (text: string): LineText => {
  const said = jsonOf(text)
  const record = Result.orElse(decodeRecord(said), () => decodeRecord(knownIn(said)))
  if (Result.isSuccess(record)) return record.success
  const version = decodeVersion(text)
  return Result.isSuccess(version) && version.success.v > 1 ? "newer" : "none"
}

/** Reads a log. Total: what cannot be read, or differs from what was written, is returned as damaged. */
export const parse = (bytes: Uint8Array): QueueLines => scan(bytes, recordOf)

const encoder = new TextEncoder()

/** A log's lines, each with its length as the first field and a checksum as the last. */
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
