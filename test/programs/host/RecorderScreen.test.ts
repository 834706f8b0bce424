import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { fromLatin1, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { makeCliOutput } from "../../../src/programs/host/CliOutput.ts"
import { keyFrameOf, makeRecorder } from "../../../src/programs/host/Recorder.ts"
import { Screen, type ScreenHandle } from "../../../src/services/Screen.ts"
import { cut, Cuts } from "../../support/data/streams.ts"
import { effect } from "../../support/run/effects.ts"

const makeScreen = Effect.provide(
  Screen.use((screen) => screen.make({ cols: 20, rows: 6, scrollback: 10 })),
  ScreenXterm.layer
)

const changes = ["\x1b[31m", "\x1b[44m", "\x1b[m", "\x1b[H", "\x1b[10;20H", "\x1b[1\n2m", "\x1bM", "\x1b[3b"]
const scrolling = ["\x1b[2;4r", "\x1b[r", "\x1b[4h", "\x1b[4l", "\x1b[?6h", "\x1b[?7l", "\x1b[20h"]
const cutOff = ["\x1b", "\x1b[", "\x1bP", "\x1b\\", "\x18", "\x1b]0;title\x07", "\x1bP1;2qdata\x07more\x1b\\"]
const plain = ["a", "hello world", "\r\n", "\n", "\t", "\x07", "é", "日本", "🎉", "[", "x".repeat(100)]
/** What changes how text is drawn or where it scrolls, and sequences that may be cut. */
const pieces = [...changes, ...scrolling, ...cutOff, ...plain].map(utf8ToLatin1)
const lines = (count: number, text: string): string =>
  utf8ToLatin1(Array.from({ length: count }, (_, i) => `${i} ${text}`).join(""))
const flood = lines(60, "of many lines\r\n")
const floods = [flood, lines(20, "日本 é, wider than it\r\n"), lines(9, "without a return\n"), lines(9, "\x07\r\n")]

/** A recorder over a real screen, and how often it had that drawn. */
const make = Effect.fnUntraced(function* (limits: { readonly memoryLimit: number; readonly frameDistance: number }) {
  const screen = yield* makeScreen
  const output = makeCliOutput()
  let drawn = 0
  let now = 0
  const recorder = makeRecorder({
    // so much passes that a key frame is due as often as it may be
    now: () => (now += 300),
    size: () => ({ cols: 20, rows: 6 }),
    keyFrame: () => {
      drawn++
      return keyFrameOf(screen, output, [])
    },
    ...limits
  })
  const write = (latin1: string): void => {
    recorder.output(fromLatin1(latin1))
    for (const { data } of output.scan(latin1, { cols: 20, rows: 6 })) screen.feed(fromLatin1(data))
  }
  /** As at the end of the program. */
  const end = (): void => {
    for (const { data } of output.flush()) screen.feed(fromLatin1(data))
  }
  /** The screen of who sees no more than what is remembered. */
  const replayed = Effect.gen(function* () {
    const other = yield* makeScreen
    yield* Stream.runForEach(recorder.record({ past: true, follow: false }).batches, (batch) =>
      Effect.sync(() => {
        for (const { code, data } of batch) if (code === "o") other.feed(new TextEncoder().encode(data))
      })
    )
    return other
  })
  return { screen, recorder, write, drawn: () => drawn, end, replayed }
})

const shown = (screen: ScreenHandle) => ({
  lines: screen.view().lines,
  cursor: screen.view().cursor,
  repaint: screen.repaint({ scrollback: false, main: false })
})

describe("the flight recorder of a flood", () => {
  effect("has the screen drawn once for all of its lines, and begins with the last of them", function* () {
    const { drawn, replayed, screen, write } = yield* make({ memoryLimit: 900, frameDistance: 500 })
    write("\x1b[31;44m")
    for (let i = 0; i < 50; i++) write(flood)
    write("all but this is a key frame")
    assert.strictEqual(drawn(), 2, "before the first bytes, and with the colours")
    assert.deepStrictEqual(shown(yield* replayed), shown(screen))
    write("\x1b[1mbold")
    for (const piece of [flood, "y"]) write(piece)
    assert.strictEqual(drawn(), 3, "a sequence came")
    assert.deepStrictEqual(shown(yield* replayed), shown(screen))
  })

  effect("has it drawn anew when it gets another size", function* () {
    const { drawn, recorder, screen, write } = yield* make({ memoryLimit: 900, frameDistance: 500 })
    for (let i = 0; i < 3; i++) write(flood)
    const before = drawn()
    screen.resize(30, 8)
    recorder.resize({ cols: 30, rows: 8 })
    for (const piece of [flood, "y"]) write(piece)
    assert.strictEqual(drawn(), before + 1)
  })

  it.effect.prop(
    "remembers what draws the screen as it is, whatever came in whichever pieces",
    {
      pieces: Schema.Array(Schema.Literals([...pieces, ...floods, ...floods])),
      cuts: Cuts,
      memoryLimit: Schema.Literals([300, 900, 3000]),
      frameDistance: Schema.Literals([40, 150])
    },
    ({ cuts, frameDistance, memoryLimit, pieces }) =>
      Effect.gen(function* () {
        const { end, replayed, screen, write } = yield* make({ memoryLimit, frameDistance })
        // the last one is short: what it is drawn on is a key frame
        for (const piece of [...cut(pieces.join(""), cuts), "y"]) write(piece)
        end()
        const [before, after] = [shown(screen), shown(yield* replayed)]
        assert.deepStrictEqual(after, before)
      }).pipe(Effect.scoped),
    { arbitrary: { runs: 300 } }
  )
})
