import { assert, describe, it } from "@effect/vitest"
import {
  flush,
  isText,
  type OutputSegment,
  resume,
  scan,
  start
} from "../../../../src/domain/terminal/sequences/OutputScanner.ts"
import type { TerminalQuery } from "../../../../src/domain/terminal/sequences/TerminalQuery.ts"
import { fromLatin1 } from "../../../../src/domain/words/text/Bytes.ts"
import { cut, Cuts, join, merge, Stream } from "../../../support/data/streams.ts"
import { rowsOf } from "../../../support/data/fields.ts"

const feed = (pieces: ReadonlyArray<string>) => {
  let state = start
  const segments: Array<OutputSegment> = []
  for (const piece of pieces) {
    const scanned = scan(state, piece)
    state = scanned.state
    segments.push(...scanned.segments)
  }
  return { state, segments }
}
const held = (state: typeof start) => state.utf8 + state.vt.carry
const data = (segments: ReadonlyArray<OutputSegment>) => segments.map((segment) => segment.data).join("")
const joined = (segments: ReadonlyArray<OutputSegment>) =>
  merge<OutputSegment>(segments, (a, b) =>
    a._tag === "Text" && b._tag === "Text" ? { _tag: "Text", data: a.data + b.data } : null
  )
const queryIn = (text: string): TerminalQuery | null => {
  const { segments } = scan(start, text)
  return segments[0]?._tag === "Query" && segments[0].data === text ? segments[0].query : null
}

