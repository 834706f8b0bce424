import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as RecordBook from "../../../../src/domain/store/conversations/RecordBook.ts"
import { readBook, writeBook } from "../../../../src/domain/store/conversations/RecordBook.ts"
import { isSame, SessionRecord } from "../../../../src/domain/store/conversations/SessionRecord.ts"
import { recordOf } from "../../../support/data/sessionRecords.ts"
import { each } from "../../../support/data/fields.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const ids = (content: Uint8Array) => readBook(content).book.map(({ record }) => record.sessionId)
const three = ["a", "b", "c"].map((sessionId) => ({
  record: recordOf({ sessionId, transcriptPath: `/t/${sessionId}.jsonl` }),
  others: {}
}))
const Safe = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9_-]{0,20}$/))
const Time = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1e15 }))
const AnyRecord = Schema.Struct({
  ...SessionRecord.fields,
  cli: Safe,
  base: Safe,
  sessionId: Safe,
  cwd: Schema.String,
  transcriptPath: Schema.NullOr(Schema.String),
  firstSeen: Time,
  lastSeen: Time
})
const path = (text: string): string => `/${text.replaceAll("\0", "")}`

describe("a tag's file of sessions", () => {
  it.prop("says what was written", { given: Schema.Array(AnyRecord) }, ({ given }) => {
    const records = given.map((record) => ({
      ...record,
      cwd: path(record.cwd),
      transcriptPath: record.transcriptPath === null ? null : path(record.transcriptPath)
    }))
    const unique = records.filter((record, at) => records.findIndex((other) => isSame(other, record)) === at)
    const book = unique.map((record) => ({ record, others: {} }))
    const content = writeBook(book)
    assert.deepStrictEqual(readBook(content), { book, damaged: false, others: { schema: 1 } })
    assert.deepStrictEqual(writeBook(readBook(content).book, readBook(content).others), content)
  })

  it("nothing in it is no damage, anything else that is no list of sessions is", () => {
    for (const content of [null, bytes(""), bytes(" \n")])
      assert.deepStrictEqual(readBook(content), { book: [], damaged: false, others: {} })
    for (const text of [
      "null",
      "[]",
      "{}",
      "5",
      '"x"',
      '{"sessions": {}}',
      '{"sessions": [5]}',
      '{"sessions": [[]]}',
      '{"sessions": [{}]}',
      "{",
      "\u0000"
    ]) {
      assert.deepInclude(readBook(bytes(text)), { book: [], damaged: true }, text)
    }
    assert.isTrue(readBook(new Uint8Array([0xff, 0xfe])).damaged)
  })

  it("cut off at any byte keeps each session that stands whole before the cut, and says that it is damaged", () => {
    const whole = writeBook(three)
    const ends = three.map(
      (_, n) =>
        new TextDecoder()
          .decode(whole)
          .split("}", n + 1)
          .join("}").length + 1
    )
    for (let end = 1; end < whole.length - 1; end++) {
      const { book, damaged } = readBook(whole.subarray(0, end))
      const full = ends.filter((at) => at <= end).length
      assert.isTrue(damaged, `cut at ${end}`)
      assert.deepStrictEqual(book.slice(0, full), three.slice(0, full), `cut at ${end}`)
      assert.isAtMost(book.length, full + 1, `cut at ${end}`)
    }
    assert.deepStrictEqual(ends.length, 3)
  })

  it.each<readonly [field: string, value: unknown, read: Partial<SessionRecord> | null]>([
    ["cli", 5, null],
    ["cli", "../evil", null],
    ["cli", "", null],
    ["sessionId", null, null],
    ["sessionId", "a/b", null],
    ["sessionId", [], null],
    ["cwd", 5, null],
    ["cwd", "", null],
    ["cwd", "a/b", null],
    ["cwd", "/a\0b", null],
    ["base", {}, { base: "claude" }],
    ["transcriptPath", 7, { transcriptPath: null }],
    ["transcriptPath", "", { transcriptPath: null }],
    ["transcriptPath", "t.jsonl", { transcriptPath: null }],
    ["firstSeen", "x", { firstSeen: 0 }],
    ["lastSeen", "yesterday", { lastSeen: 0 }],
    ["lastSeen", null, { lastSeen: 0 }],
    ["version", 3, { version: "" }]
  ])("of a wrong type costs itself: %s %j", (field, value, read) => {
    const sound = recordOf({ sessionId: "sound" })
    const content = bytes(
      JSON.stringify({ schema: 1, sessions: [{ ...recordOf({ transcriptPath: "/t" }), [field]: value }, sound] })
    )
    assert.deepStrictEqual(each(readBook(content).book, "record"), [
      ...(read === null ? [] : [recordOf({ transcriptPath: "/t", ...read })]),
      sound
    ])
    assert.isTrue(readBook(content).damaged)
  })

  it("keeps what a newer leap has put in it", () => {
    const content = bytes(
      JSON.stringify({ schema: 2, turbo: { x: [1] }, sessions: [{ ...recordOf({}), mood: ["good"] }] })
    )
    const read = readBook(content)
    assert.isFalse(read.damaged)
    const after = JSON.parse(
      new TextDecoder().decode(writeBook(RecordBook.record(read.book, recordOf({ lastSeen: 9 })), read.others))
    ) as unknown
    assert.deepStrictEqual(after, {
      schema: 2,
      turbo: { x: [1] },
      sessions: [{ ...recordOf({ lastSeen: 9 }), mood: ["good"] }]
    })
  })

  it("a session that stands in it twice counts where it stands last", () => {
    const content = bytes(
      JSON.stringify({
        schema: 1,
        sessions: [recordOf({ cwd: "/old" }), recordOf({ sessionId: "s2" }), recordOf({ cwd: "/new" })]
      })
    )
    assert.deepStrictEqual(ids(content), ["s2", "s1"])
    assert.strictEqual(readBook(content).book[1]?.record.cwd, "/new")
  })

  it.prop(
    "of any bytes holds sessions, or none",
    { noise: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))) },
    ({ noise }) => {
      const whole = writeBook(three)
      for (const content of [
        new Uint8Array(noise),
        new Uint8Array([...whole.subarray(0, 80), ...noise, ...whole.subarray(80)])
      ]) {
        for (const { record } of readBook(content).book) assert.isTrue(Schema.is(SessionRecord)(record))
      }
    }
  )
})
