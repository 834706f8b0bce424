import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { leftQueue } from "../../../../src/domain/engine/queue/Leftovers.ts"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import * as QueueLines from "../../../../src/domain/engine/queue/QueueLines.ts"
import { scanPlain } from "../../../../src/domain/engine/queue/QueueScan.ts"
import type { JsonForm } from "../../../../src/domain/words/formats/JsonForm.ts"
import queueForm from "#generated/queueForm.mts"
import { accepted } from "../../../support/data/queueFixtures.ts"

const form = queueForm as JsonForm
const encode = (text: string) => new TextEncoder().encode(text)
const joined = (...parts: ReadonlyArray<Uint8Array>) => new Uint8Array(parts.flatMap((part) => [...part]))

/** What is read of a log, in the order in which it would be printed. */
const told = (lines: ReturnType<typeof scanPlain>, at: number) =>
  lines === null ? null : JSON.stringify({ ...lines, queue: leftQueue(lines.records, at) })

/** The quick way reads it, as it is read whole. */
const same = (log: Uint8Array, at = 0) => {
  const plain = told(scanPlain(log, form), at)
  assert.isNotNull(plain)
  assert.strictEqual(plain, told(QueueLines.parse(log), at))
}

const records = Schema.Array(Queue.QueueRecord)
const logOf = (records: ReadonlyArray<Queue.QueueRecord>, sums: boolean): Uint8Array =>
  sums ? QueueLines.format(records) : encode(records.map((record) => `${JSON.stringify(record)}\n`).join(""))

/** With all objects' fields the other way round, and one more in each: as a later version could write them. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned)
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).map(([name, its]) => [name, turned(its)] as const)
  return Object.fromEntries([["later", { a: [1] }], ...fields.toReversed()])
}

/** Steps of a queue's life: messages with few ids, so that records are about messages that are there. */
const step = Schema.Tuple([Schema.Literals(["a", "b", "c", "d"]), Schema.Int, Queue.QueueRecord])
const lifeOf = (steps: ReadonlyArray<typeof step.Type>): ReadonlyArray<Queue.QueueRecord> =>
  steps.flatMap(([id, n, record]): ReadonlyArray<Queue.QueueRecord> => {
    switch (record._tag) {
      case "Accepted":
        return [{ ...record, message: { ...record.message, id } }]
      case "Cleared":
        return [{ ...record, ids: [id] }]
      case "Kept":
        return [accepted(id), { ...record, entry: { ...record.entry, message: { ...record.entry.message, id } } }]
      case "Restated":
        return n % 7 === 0 ? [record] : [accepted(id)]
      default:
        return [accepted(id), { ...record, id }]
    }
  })

describe("a queue's log, read by the form of its records", () => {
  it.prop(
    "tells what reading it whole tells, also where it was cut off",
    [records, Schema.Boolean, Schema.Int],
    ([records, sums, cut]) => {
      const log = logOf(records, sums)
      same(log)
      same(log.subarray(0, Math.abs(cut) % (log.length + 1)))
    }
  )

  it.prop(
    "leaves what waits after a host's death as reading it whole does",
    [Schema.Array(step), Schema.Int],
    ([steps, at]) => {
      const life = lifeOf(steps)
      same(QueueLines.format(life), at)
      same(QueueLines.format(Queue.compact(Queue.replayLog(life))), at)
      same(QueueLines.format([Queue.restate(Queue.replayLog(life)), ...life]), at)
    }
  )

  it.prop("knows a line that is not as it was written", [records, Schema.Int, Schema.Int], ([records, place, bit]) => {
    const log = QueueLines.format([accepted("a"), ...records])
    log[Math.abs(place) % log.length]! ^= 1 << Math.abs(bit % 8)
    same(log)
  })

  it.prop(
    "knows lines that are none, bytes that are no text, and lines of a version without checksums",
    [
      records,
      Schema.Literals(["", "\n\n", "{\n", "no line\n", '{"_tag":"Acc', '{"_tag":"Accepted","v":1,"sum":"00000000"}\n']),
      Schema.Boolean
    ],
    ([records, between, sums]) => {
      const log = logOf(records, sums)
      same(joined(log, encode(between), log))
      same(joined(log, new Uint8Array([0xff, 0xfe, 10]), logOf([accepted("a")], !sums), log))
    }
  )

  it.prop("reads fields in any order, and leaves out others", [Queue.QueueRecord], ([record]) =>
    same(encode(`${JSON.stringify(turned(record))}\n`))
  )

  it("says of a line of another version that it is not known", () => {
    for (const line of [
      '{"_tag":"Later","v":2}',
      '{"_tag":"Accepted","v":1}',
      '{"_tag":"Edited","v":1,"id":1,"text":""}'
    ])
      assert.isNull(scanPlain(encode(`${line}\n`), form), line)
  })
})
