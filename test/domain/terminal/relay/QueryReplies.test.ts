import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { classify, start as noInput } from "../../../../src/domain/terminal/sequences/InputBytes.ts"
import { scan, start as noOutput } from "../../../../src/domain/terminal/sequences/OutputScanner.ts"
import { type QueryFacts, reply } from "../../../../src/domain/terminal/relay/QueryReplies.ts"
import * as TerminalModes from "../../../../src/domain/terminal/sequences/TerminalModes.ts"
import type { TerminalQuery } from "../../../../src/domain/terminal/sequences/TerminalQuery.ts"

const facts: QueryFacts = { cols: 80, rows: 24, cursor: { x: 4, y: 9 } }
const queryIn = (text: string): TerminalQuery => {
  const segment = scan(noOutput, text).segments[0]
  if (segment?._tag !== "Query") throw new Error(`no query: ${JSON.stringify(text)}`)
  return segment.query
}
/** What a program that writes `text` gets back. */
const answer = (text: string, change: Partial<QueryFacts> = {}) => reply(queryIn(text), { ...facts, ...change })
const after = (text: string) => ({ modes: TerminalModes.track(TerminalModes.start, text) })
const hex = (text: string) => Array.from(text, (char) => char.charCodeAt(0).toString(16)).join("")

const asked = [
  "\x1b[c",
  "\x1b[>c",
  "\x1b[=c",
  "\x1b[>q",
  "\x1b[5n",
  "\x1b[6n",
  "\x1b[?6n",
  "\x1b[?u",
  "\x1b[?2026$p",
  "\x1b[4$p",
  "\x1b]10;?\x07",
  "\x1b]11;?\x1b\\",
  "\x1b]12;?\x07",
  "\x1b]4;1;?;200;?;240;?\x07",
  `\x1bP+q${hex("TN")};${hex("Co")}\x1b\\`,
  "\x1bP$qm\x1b\\",
  "\x1bP$qr\x1b\\",
  "\x1bP$q q\x1b\\",
  "\x1bP$q?\x1b\\",
  "\x1b[18t",
  "\x1b[?996n"
]

