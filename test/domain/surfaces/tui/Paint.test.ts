import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import {
  type Drawn,
  encode,
  fitLine,
  padLine,
  paint,
  span,
  type Style,
  type StyledLine
} from "../../../../src/domain/surfaces/tui/Paint.ts"
import * as ScreenXterm from "../../../../src/layers/terminal/ScreenXterm.ts"
import { Screen } from "../../../../src/services/Screen.ts"

const cols = 40
const lines = (...texts: ReadonlyArray<string>): ReadonlyArray<StyledLine> =>
  texts.map((text) => padLine([span(text)], cols))
const frame = (...texts: ReadonlyArray<string>): Drawn => encode({ lines: lines(...texts), cursor: null }, true)

describe("a line that is cut", () => {
  it.each([
    ["leap monitor", 12, "leap monitor"],
    ["leap monitor", 8, "leap mo…"],
    ["leap monitor", 1, "…"],
    ["日本語", 4, "日…"],
    ["leap    ", 4, "leap"],
    ["leap ────", 6, "leap ─"],
    ["leap", 0, ""]
  ])("%s in %i columns is %s", (text, cols, expected) => {
    const split = [...text].map((one) => span(one))
    for (const line of [[span(text)], split])
      assert.strictEqual(
        fitLine(line, cols)
          .map((part) => part.text)
          .join(""),
        expected
      )
  })
})

describe("painting by cells", () => {
  it("writes nothing where nothing differs, and one cell where one does", () => {
    const before = frame("one", "two")
    assert.strictEqual(paint(before, frame("one", "two")), "")
    assert.strictEqual(paint(before, frame("one", "tWo")), "\x1b[?2026h\x1b[?25l\x1b[2;2HW\x1b[?2026l")
  })

  it("writes stretches that are far from each other, not what is between them", () => {
    const bytes = paint(frame("a very long row of text 1"), frame("b very long row of text 2"))
    assert.strictEqual(bytes, "\x1b[?2026h\x1b[?25l\x1b[1;1Hb\x1b[1;25H2\x1b[?2026l")
  })

  it("draws a row whole that has another length: what is behind it goes", () => {
    const of = (text: string) => encode({ lines: [[span(text)]], cursor: null }, true)
    for (const [before, now] of [
      ["abc", "ab"],
      ["ab", "abc"]
    ] as const)
      assert.include(paint(of(before), of(now)), `\x1b[1;1H\x1b[2K${now}`)
  })

  it("draws a row whole where terminals may differ on its places", () => {
    for (const text of ["漢字", "\ue0b0", "👩‍👩‍👧‍👦 family", "e\u0301"])
      assert.include(paint(frame(`${text} 1`), frame(`${text} 2`)), "\x1b[2K")
  })
})

const Span = Schema.Struct({
  text: Schema.Literals(["", "abc", " ", "漢字", "0123456789", "│─", "é", "…"]),
  style: Schema.Literals(["plain", "faint", "accent", "match", "bad"] satisfies Array<Style>),
  bold: Schema.Boolean
})
const Frame = Schema.Array(Schema.Array(Span))

layer(ScreenXterm.layer)("painting by cells, on a terminal", (it) => {
  it.effect.prop(
    "ends in the same screen as drawing it anew",
    [Schema.Array(Frame), Schema.Boolean],
    ([frames, colour]) =>
      Effect.gen(function* () {
        const screens = yield* Screen
        const size = { cols, rows: 5, scrollback: 0 }
        const stepwise = yield* screens.make(size)
        const encoder = new TextEncoder()
        // as the monitor does: a row that is full must not wrap
        stepwise.feed(encoder.encode("\x1b[?7l"))
        let before: Drawn | null = null
        for (const texts of frames) {
          const now = encode(
            { lines: Array.from({ length: 5 }, (_, y) => padLine(texts[y] ?? [], cols)), cursor: null },
            colour
          )
          stepwise.feed(encoder.encode(paint(before, now)))
          before = now
          const fresh = yield* screens.make(size)
          fresh.feed(encoder.encode(`\x1b[?7l${paint(null, now)}`))
          assert.deepStrictEqual(stepwise.view().lines, fresh.view().lines)
          for (let y = 0; y < 5; y++)
            assert.deepStrictEqual(stepwise.picture().part(y, 0, cols), fresh.picture().part(y, 0, cols))
        }
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 60 } }
  )
})
