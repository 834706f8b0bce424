import { assert, describe, it } from "@effect/vitest"
import xterm, { type Terminal } from "@xterm/headless"
import { Effect, Schema } from "effect"
import { fromLatin1, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import { compactRows, restoreRows } from "../../../src/layers/terminal/compactRows.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { storedRows } from "../../../src/layers/terminal/xtermInternals.ts"
import { Screen, type ScreenHandle } from "../../../src/services/Screen.ts"
import { fragments } from "../../support/data/streams.ts"
import { isThorough } from "../../support/run/thorough.ts"
import { effect } from "../../support/run/effects.ts"

const size = { cols: 20, rows: 6, scrollback: 40 }
const make = Effect.provide(
  Screen.use((screen) => screen.make(size)),
  ScreenXterm.layer
)

const lines = (count: number, text: string): string =>
  Array.from({ length: count }, (_, i) => `${i}${text}\r\n`).join("")
/** Output that moves rows off the screen, and what CLIs draw there. */
const scrolling = [
  lines(3, " plain"),
  lines(9, " \x1b[1;31mbold\x1b[0;48;2;1;2;3m bg \x1b[K\x1b[m"),
  lines(7, " 日本 wide 🎉 e\u0301 and longer than the screen is wide"),
  lines(70, " as many as there is room for"),
  lines(5, " \x1b]8;id=7;https://a.example/\x1b\\link\x1b]8;;\x1b\\ \x1b[4:3;58:2::9:8:7mcurl\x1b[m"),
  lines(4, ` ${"─".repeat(30)}`),
  `${"wrapped ".repeat(20)}\r\n`,
  "日本語".repeat(30),
  "\x1b[44m\n\n\n\x1b[m",
  "\r\n".repeat(9),
  "\x1b[1;4r\x1b[4;1H\n\n\n\x1b[r",
  "\x1b[6;1H",
  "\x1b[6;20Hx\x1b[1J",
  "\x1b[3;20Hx\x1b[1J",
  "\x1b[3J",
  "\x1b[2J\x1b[H",
  "\x1bM\x1bM",
  "\x1b[3L\x1b[2M",
  "\x1b[2S\x1b[2T"
].map(utf8ToLatin1)

const Feed = Schema.Struct({ feed: Schema.Literals([...scrolling, ...scrolling, ...fragments]) })
const Step = Schema.Union([
  Feed,
  Feed,
  Schema.Struct({
    cols: Schema.Literals([20, 20, 2, 7, 19, 33, 80]),
    rows: Schema.Literals([6, 6, 1, 3, 11, 50])
  }),
  Schema.Literals(["compact", "compact", "mark", "look"])
])

const stateOf = (screen: ScreenHandle) => ({
  view: { ...screen.view(), faint: null, runs: null },
  repaint: screen.repaint(),
  screen: screen.repaint({ scrollback: false, main: false }),
  modes: screen.modes()
})

const words = (terminal: Terminal) => {
  const rows = storedRows(terminal)!
  return Array.from({ length: rows.above + terminal.rows }, (_, y) => {
    const { _combined, _data, _extendedAttrs, length, isWrapped } = rows.get(y) as ReturnType<typeof rows.get> & {
      readonly isWrapped: boolean
    }
    return { _combined: { ..._combined }, _data, _extendedAttrs: { ..._extendedAttrs }, length, isWrapped }
  })
}

describe("rows that are kept packed", () => {
  it.effect.prop(
    "are for all who look as those that are not",
    { steps: Schema.Array(Step).check(Schema.isMinLength(4)) },
    ({ steps }) =>
      Effect.gen(function* () {
        const packed = yield* make
        const plain = yield* make
        const marks: Array<readonly [() => number | null, () => number | null]> = []
        for (const step of steps) {
          if (step === "compact") packed.compact()
          else if (step === "mark") marks.push([packed.mark().line, plain.mark().line])
          else if (step === "look") assert.deepStrictEqual(stateOf(packed), stateOf(plain))
          else
            for (const screen of [packed, plain])
              if ("feed" in step) screen.feed(fromLatin1(step.feed))
              else screen.resize(step.cols, step.rows)
        }
        packed.compact()
        assert.deepStrictEqual(stateOf(packed), stateOf(plain))
        for (const [one, other] of marks) assert.strictEqual(one(), other())
        const [mark, same] = [packed.mark(), plain.mark()]
        for (const screen of [packed, plain]) screen.feed(fromLatin1(scrolling[1]!))
        packed.compact()
        assert.strictEqual(packed.repaint({ scrollback: mark }), plain.repaint({ scrollback: same }))
        const { cols, rows } = plain.view()
        const copy = yield* make
        copy.resize(cols, rows)
        copy.feed(new TextEncoder().encode(packed.repaint()))
        const again = yield* make
        again.resize(cols, rows)
        again.feed(new TextEncoder().encode(plain.repaint()))
        assert.deepStrictEqual(stateOf(copy), stateOf(again))
      }).pipe(Effect.scoped),
    { arbitrary: { runs: isThorough ? 4000 : 300 } }
  )

  effect("are to xterm what it has written itself, to the word, when it works on them", function* () {
    const text = scrolling.slice(0, 9).join("")
    const terminals = Array.from(
      { length: 2 },
      () => new xterm.Terminal({ ...size, scrollback: 500, allowProposedApi: true })
    )
    for (const terminal of terminals)
      yield* Effect.callback<void>((resume) => terminal.write(fromLatin1(text), () => resume(Effect.void)))
    const [packed, plain] = terminals as [Terminal, Terminal]
    const before = words(plain)
    assert.isAbove(before.length, 100)
    assert.isAbove(compactRows(packed), 100 * size.cols * 12)
    assert.strictEqual(compactRows(packed), 0, "what is packed stays so")
    assert.deepStrictEqual(
      words(packed)
        .map(({ length }) => length)
        .slice(0, -size.rows),
      before.slice(0, -size.rows).map(() => 0)
    )
    restoreRows(packed, size.cols, size.rows + 2)
    const lengths = words(packed).map(({ length }) => length)
    assert.strictEqual(lengths.filter((length) => length > 0).length, size.rows + 2, "only those that come back")
    restoreRows(packed, size.cols + 1, size.rows)
    assert.deepStrictEqual(words(packed), before)
  })

  effect("make their memory free", function* () {
    const screen = yield* make
    screen.feed(fromLatin1(scrolling[3]!))
    assert.isAbove(screen.compact(), size.scrollback * size.cols * 12)
    assert.strictEqual(screen.compact(), 0)
    screen.feed(fromLatin1(scrolling[0]!))
    const some = screen.compact()
    assert.isAbove(some, 3 * size.cols * 12)
    assert.isBelow(some, 8 * (size.cols * 12 + 1000))
    screen.resize(size.cols + 4, size.rows)
    assert.isAbove(screen.compact(), 30 * size.cols * 12, "another width takes all of it again")
  })
})