describe("QueryReplies", () => {
  it("says where the cursor is, counted from one", () => {
    assert.strictEqual(answer("\x1b[6n"), "\x1b[10;5R")
    assert.strictEqual(answer("\x1b[?6n"), "\x1b[?10;5R")
    assert.strictEqual(answer("\x1b[6n", after("\x1b[3;20r\x1b[?6h")), "\x1b[8;5R")
  })

  it("says what the terminal is", () => {
    assert.match(answer("\x1b[c"), /^\x1b\[\?62;[\d;]+c$/)
    assert.match(answer("\x1b[>c"), /^\x1b\[>\d+;\d+;\d+c$/)
    assert.strictEqual(answer("\x1b[>q", { version: "1.2" }), "\x1bP>|leap 1.2\x1b\\")
    assert.strictEqual(answer("\x1b[5n"), "\x1b[0n")
  })

  it("tells modes and keyboard flags as the program set them", () => {
    assert.strictEqual(answer("\x1b[?2004$p"), "\x1b[?2004;2$y")
    assert.strictEqual(answer("\x1b[?2004$p", after("\x1b[?2004h")), "\x1b[?2004;1$y")
    assert.strictEqual(answer("\x1b[?25$p"), "\x1b[?25;1$y")
    assert.strictEqual(answer("\x1b[?4711$p", after("\x1b[?4711h")), "\x1b[?4711;0$y")
    assert.strictEqual(answer("\x1b[4$p", after("\x1b[4h")), "\x1b[4;1$y")
    assert.strictEqual(answer("\x1b[?u", after("\x1b[>5u")), "\x1b[?5u")
  })

  it("tells colours: those set, or a dark terminal's, ended as asked", () => {
    assert.strictEqual(answer("\x1b]11;?\x07"), "\x1b]11;rgb:0000/0000/0000\x07")
    assert.strictEqual(answer("\x1b]12;?\x1b\\"), "\x1b]12;rgb:ffff/ffff/ffff\x1b\\")
    assert.strictEqual(answer("\x1b]17;?\x1b\\"), "")
    assert.strictEqual(answer("\x1b]11;?\x07", after("\x1b]11;#102030\x07")), "\x1b]11;rgb:1010/2020/3030\x07")
    assert.strictEqual(answer("\x1b]11;?\x07", after("\x1b]11;rgb:f/8000/00\x07")), "\x1b]11;rgb:ffff/8080/0000\x07")
    assert.strictEqual(
      answer("\x1b]4;1;?;231;?;232;?\x07"),
      "\x1b]4;1;rgb:cdcd/0000/0000\x07\x1b]4;231;rgb:ffff/ffff/ffff\x07\x1b]4;232;rgb:0808/0808/0808\x07"
    )
    assert.strictEqual(answer("\x1b]10;?;?\x07"), "\x1b]10;rgb:ffff/ffff/ffff\x07\x1b]11;rgb:0000/0000/0000\x07")
    assert.strictEqual(answer("\x1b[?996n"), "\x1b[?997;1n")
    assert.strictEqual(answer("\x1b[?996n", after("\x1b]11;#ffffff\x07")), "\x1b[?997;2n")
  })

  it("tells capabilities, and which it does not have", () => {
    assert.strictEqual(
      answer(`\x1bP+q${hex("Co")};${hex("xyz")}\x1b\\`),
      `\x1bP1+r${hex("Co")}=${hex("256")}\x1b\\\x1bP0+r${hex("xyz")}\x1b\\`
    )
    assert.strictEqual(answer(`\x1bP+q${hex("__proto__")}\x1b\\`), `\x1bP0+r${hex("__proto__")}\x1b\\`)
    // what is no name must not come back as it was sent
    assert.strictEqual(answer("\x1bP+qrm -rf /\x1b\\"), "\x1bP0+r\x1b\\")
  })

  it("tells settings", () => {
    assert.strictEqual(answer("\x1bP$qm\x1b\\", after("\x1b[1;38;2;1;2;3m")), "\x1bP1$r0;1;38;2;1;2;3m\x1b\\")
    assert.strictEqual(answer("\x1bP$qr\x1b\\"), "\x1bP1$r1;24r\x1b\\")
    assert.strictEqual(answer("\x1bP$qr\x1b\\", after("\x1b[3;9r")), "\x1bP1$r3;9r\x1b\\")
    assert.strictEqual(answer("\x1bP$q q\x1b\\", after("\x1b[5 q")), "\x1bP1$r5 q\x1b\\")
    assert.strictEqual(answer("\x1bP$qrm -rf\x1b\\"), "\x1bP0$r\x1b\\")
  })

  it("tells sizes in cells, and none in pixels", () => {
    assert.strictEqual(answer("\x1b[18t"), "\x1b[8;24;80t")
    assert.strictEqual(answer("\x1b[14t"), "")
    assert.strictEqual(answer("\x1b[16t"), "")
  })

  it("stays silent where it has no answer", () => {
    for (const text of ["\x1b[21t", "\x1b]52;c;?\x07"]) assert.strictEqual(answer(text), "")
  })

  it.prop(
    "every answer is a reply, never keys",
    {
      query: Schema.Literals(asked),
      cols: Schema.Natural,
      rows: Schema.Natural,
      x: Schema.Natural,
      y: Schema.Natural,
      modes: Schema.Array(
        Schema.Literals([
          "\x1b[?2004h",
          "\x1b[1;31m",
          "\x1b[2;3r",
          "\x1b[?6h",
          "\x1b[>5u",
          "\x1b]11;#fff\x07",
          "\x1b]11;red\x07",
          "\x1b[3 q"
        ])
      )
    },
    ({ cols, modes, query, rows, x, y }) => {
      const bytes = answer(query, { cols, rows, cursor: { x, y }, ...after(modes.join("")) })
      assert.notStrictEqual(bytes, "")
      const { parts, state } = classify(noInput, bytes, 0)
      assert.strictEqual(state.pending, "")
      assert.deepStrictEqual(
        parts.filter(({ _tag }) => _tag !== "Reply"),
        []
      )
    },
    { arbitrary: { runs: 300 } }
  )
})
