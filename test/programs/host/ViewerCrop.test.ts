import { assert, describe } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { toLatin1, fromLatin1, utf8ToLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import * as TerminalModes from "../../../src/domain/terminal/sequences/TerminalModes.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { makeCliOutput } from "../../../src/programs/host/CliOutput.ts"
import { makeViewers } from "../../../src/programs/host/Viewers.ts"
import { Screen } from "../../../src/services/Screen.ts"
import { clipFaults } from "../../support/terminal/clipTruth.ts"
import { effectWith } from "../../support/run/effects.ts"

interface Size {
  readonly cols: number
  readonly rows: number
}

/** A host's screen with viewers at it whose terminals are emulators too. */
const session = Effect.gen(function* () {
  const screens = yield* Screen
  let size: Size = { cols: 80, rows: 24 }
  const screen = yield* screens.make({ ...size, scrollback: 5000 })
  const scanner = makeCliOutput()
  const viewers = makeViewers({
    repaint: ({ first, scrollback }) =>
      (first && !screen.view().alternate ? "\r\n".repeat(size.rows) : "") +
      screen.repaint({ main: false, scrollback }) +
      scanner.resume(),
    withinSequence: () => false,
    screen: { ...screen, size: () => size },
    onSize: (wanted) => {
      size = wanted
      screen.resize(wanted.cols, wanted.rows)
    },
    onCount: () => Effect.void
  })
  const attach = Effect.fnUntraced(function* (id: string, own: Size, readOnly = false) {
    const terminal = yield* screens.make({ ...own, scrollback: 5000 })
    const frames: Array<string> = []
    let modes = TerminalModes.start
    let mine = own
    let reserved = 0
    let bytes = ""
    const fiber = yield* viewers.attach({ id, size: own, readOnly, programStatus: false }).pipe(
      Stream.runForEach((frame) =>
        Effect.sync(() => {
          frames.push(frame._tag)
          if (frame._tag === "Exited") return
          const data = frame._tag === "Notice" ? "" : toLatin1(frame.data)
          bytes += data
          if (frame._tag === "Repaint") {
            reserved = frame.reserved ?? 0
            terminal.feed(fromLatin1(TerminalModes.restoreSequence(modes) + TerminalModes.enterSequence))
            modes = TerminalModes.start
          }
          modes = TerminalModes.track(modes, data)
          terminal.feed(fromLatin1(data))
        })
      ),
      Effect.forkScoped({ startImmediately: true })
    )
    yield* TestClock.adjust(100)
    return {
      frames,
      terminal,
      /** What came since this was asked last. */
      bytes: () => {
        const all = bytes
        bytes = ""
        return all
      },
      fits: () => mine.cols === size.cols && mine.rows === size.rows && reserved === 0,
      leave: Effect.andThen(Fiber.interrupt(fiber), TestClock.adjust(100)),
      reserve: (rows: number) =>
        Effect.suspend(() => {
          viewers.resize(id, mine, rows)
          return TestClock.adjust(100)
        }),
      resize: (wanted: Size) =>
        Effect.suspend(() => {
          mine = wanted
          terminal.resize(wanted.cols, wanted.rows)
          viewers.resize(id, wanted)
          return TestClock.adjust(100)
        }),
      type: (text: string) =>
        Effect.suspend(() => {
          viewers.input(id, text, 0)
          return TestClock.adjust(100)
        }),
      faults: () =>
        mine.cols === size.cols && mine.rows === size.rows && reserved === 0
          ? terminal.text() === screen.text()
            ? []
            : [terminal.text()]
          : clipFaults(screen.view(), terminal.view(), { cols: mine.cols, rows: mine.rows - reserved })
    }
  })
  const output = (text: string) =>
    Effect.suspend(() => {
      const bytes = utf8ToLatin1(text)
      const segments = scanner.scan(bytes, size)
      screen.feed(fromLatin1(bytes))
      viewers.output(segments)
      return TestClock.adjust(100)
    })
  return { attach, output, screen, size: () => size, viewers }
})

/** What a CLI on the main screen draws: rows that scroll, and a box as wide as the terminal. */
const frame = ({ cols }: Size, name: string, lines = 3): string =>
  Array.from({ length: lines }, (_, i) => `${name} ${i} ${"text ".repeat(20)}`.slice(0, cols)).join("\r\n") +
  `\r\n${"-".repeat(cols)}\r\n> `

const numbers = (text: string): ReadonlyArray<number> => [...text.matchAll(/#(\d+)/g)].map(([, n]) => Number(n))

describe("viewers of different size", () => {
  effectWith(ScreenXterm.layer)("each show the host's screen, whoever types, comes, goes or only reads", function* () {
    const { attach, output, size } = yield* session
    const big = yield* attach("big", { cols: 140, rows: 45 })
    const reader = yield* attach("reader", { cols: 60, rows: 20 }, true)
    const right = (what: string, ...all: ReadonlyArray<typeof big>) => {
      for (const viewer of all) assert.deepStrictEqual(viewer.faults(), [], what)
    }
    yield* output(frame(size(), "one"))
    right("at first", big, reader)
    const small = yield* attach("small", { cols: 40, rows: 12 })
    assert.deepStrictEqual(size(), { cols: 40, rows: 12 }, "who came last decides")
    right("one comes", big, reader, small)
    yield* output(`\x1b[2J\x1b[H${frame(size(), "two", 30)}`)
    right("it draws anew", big, reader, small)
    assert.include(big.terminal.text(), " 40×12 ┘")
    yield* big.type("x")
    assert.deepStrictEqual(size(), { cols: 140, rows: 45 })
    yield* output(`\x1b[2J\x1b[H${frame(size(), "three", 60)}`)
    right("the big one types", big, reader, small)
    yield* output("日本 and \x1b[44mblue\x1b[m\r\n")
    right("more", big, reader, small)
    yield* output(`\x1b[?1049h\x1b[2J\x1b[5;100Hfar out\x1b[?2004h`)
    right("the alternate screen", big, reader, small)
    assert.isTrue(small.terminal.view().alternate)
    assert.isTrue(TerminalModes.isOn(small.terminal.modes(), 2004))
    yield* output(`\x1b[?1049l`)
    right("and back", big, reader, small)
    yield* small.type("y")
    right("the small one types", big, reader, small)
    yield* small.resize({ cols: 50, rows: 14 })
    right("it gets larger", big, reader, small)
    yield* small.leave
    assert.deepStrictEqual(size(), { cols: 140, rows: 45 }, "it grows back")
    right("it leaves", big, reader)
    yield* output(frame(size(), "four"))
    right("at last", big, reader)
    assert.isTrue(big.fits())
  })

  effectWith(ScreenXterm.layer)("that fit again have all that has scrolled meanwhile, once and in order", function* () {
    const { attach, output, size } = yield* session
    const one = yield* attach("one", { cols: 80, rows: 24 })
    let n = 0
    const lines = (count: number) => output(Array.from({ length: count }, () => `#${n++}\r\n`).join(""))
    yield* lines(100)
    yield* one.reserve(5)
    assert.isFalse(one.fits())
    yield* lines(1)
    yield* lines(400)
    assert.deepStrictEqual(one.faults(), [])
    yield* one.reserve(8)
    yield* lines(30)
    yield* one.reserve(0)
    assert.isTrue(one.fits())
    yield* lines(50)
    assert.deepStrictEqual(size(), { cols: 80, rows: 24 })
    assert.deepStrictEqual(one.faults(), [])
    const seen = numbers(one.terminal.repaint())
    assert.deepStrictEqual(
      seen.slice(-n),
      Array.from({ length: n }, (_, i) => i)
    )
    assert.strictEqual(seen.length, n, "nothing twice")
  })

  effectWith(ScreenXterm.layer)("that fit again after another one had the session's size have it too", function* () {
    const { attach, output } = yield* session
    const one = yield* attach("one", { cols: 80, rows: 24 })
    let n = 0
    const lines = (count: number) => output(Array.from({ length: count }, () => `#${n++}\r\n`).join(""))
    yield* lines(100)
    const two = yield* attach("two", { cols: 40, rows: 12 })
    yield* lines(60)
    assert.deepStrictEqual(one.faults(), [])
    yield* two.leave
    yield* lines(40)
    assert.deepStrictEqual(one.faults(), [])
    const seen = numbers(one.terminal.repaint())
    assert.deepStrictEqual(
      [...new Set(seen)],
      Array.from({ length: n }, (_, i) => i),
      "none is missing"
    )
    assert.isAtMost(seen.length - n, 24, "no more twice than what a taller window shows again")
  })

  effectWith(ScreenXterm.layer)(
    "get output for their terminal byte for byte, whatever is over it meanwhile",
    function* () {
      const { attach, output } = yield* session
      const one = yield* attach("one", { cols: 80, rows: 24 })
      yield* one.reserve(4)
      const parts = ["a\x1b[3", "1mred\x1b[m", "\x1b]8;;http://a", "\x1b\\link\x1b]8;;\x1b\\\r\n", "tail\x1b["]
      yield* output(parts[0]!)
      yield* output(parts[1]!)
      yield* one.reserve(6)
      yield* output(parts[2]!)
      yield* output(parts[3]!)
      yield* output(parts[4]!)
      one.bytes()
      yield* one.reserve(0)
      yield* output("2mfaint")
      assert.isTrue(one.bytes().endsWith(`${parts.join("")}2mfaint`))
      assert.deepStrictEqual(one.faults(), [])
    }
  )

  effectWith(ScreenXterm.layer)("are asked nothing while they are clipped: the host knows the screen", function* () {
    const { attach, output, viewers } = yield* session
    const one = yield* attach("one", { cols: 80, rows: 24 })
    assert.isTrue(viewers.hasPrimary())
    yield* one.reserve(3)
    assert.isFalse(viewers.hasPrimary())
    yield* output("\x1b[6n")
    yield* one.reserve(0)
    assert.isTrue(viewers.hasPrimary())
  })

  effectWith(ScreenXterm.layer)("still hear the bell, and get what is for the terminal itself", function* () {
    const { attach, output } = yield* session
    const one = yield* attach("one", { cols: 80, rows: 24 })
    yield* one.reserve(3)
    one.bytes()
    yield* output("text\x07\x1b]0;title\x07\x1b]52;c;aG")
    yield* output("k=\x07\x1b]777;notify;a;b\x1b\\\x1b]9;4;1;50\x07\x1b[31m")
    assert.match(one.bytes(), /^\x07[^]*\x1b\]52;c;aGk=\x07\x1b\]777;notify;a;b\x1b\\/)
    assert.deepStrictEqual(one.faults(), [])
  })

  effectWith(ScreenXterm.layer)(
    "are drawn as often as eyes can use, and not in the middle of an update, but for one without an end",
    function* () {
      const { attach, output, viewers } = yield* session
      const one = yield* attach("one", { cols: 80, rows: 24 })
      yield* one.reserve(3)
      const before = one.frames.length
      for (let i = 0; i < 50; i++) viewers.output([{ _tag: "Text", data: "x" }])
      yield* TestClock.adjust(100)
      assert.isAtMost(one.frames.length - before, 2)
      yield* output("\x1b[?2026h\x1b[Hhalf")
      assert.notInclude(one.terminal.text(), "half")
      yield* TestClock.adjust(200)
      assert.include(one.terminal.text(), "half")
      viewers.exited({ code: 0, signal: null })
      yield* TestClock.adjust(1)
      assert.strictEqual(one.frames.at(-1), "Exited")
    }
  )
})
