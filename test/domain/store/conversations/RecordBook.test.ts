import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as RecordBook from "../../../../src/domain/store/conversations/RecordBook.ts"
import { isSame } from "../../../../src/domain/store/conversations/SessionRecord.ts"
import { recordOf } from "../../../support/data/sessionRecords.ts"
import { absolute } from "../../../../src/domain/words/text/paths.ts"

const Seen = Schema.Array(
  Schema.Struct({ id: Schema.Literals(["a", "b", "c", "d"]), cli: Schema.Literals(["claude", "codex"]) })
)
const bookOf = (...records: ReadonlyArray<ReturnType<typeof recordOf>>): RecordBook.RecordBook =>
  records.map((record) => ({ record, others: {} }))

describe("a tag's sessions", () => {
  it.prop(
    "are each there once, the one seen last at the end, with what was known of it before",
    { seen: Seen },
    ({ seen }) => {
      const records = seen.map(({ cli, id }, at) =>
        recordOf({
          cli,
          sessionId: id,
          transcriptPath: at % 2 === 0 ? `/t/${cli}/${id}` : null,
          firstSeen: at + 1,
          lastSeen: at + 1
        })
      )
      const book = records.reduce((book, record) => RecordBook.record(book, record), [] as RecordBook.RecordBook)
      assert.strictEqual(new Set(book.map(({ record }) => `${record.cli}/${record.sessionId}`)).size, book.length)
      assert.deepStrictEqual(
        book.map(({ record }) => record.lastSeen),
        book.map(({ record }) => record.lastSeen).sort((a, b) => a - b)
      )
      for (const { record } of book) {
        const own = records.filter((other) => isSame(other, record))
        assert.strictEqual(record.firstSeen, own[0]?.firstSeen)
        assert.strictEqual(record.lastSeen, own.at(-1)?.lastSeen)
        assert.strictEqual(
          record.transcriptPath !== null,
          own.some(({ transcriptPath }) => transcriptPath !== null)
        )
      }
      for (const record of records) assert.isTrue(book.some((entry) => isSame(entry.record, record)))
    }
  )

  it("a time that was not known gives way to one that is", () => {
    assert.strictEqual(
      RecordBook.record(bookOf(recordOf({ firstSeen: 0 })), recordOf({ firstSeen: 7 }))[0]?.record.firstSeen,
      7
    )
  })

  it("a CLI that goes on in the session's own directory does not change it by being started elsewhere", () => {
    const book = bookOf(recordOf({ cwd: "/own" }))
    assert.strictEqual(RecordBook.record(book, recordOf({ cwd: "/here" }), true)[0]?.record.cwd, "/own")
    assert.strictEqual(RecordBook.record(book, recordOf({ cwd: "/here" }), false)[0]?.record.cwd, "/here")
    assert.strictEqual(RecordBook.record([], recordOf({ cwd: "/here" }), true)[0]?.record.cwd, "/here")
  })

  it("a moved session's variants move with it when their base is named", () => {
    const book = bookOf(recordOf({ cli: "mine", base: "claude" }), recordOf({}), recordOf({ cli: "codex" }))
    const cwds = (cli: string) =>
      RecordBook.relocate(book, { cli, sessionId: "s1", cwd: "/new", transcriptPath: null }).map(
        ({ record }) => record.cwd
      )
    assert.deepStrictEqual(cwds("claude"), ["/new", "/new", "/srv"])
    assert.deepStrictEqual(cwds("mine"), ["/new", "/srv", "/srv"])
  })

  it.prop(
    "a move that is taken back leaves every record as it was, however far it had come",
    { seen: Seen, transcript: Schema.Boolean, twice: Schema.Boolean },
    ({ seen, transcript, twice }) => {
      const book = seen.reduce(
        (book, { cli, id }, at) =>
          RecordBook.record(
            book,
            recordOf({
              cli,
              sessionId: id,
              cwd: `/old/${at}`,
              transcriptPath: at % 2 === 0 ? `/t/${at}` : null,
              lastSeen: at
            })
          ),
        [] as RecordBook.RecordBook
      )
      for (const { cli, id } of seen) {
        const moved = { cli, sessionId: id, cwd: "/new", transcriptPath: transcript ? "/t/new" : null }
        const said = RecordBook.recordedLocations([{ tag: "t", book }], moved)
        const otherwise = { cwd: "/otherwise", transcriptPath: null }
        const there = RecordBook.relocate(book, moved)
        const back = RecordBook.restore(there, moved, said, otherwise)
        assert.deepStrictEqual(twice ? RecordBook.restore(back, moved, said, otherwise) : back, book)
        assert.deepStrictEqual(RecordBook.restore(book, moved, said, otherwise), book, "nothing was changed")
        // one that came meanwhile, and one that says something else by now
        const [own] = RecordBook.recordedLocations(
          [{ tag: "t", book: RecordBook.restore(there, moved, [], otherwise) }],
          moved
        )
        assert.strictEqual(own?.cwd, "/otherwise")
        const later = RecordBook.relocate(there, { ...moved, cwd: "/later" })
        assert.deepStrictEqual(RecordBook.restore(later, moved, said, otherwise), later)
      }
    }
  )

  it("only what is gone and old enough to have been written is forgotten", () => {
    const now = 10 * RecordBook.grace
    const book = bookOf(
      recordOf({ sessionId: "gone" }),
      recordOf({ sessionId: "there" }),
      recordOf({ sessionId: "gone-new", lastSeen: now - RecordBook.grace + 1 })
    )
    const left = RecordBook.prune(book, now, ({ sessionId }) => sessionId.startsWith("gone"))
    assert.deepStrictEqual(
      left.map(({ record }) => record.sessionId),
      ["there", "gone-new"]
    )
  })

  it.each([
    ["/a/b", "/x/y.jsonl", "/x/y.jsonl"],
    ["/a/b", "t/s.jsonl", "/a/b/t/s.jsonl"],
    ["/a/b", "./../s.jsonl", "/a/s.jsonl"],
    ["/a", "../../../s", "/s"],
    ["/", "s", "/s"],
    ["/a", "/x//./y/../z", "/x/z"]
  ])("a path is absolute: in %s, %s is %s", (cwd, path, whole) => assert.strictEqual(absolute(cwd, path), whole))
})