describe("OutputScanner", () => {
  it("knows what programs ask", () => {
    const known: ReadonlyArray<readonly [string, TerminalQuery]> = [
      ["\x1b[c", { _tag: "PrimaryAttributes" }],
      ["\x1b[0c", { _tag: "PrimaryAttributes" }],
      ["\x1bZ", { _tag: "PrimaryAttributes" }],
      ["\x1b[>c", { _tag: "SecondaryAttributes" }],
      ["\x1b[=0c", { _tag: "TertiaryAttributes" }],
      ["\x1b[>q", { _tag: "Version" }],
      ["\x1b[>0q", { _tag: "Version" }],
      ["\x1b[5n", { _tag: "OperatingStatus" }],
      ["\x1b[6n", { _tag: "CursorPosition", extended: false }],
      ["\x1b[?6n", { _tag: "CursorPosition", extended: true }],
      ["\x1b[?996n", { _tag: "ColorScheme" }],
      ["\x1b[?u", { _tag: "KittyKeyboard" }],
      ["\x1b[?2026$p", { _tag: "Mode", mode: 2026, dec: true }],
      ["\x1b[4$p", { _tag: "Mode", mode: 4, dec: false }],
      ["\x1b]11;?\x07", { _tag: "Colors", slots: [{ code: 11, index: null }], bell: true }],
      [
        "\x1b]10;?;?\x1b\\",
        {
          _tag: "Colors",
          slots: [
            { code: 10, index: null },
            { code: 11, index: null }
          ],
          bell: false
        }
      ],
      [
        "\x1b]4;1;?;255;?\x1b\\",
        {
          _tag: "Colors",
          slots: [
            { code: 4, index: 1 },
            { code: 4, index: 255 }
          ],
          bell: false
        }
      ],
      ["\x1bP+q544e;436f\x1b\\", { _tag: "Capabilities", names: ["544e", "436f"] }],
      ["\x1bP$q q\x1b\\", { _tag: "Setting", name: " q" }],
      ["\x1b[14t", { _tag: "WindowSize", unit: "pixels" }],
      ["\x1b[16t", { _tag: "WindowSize", unit: "cell" }],
      ["\x1b[18t", { _tag: "WindowSize", unit: "cells" }],
      ["\x1b[21t", { _tag: "Other" }],
      ["\x1b]52;c;?\x07", { _tag: "Other" }],
      ["\x1b_Gi=1,a=q;AAAA\x1b\\", { _tag: "Other" }]
    ]
    for (const [text, query] of known) assert.deepStrictEqual(queryIn(text), query, JSON.stringify(text))
  })

  it("takes no order for a question", () => {
    const orders = [
      "\x1b[3c",
      "\x1b[2 q",
      "\x1b[u",
      "\x1b[>1u",
      "\x1b[<u",
      "\x1b[=1;1u",
      "\x1b[8;24;80t",
      "\x1b[22;0t",
      "\x1b[?6h",
      "\x1b[!p",
      "\x1b]11;#000000\x07",
      "\x1b]0;what?\x07",
      "\x1b]8;;http://a?b\x1b\\",
      "\x1b]52;c;aGk=\x07",
      "\x1bP1$r0m\x1b\\",
      "\x1b_Gf=100;AAAA\x1b\\",
      "\x1b[0n"
    ]
    for (const text of orders)
      assert.deepStrictEqual(scan(start, text).segments, [{ _tag: "Text", data: text }], JSON.stringify(text))
  })

  it("takes out the program-status query and reports, in their order", () => {
    const text = "a\x1b]7501;?\x1b\\\x1b[cb\x1b]7501;state=working:msg=SGk=\x07c\x1b]7501;state=what\x07"
    assert.deepStrictEqual(scan(start, text).segments, [
      { _tag: "Text", data: "a" },
      { _tag: "ReportQuery", data: "\x1b]7501;?\x1b\\" },
      { _tag: "Query", data: "\x1b[c", query: { _tag: "PrimaryAttributes" } },
      { _tag: "Text", data: "b" },
      {
        _tag: "Report",
        data: "\x1b]7501;state=working:msg=SGk=\x07",
        report: { state: "working", id: "", kind: null, progress: null, app: null, title: null, message: "Hi" }
      },
      { _tag: "Text", data: "c" },
      { _tag: "Report", data: "\x1b]7501;state=what\x07", report: null }
    ])
  })

  it("a full reset clears all reports", () => {
    const { segments } = scan(start, "a\x1bcb")
    assert.deepStrictEqual(rowsOf(segments, "_tag", "data"), [
      ["Text", "a\x1bc"],
      ["Report", ""],
      ["Text", "b"]
    ])
    assert.deepStrictEqual(segments[1]?._tag === "Report" ? segments[1].report?.state : null, "clear")
  })

  it("gives whole characters", () => {
    const first = scan(start, "a\xe2\x94")
    assert.deepStrictEqual(first.segments, [{ _tag: "Text", data: "a" }])
    assert.deepStrictEqual(scan(first.state, "\x80b").segments, [{ _tag: "Text", data: "\xe2\x94\x80b" }])
    // bytes that can begin nothing are not held
    assert.deepStrictEqual(scan(start, "\x80\xff\xc3\xa9").segments, [{ _tag: "Text", data: "\x80\xff\xc3\xa9" }])
  })

  it("gives back what it held when flushed, and asks nothing then", () => {
    const first = scan(start, "ab\x1b]11;")
    const flushed = flush(first.state)
    assert.deepStrictEqual(flushed.segments, [{ _tag: "Text", data: "\x1b]11;" }])
    assert.deepStrictEqual(scan(flushed.state, "?\x07").segments, [{ _tag: "Text", data: "?\x07" }])
    assert.deepStrictEqual(flush(start).segments, [])
  })

  it("tells how a new terminal gets into the middle of a long sequence", () => {
    assert.strictEqual(resume(scan(start, "\x1b]0;half").state), "")
    const osc = scan(start, `\x1b]52;c;${"A".repeat(10_000)}`).state
    const dcs = scan(start, `\x1bPq${"?".repeat(10_000)}`).state
    for (const state of [osc, dcs]) {
      // what follows must be one sequence to its end, and then text
      const rest = scan(start, `${resume(state)}AAAA\x1b\\after`)
      assert.strictEqual(rest.segments.at(-1)?.data.endsWith("after"), true)
      assert.notStrictEqual(resume(state), "")
    }
    assert.match(resume(osc), /^\x1b\]/)
  })

  it.prop(
    "does not care where output is cut",
    { stream: Stream, cuts: Cuts },
    ({ cuts, stream }) => {
      const text = join(stream)
      const whole = feed([text])
      const pieces = feed(cut(text, cuts))
      assert.deepStrictEqual(joined(pieces.segments), joined(whole.segments))
      assert.strictEqual(held(pieces.state), held(whole.state))
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "passes every byte on",
    { stream: Stream, cuts: Cuts },
    ({ cuts, stream }) => {
      const text = join(stream)
      const { segments, state } = feed(cut(text, cuts))
      assert.strictEqual(data(segments) + held(state), text)
      assert.strictEqual(data(segments) + data(flush(state).segments), text)
      assert.isTrue(segments.every((segment) => segment._tag === "Report" || segment.data !== ""))
    },
    { arbitrary: { runs: 200 } }
  )

  it.prop(
    "takes for text only what is one stretch as it came, and leaves nothing behind",
    { before: Stream, chunk: Stream },
    ({ before, chunk }) => {
      const { state } = feed([join(before)])
      const text = join(chunk)
      if (text === "" || !isText(state, fromLatin1(text))) return
      assert.deepStrictEqual(scan(state, text), { state, segments: [{ _tag: "Text", data: text }] })
    },
    { arbitrary: { runs: 300 } }
  )

  it("knows text when it sees it", () => {
    assert.isTrue(isText(start, Buffer.from("plain\r\n\ttext, é 日本 🎉\x07")))
    assert.isFalse(isText(start, Buffer.from("with \x1b[m")))
    assert.isFalse(isText(start, Buffer.from("é").subarray(0, 1)), "a character is cut")
    assert.isFalse(isText(feed(["\x1b]0;a title"]).state, Buffer.from(" of two words")))
    assert.isFalse(isText(feed(["\xc3"]).state, Buffer.from("\xa9")))
  })
})
