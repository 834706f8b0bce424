import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { QueueRecord } from "../../../../src/domain/engine/queue/Queue.ts"
import * as QueueLines from "../../../../src/domain/engine/queue/QueueLines.ts"
import { type QueueLines as Lines, scanPlain } from "../../../../src/domain/engine/queue/QueueScan.ts"
import type { JsonForm } from "../../../../src/domain/words/formats/JsonForm.ts"
import queueForm from "#generated/queueForm.mts"
import { accepted } from "../../../support/data/queueFixtures.ts"

const bytesOf = (text: string) => new TextEncoder().encode(text)
const joined = (...parts: ReadonlyArray<Uint8Array>) => new Uint8Array(parts.flatMap((part) => [...part]))
const shown = (records: ReadonlyArray<QueueRecord>) => records.map((record) => JSON.stringify(record))
/** Records as reading gives them: their fields in the order of the schema. */
const asRead = (records: ReadonlyArray<QueueRecord>) => QueueLines.parse(QueueLines.format(records)).records

/** What a log says, which is the same for both ways of reading it. */
const read = (log: Uint8Array): Lines => {
  const lines = QueueLines.parse(log)
  assert.deepStrictEqual(scanPlain(log, queueForm as JsonForm), lines)
  return lines
}

const first = QueueLines.format([accepted("a")])
const second = QueueLines.format([accepted("b", 'né 漢字 👩‍👧 "quoted" \\ and\na new line {"bytes":1,')])
const third = QueueLines.format([accepted("c")])
const whole = joined(first, second, third)
/** As a version before checksums and lengths wrote it. */
const bare = (id: string) => JSON.stringify(accepted(id))
const zeros = (length: number) => new Uint8Array(length)

/** What is left of a log: the ids of its messages, and what is kept aside. */
const left = (log: Uint8Array) => {
  const { damaged, records } = read(log)
  return [
    records.map((record) => (record._tag === "Accepted" ? record.message.id : record._tag)).join(" "),
    damaged.map((bytes) => new TextDecoder("latin1").decode(bytes))
  ]
}
const latin = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes)

