import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as ScrolledOut from "../../../src/domain/terminal/sequences/ScrolledOut.ts"
import { fromLatin1, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { makeUndrawn } from "../../../src/layers/terminal/undrawn.ts"
import { Screen, type ScreenHandle } from "../../../src/services/Screen.ts"
import { cut, Cuts, fragments } from "../../support/data/streams.ts"
import { effectOfEach } from "../../support/run/effects.ts"

const size = { cols: 20, rows: 6, scrollback: 10 }
const make = (laziness?: { readonly text: number; readonly other: number }) =>
  Effect.provide(
    Screen.use((screen) => screen.make(size)),
    ScreenXterm.layerWith(undefined, laziness)
  )

const lines = (count: number, end: string, text: string): string =>
  Array.from({ length: count }, (_, i) => `${i} ${text}${end}`).join("")
/** Output that comes in lines, and much of it; some of it is not as plain as it looks. */
const floods = [
  lines(40, "\r\n", "plain"),
  lines(90, "\r\n", "日本 é and a line that is longer than the screen is wide"),
  lines(30, "\n", "without a return"),
  lines(25, "\r\n", "\ttabs"),
  lines(30, "\r\n", "\u009b31mC1"),
  lines(30, "\r\n", "\u009bHC1 that moves up"),
  lines(30, "\r\n", "bell\x07"),
  "\r\n".repeat(40)
].map(utf8ToLatin1)

/** What changes how text is drawn, or where it scrolls. */
const changes = [
  "\x1b[H",
  "\u009b2;4r",
  "\u0090",
  "\x1b[2;4r",
  "\x1b[r",
  "\x1b[4h",
  "\x1b[4l",
  "\x1b[20h",
  "\x1b[?7l",
  "\x1b[?6h",
  "\x1b[44m",
  "\x1b[3b"
]

const stateOf = (screen: ScreenHandle) => ({
  view: { ...screen.view(), faint: null, runs: null },
  repaint: screen.repaint(),
  modes: screen.modes()
})

describe("output that is not drawn yet", () => {
  it.effect.prop(
    "leaves the screen as if each byte had been drawn when it came",
    {
      pieces: Schema.Array(Schema.Literals([...fragments, ...changes, ...changes, ...floods, ...floods])),
      cuts: Cuts,
      text: Schema.Literals([200, 700, 3000])
    },
    ({ cuts, pieces, text }) =>
      Effect.gen(function* () {
        const lazy = yield* make({ text, other: 100 })
        const eager = yield* make()
        const marks = [lazy.mark(), eager.mark()]
        for (const piece of cut(pieces.join(""), cuts)) {
          lazy.feed(fromLatin1(piece))
          eager.feed(fromLatin1(piece))
          eager.view()
        }
        assert.deepStrictEqual(stateOf(lazy), stateOf(eager))
        assert.deepStrictEqual(marks[0]!.line(), marks[1]!.line())
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 400 } }
  )

  effectOfEach([
    { name: "from the top, over rows that are drawn", before: "a long old line\r\n".repeat(9) + "\x1b[H" },
    { name: "beside a region that a C1 control has set", before: "\xc2\x9b2;4r" },
    { name: "before lines that a C1 control keeps in one place", before: "", after: "\xc2\x9bHup\r\n".repeat(10) }
  ])("shows the same where a flood comes $name", function* ({ after = "", before }) {
    const flood = Array.from({ length: 40 }, (_, i) => `${i} line\r\n`).join("")
    const states = yield* Effect.forEach([{ text: 100, other: 100 }, undefined], (laziness) =>
      Effect.gen(function* () {
        const screen = yield* make(laziness)
        for (const bytes of [before, flood + after]) {
          screen.feed(fromLatin1(bytes))
          screen.view()
        }
        return stateOf(screen)
      })
    )
    assert.deepStrictEqual(states[0], states[1])
  })

  it("is drawn only as far as it can still be seen, where it is lines of text", () => {
    const drawnOf = (chunks: ReadonlyArray<string>, scrolls = true): number => {
      let drawn = 0
      const { add, settle } = makeUndrawn({
        lazy: { text: 4000, other: 500 },
        draw: (data) => void (drawn += data.length),
        scrolls: () => scrolls,
        rows: () => 20
      })
      for (const chunk of chunks) add(fromLatin1(chunk))
      settle()
      return drawn
    }
    const flood = Array.from({ length: 50 }, () => lines(20, "\r\n", "x".repeat(30)))
    const all = flood.join("").length
    assert.isBelow(drawnOf(flood), all / 20)
    for (const other of [drawnOf(flood, false), drawnOf(flood.map((chunk) => `${chunk}\x1b[m`))])
      assert.isAtLeast(other, all)
    assert.strictEqual(drawnOf(["short\r\n".repeat(10)]), 70)
  })

  it("begins where a line ends, with so many line feeds behind it", () => {
    const pieces = ["a\r\nb\r", "\nc\r\nd", "\ne\r\nf"].map(fromLatin1)
    assert.deepStrictEqual(
      [0, 1, 2, 3, 4, 5].map((feeds) => ScrolledOut.lineEndBefore(pieces, feeds)),
      [
        { piece: 2, at: 2 },
        // the line feed before it has no return
        { piece: 1, at: 2 },
        { piece: 1, at: 2 },
        { piece: 0, at: 4 },
        { piece: 0, at: 1 },
        null
      ]
    )
    assert.deepStrictEqual(
      ScrolledOut.from(pieces, { piece: 1, at: 2 }).map((piece) => Buffer.from(piece).toString()),
      ["\r\nd", "\ne\r\nf"]
    )
  })

  it("is lines of text where each byte is a character's, a tab's or a line end's, wherever in memory it is", () => {
    const isPlain = (byte: number) =>
      [0x09, 0x0a, 0x0d].includes(byte) || (byte >= 0x20 && byte < 0xc0 && byte !== 0x7f) || byte >= 0xc3
    const size = 13
    const wrong: Array<string> = []
    for (let offset = 0; offset < 4; offset++)
      for (let at = 0; at < size; at++)
        for (let byte = 0; byte < 256; byte++) {
          const piece = new Uint8Array(size + 4).fill(0x61).subarray(offset, offset + size)
          piece[at] = byte
          const isText = (end: number) => ScrolledOut.isTextBefore([fromLatin1("a"), piece], { piece: 1, at: end })
          if (isText(size) !== isPlain(byte) || !isText(at)) wrong.push(`byte ${byte} at ${at}, memory from ${offset}`)
        }
    assert.deepStrictEqual(wrong, [])
  })
})
