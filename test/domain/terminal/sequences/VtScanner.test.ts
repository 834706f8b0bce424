import { assert, describe, it } from "@effect/vitest"
import {
  flush,
  heldLimit,
  numbers,
  scan,
  type ScanOptions,
  start,
  type VtToken
} from "../../../../src/domain/terminal/sequences/VtScanner.ts"
import { cut, Cuts, join, merge, Stream } from "../../../support/data/streams.ts"
import { each, rowsOf } from "../../../support/data/fields.ts"

const feed = (pieces: ReadonlyArray<string>, options?: ScanOptions) => {
  let state = start
  const tokens: Array<VtToken> = []
  for (const piece of pieces) {
    const scanned = scan(state, piece, options)
    state = scanned.state
    tokens.push(...scanned.tokens)
  }
  return { state, tokens }
}
const one = (text: string): VtToken => {
  const { tokens } = scan(start, text)
  assert.strictEqual(tokens.length, 1, JSON.stringify(tokens))
  return tokens[0]!
}
const joined = (tokens: ReadonlyArray<VtToken>) =>
  merge(tokens, (a, b) =>
    a._tag === b._tag && (a._tag === "Text" || a._tag === "Piece") ? { ...a, raw: a.raw + b.raw } : null
  )
const raw = (tokens: ReadonlyArray<VtToken>) => tokens.map((token) => token.raw).join("")