describe("the end of a queue's log", () => {
  it("is torn wherever a write of one record or of many was cut off, and nothing written before is lost", () => {
    for (let cut = 0; cut <= whole.length; cut++) {
      const { damaged, records, unended } = read(whole.subarray(0, cut))
      // a line lacks nothing but its end
      const ends = [first.length, first.length + second.length, whole.length]
      const there = ends.filter((end) => cut >= end - 1).length
      assert.deepStrictEqual([records.length, damaged.length], [there, 0], `cut at ${cut}`)
      assert.strictEqual(unended, ends.includes(cut + 1), `cut at ${cut}`)
    }
  })

  it("is torn wherever an older version's write was", () => {
    const line = bytesOf(bare("b"))
    for (let cut = 1; cut < line.length; cut++)
      assert.deepStrictEqual(left(joined(bytesOf(`${bare("a")}\n`), line.subarray(0, cut))), ["a", []], `cut at ${cut}`)
    assert.deepStrictEqual(left(line), ["b", []])
  })

  const cut = second.subarray(0, -20)
  const cases: ReadonlyArray<readonly [what: string, log: Uint8Array, ids: string, damaged: ReadonlyArray<string>]> = [
    ["nothing", zeros(0), "", []],
    ["only zeros", zeros(4096), "", ["\0".repeat(4096)]],
    ["zeros behind the last line", joined(first, zeros(9)), "a", ["\0".repeat(9)]],
    ["zeros and a line end", joined(first, zeros(9), bytesOf("\n")), "a", ["\0".repeat(9)]],
    [
      "zeros up to the end of a block",
      joined(first, zeros(4096 - first.length)),
      "a",
      ["\0".repeat(4096 - first.length)]
    ],
    [
      "zeros where a line was, whole lines behind them",
      joined(first, zeros(second.length), third),
      "a c",
      ["\0".repeat(second.length)]
    ],
    ["zeros behind a line that was cut off", joined(first, cut, zeros(20)), "a", [latin(cut) + "\0".repeat(20)]],
    [
      "a line that was cut off, made longer than it was",
      joined(first, cut, bytesOf("x".repeat(20))),
      "a",
      [`${latin(cut)}${"x".repeat(20)}`]
    ],
    ["a line that lost its end before another", joined(first.subarray(0, -1), second), "a b", []],
    [
      "a line that lost its end before other bytes",
      joined(first.subarray(0, -1), bytesOf("rubbish")),
      "a",
      ["rubbish"]
    ],
    ["other bytes before a line without an end", joined(bytesOf("rubbish"), first.subarray(0, -1)), "a", ["rubbish"]],
    ["a whole line without its checksum", joined(first, bytesOf(bare("b"))), "a", [bare("b")]],
    [
      "a checksum that is wrong",
      joined(first.subarray(0, -3), bytesOf('x"}')),
      "",
      [`${latin(first.slice(0, -3))}x"}`]
    ],
    [
      "a checksum that is none",
      bytesOf('{"_tag":"Removed","v":1,"sum":"xx'),
      "",
      ['{"_tag":"Removed","v":1,"sum":"xx']
    ],
    ["another object", joined(first, bytesOf('{"text":"')), "a", ['{"text":"']],
    ["a line with tabs", bytesOf('{"_tag":"Removed",\t"v":1'), "", ['{"_tag":"Removed",\t"v":1']],
    ["a line with blanks", bytesOf('{"_tag": "Removed"'), "", ['{"_tag": "Removed"']],
    ["bytes that are no text", joined(first, new Uint8Array([0x7b, 0xff])), "a", ["{ÿ"]],
    ["line ends of another system", bytesOf(latin(joined(first, third)).replaceAll("\n", "\r\n")), "a c", []],
    [
      "the same, the last one cut",
      bytesOf(latin(joined(first, third)).replaceAll("\n", "\r\n").slice(0, -1)),
      "a c",
      []
    ],
    ["an editor's mark of its encoding", joined(bytesOf("\ufeff"), first, third), "a c", ["ï»¿"]]
  ]
  it.each(cases)("%s", (_, log, ids, damaged) => {
    assert.deepStrictEqual(left(log), [ids, damaged])
  })

  it("of a later version is told as that, also without its line end", () => {
    assert.isTrue(QueueLines.parse(joined(first, bytesOf('{"_tag":"Later","v":2}'))).newer)
    assert.isFalse(QueueLines.parse(joined(first, bytesOf('{"_tag":"Later","v":2'))).newer)
  })

  const writes = Schema.Array(Schema.Array(QueueRecord))
  it.prop(
    "loses nothing that was written before a write that was cut off",
    [writes, Schema.Array(QueueRecord), Schema.Natural],
    ([writes, last, cut]) => {
      const before = asRead(writes.flat())
      const under = QueueLines.format(last)
      const { damaged, records } = read(joined(QueueLines.format(before), under.subarray(0, cut % (under.length + 1))))
      assert.deepStrictEqual(shown(records.slice(0, before.length)), shown(before))
      assert.deepStrictEqual(shown(records), shown([...before, ...asRead(last)].slice(0, records.length)))
      assert.deepStrictEqual(damaged, [])
    },
    { arbitrary: { runs: 300 } }
  )

  const filler = Schema.Literals(["\0", "x", '"', "0", " ", ",", "}", "\\", '{"bytes":', "\u00e9", "a\n", '"sum":"'])
  it.prop(
    "is whole, or told and kept, whatever stands where its bytes were",
    [
      Arbitrary.array(Arbitrary.schema(QueueRecord), { minLength: 1, maxLength: 4 }),
      filler,
      Schema.Natural,
      Schema.Natural
    ],
    ([written, filler, place, more]) => {
      const log = QueueLines.format(written)
      const from = place % log.length
      const size = log.length + (more % 3 === 0 ? 0 : more % 5000)
      const put = bytesOf(filler.repeat(size)).subarray(0, size - from)
      const { damaged, records } = read(joined(log.subarray(0, from), put))
      const known = shown(asRead(written))
      for (const record of shown(records)) assert.include(known, record)
      if (records.length < written.length) assert.isAbove(damaged.length, 0)
      // each byte that is no line end is in a record or kept
      const kept = damaged.reduce((sum, bytes) => sum + bytes.filter((byte) => byte !== 10).length, 0)
      const certain = QueueLines.format(records).filter((byte) => byte !== 10).length
      assert.strictEqual(kept + certain, joined(log.subarray(0, from), put).filter((byte) => byte !== 10).length)
    },
    { arbitrary: { runs: 500 } }
  )
})