describe("VtScanner", () => {
  it("names each kind of sequence", () => {
    assert.deepStrictEqual(one("\x1b[?1;2$p"), {
      _tag: "Csi",
      raw: "\x1b[?1;2$p",
      prefix: "?",
      params: "1;2",
      intermediates: "$",
      final: "p"
    })
    assert.deepStrictEqual(one("\x1b(0"), { _tag: "Escape", raw: "\x1b(0", intermediates: "(", final: "0" })
    assert.deepStrictEqual(one("\x1b]2;a title\x1b\\"), {
      _tag: "Osc",
      raw: "\x1b]2;a title\x1b\\",
      body: "2;a title",
      bell: false
    })
    assert.deepStrictEqual(one("\x1b]2;t\x07"), { _tag: "Osc", raw: "\x1b]2;t\x07", body: "2;t", bell: true })
    for (const [introducer, kind] of [
      ["P", "DCS"],
      ["X", "SOS"],
      ["^", "PM"],
      ["_", "APC"]
    ] as const) {
      assert.deepStrictEqual(one(`\x1b${introducer}body\x1b\\`), {
        _tag: "String",
        raw: `\x1b${introducer}body\x1b\\`,
        kind,
        body: "body"
      })
    }
    assert.deepStrictEqual(one("\r"), { _tag: "Control", raw: "\r" })
  })

  it("takes bytes from 0x80 on for text: streams are UTF-8", () => {
    assert.deepStrictEqual(one("\x9b31m\x90\xe2\x94\x80"), { _tag: "Text", raw: "\x9b31m\x90\xe2\x94\x80" })
  })

  it("ends strings by ST, and only an OSC by BEL", () => {
    assert.deepStrictEqual(one("\x1bPa\x07b\x1b\\"), {
      _tag: "String",
      raw: "\x1bPa\x07b\x1b\\",
      kind: "DCS",
      body: "a\x07b"
    })
  })

  it("aborts sequences at CAN, SUB and a new ESC", () => {
    assert.deepStrictEqual(scan(start, "\x1b]0;a\x18b").tokens, [
      { _tag: "Malformed", raw: "\x1b]0;a\x18" },
      { _tag: "Text", raw: "b" }
    ])
    assert.deepStrictEqual(scan(start, "\x1b[1\x1ab").tokens[0], { _tag: "Malformed", raw: "\x1b[1\x1a" })
    assert.deepStrictEqual(rowsOf(scan(start, "\x1b]0;a\x1b[m").tokens, "_tag", "raw"), [
      ["Malformed", "\x1b]0;a"],
      ["Csi", "\x1b[m"]
    ])
    assert.deepStrictEqual(each(scan(start, "\x1b\x1b[m").tokens, "_tag"), ["Malformed", "Csi"])
  })

  it("sees through controls inside a control sequence, as terminals do", () => {
    const token = one("\x1b[1\n;2\rH")
    assert.deepStrictEqual(token._tag === "Csi" ? [token.params, token.final] : [], ["1;2", "H"])
  })

  it("calls what breaks the grammar malformed", () => {
    assert.strictEqual(one("\x1b[1 2m")._tag, "Malformed")
    assert.deepStrictEqual(each(scan(start, "\x1b[1\xc3m").tokens, "_tag"), ["Malformed", "Text"])
  })

  it("holds no more than its limit, and lets longer strings pass as they come", () => {
    let state = scan(start, "\x1b]52;c;").state
    let given = 0
    let most = 0
    for (let i = 0; i < 100; i++) {
      const scanned = scan(state, "A".repeat(1000))
      state = scanned.state
      given += raw(scanned.tokens).length
      most = Math.max(most, state.carry.length)
      assert.isTrue(scanned.tokens.every(({ _tag }) => _tag === "Piece"))
    }
    assert.isAtMost(most, heldLimit)
    assert.isAtLeast(given, 100_000 - heldLimit)
    const end = scan(state, "A\x07x")
    assert.deepStrictEqual(each(end.tokens, "_tag"), ["Piece", "Text"])
  })

  it("flushes a sequence under way and lets the rest of it pass", () => {
    const { state } = scan(start, "a\x1b]0;ti")
    const flushed = flush(state)
    assert.deepStrictEqual(flushed.tokens, [{ _tag: "Piece", raw: "\x1b]0;ti" }])
    assert.deepStrictEqual(scan(flushed.state, "tle\x07b").tokens, [
      { _tag: "Piece", raw: "tle\x07" },
      { _tag: "Text", raw: "b" }
    ])
    assert.deepStrictEqual(flush(start), { state: start, tokens: [] })
  })

  it("knows the end of a long string, and what aborts it, when they are cut", () => {
    const long = scan(start, `\x1b]52;c;${"A".repeat(heldLimit)}`).state
    const cut = scan(long, "AA\x1b")
    assert.deepStrictEqual(cut.tokens, [{ _tag: "Piece", raw: "AA" }])
    assert.deepStrictEqual(scan(cut.state, "\\x").tokens, [
      { _tag: "Piece", raw: "\x1b\\" },
      { _tag: "Text", raw: "x" }
    ])
    assert.deepStrictEqual(rowsOf(scan(cut.state, "[31mx").tokens, "_tag", "raw"), [
      ["Csi", "\x1b[31m"],
      ["Text", "x"]
    ])
  })

  it("a control sequence that is too long is a piece, cut or not", () => {
    const text = `\x1b[${"1;".repeat(heldLimit)}m`
    assert.deepStrictEqual(joined(feed([text]).tokens), [{ _tag: "Piece", raw: text }])
    assert.deepStrictEqual(joined(feed([text.slice(0, 5000), text.slice(5000)]).tokens), [{ _tag: "Piece", raw: text }])
  })

  it("what follows an ESC that was flushed has no beginning to show", () => {
    const flushed = flush(scan(start, "\x1b]0;a\x1b").state)
    assert.deepStrictEqual(scan(flushed.state, "[31mb").tokens, [
      { _tag: "Piece", raw: "[31m" },
      { _tag: "Text", raw: "b" }
    ])
    assert.deepStrictEqual(scan(flushed.state, "\\b").tokens, [
      { _tag: "Piece", raw: "\\" },
      { _tag: "Text", raw: "b" }
    ])
  })

  it("keeps controls in the text when told so", () => {
    assert.deepStrictEqual(each(scan(start, "a\r\nb\x1b[m", { controls: false }).tokens, "raw"), ["a\r\nb", "\x1b[m"])
  })

  it("reads numbers with their default and without sub-parameters", () => {
    assert.deepStrictEqual(numbers("1;;38:2:1"), [1, 0, 38])
    assert.deepStrictEqual(numbers("", 1), [1])
  })

  it.prop(
    "does not care where a stream is cut",
    { stream: Stream, cuts: Cuts },
    ({ cuts, stream }) => {
      const text = join(stream)
      const whole = feed([text])
      const pieces = feed(cut(text, cuts))
      assert.deepStrictEqual(joined(pieces.tokens), joined(whole.tokens))
      assert.deepStrictEqual(pieces.state, whole.state)
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "a byte at a time is no different",
    { stream: Stream },
    ({ stream }) => {
      const text = join(stream.filter((fragment) => fragment.length < 200))
      for (const controls of [true, false]) {
        assert.deepStrictEqual(joined(feed([...text], { controls }).tokens), joined(feed([text], { controls }).tokens))
      }
    },
    { arbitrary: { runs: 100 } }
  )

  it.prop(
    "loses and invents no byte",
    { stream: Stream, cuts: Cuts },
    ({ cuts, stream }) => {
      const text = join(stream)
      const { state, tokens } = feed(cut(text, cuts))
      assert.strictEqual(raw(tokens) + state.carry, text)
    },
    { arbitrary: { runs: 200 } }
  )

  it.prop(
    "a flush anywhere loses nothing and is forgotten at the sequence's end",
    { stream: Stream, at: Cuts },
    ({ at, stream }) => {
      const text = join(stream)
      let state = start
      let out = ""
      for (const piece of cut(text, at)) {
        const scanned = scan(state, piece)
        const flushed = flush(scanned.state)
        out += raw(scanned.tokens) + raw(flushed.tokens)
        state = flushed.state
      }
      assert.strictEqual(out, text)
      const after = scan(state, "\x18\x1b[31m").tokens.at(-1)
      assert.strictEqual(after?._tag, "Csi")
    },
    { arbitrary: { runs: 200 } }
  )
})
