import { assert, describe } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as OutputScanner from "../../../src/domain/terminal/sequences/OutputScanner.ts"
import * as InputBytes from "../../../src/domain/terminal/sequences/InputBytes.ts"
import { toLatin1 } from "../../../src/domain/words/text/Bytes.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import * as CliOutput from "../../../src/programs/host/CliOutput.ts"
import { Keyboard } from "../../../src/programs/host/Keyboard.ts"
import type { Keys } from "../../../src/programs/host/KeyGate.ts"
import * as SessionScreen from "../../../src/programs/host/SessionScreen.ts"
import { TerminalSize } from "../../../src/programs/host/TerminalSize.ts"
import { StopWatch } from "../../../src/programs/host/StopWatch.ts"
import * as UserInput from "../../../src/programs/host/UserInput.ts"
import * as Viewers from "../../../src/programs/host/Viewers.ts"
import { contextOf, publisherOf } from "../../support/host/parts.ts"
import { effect } from "../../support/run/effects.ts"
import { each, rowsOf } from "../../support/data/fields.ts"

/** The terminal's size without a pseudo-terminal. */
const sizeOf = (told: (size: string) => void) =>
  Layer.effect(
    TerminalSize,
    Effect.map(SessionScreen.SessionScreen, (screen) => ({
      set: ({ cols, rows }) => {
        told(`${cols}x${rows}`)
        screen.resize(cols, rows)
      },
      redraw: () => assert.fail("nothing is typed")
    }))
  )

const session = Effect.gen(function* () {
  // nothing is known of the session, so leap says nothing of it
  const publisher = yield* publisherOf({ state: "starting" })
  const sizes: Array<string> = []
  const pressed: Array<Keys> = []
  const context = yield* Layer.build(
    UserInput.layer.pipe(
      Layer.provideMerge(Viewers.layer),
      Layer.provideMerge(sizeOf((size) => void sizes.push(size))),
      Layer.provideMerge([SessionScreen.layer, CliOutput.layer]),
      Layer.provide([
        contextOf(),
        publisher.layer,
        ScreenXterm.layer,
        Layer.succeed(StopWatch, { expect: () => {}, follow: () => Effect.void, check: Effect.void }),
        Layer.succeed(Keyboard, {
          press: (keys) => void pressed.push(keys),
          pressOwn: () => assert.fail("nobody but the user types here")
        })
      ])
    )
  )
  const viewers = Context.get(context, Viewers.Viewers)
  const input = Context.get(context, UserInput.UserInput)
  const screen = Context.get(context, SessionScreen.SessionScreen)
  const scanner = Context.get(context, CliOutput.CliOutput)
  const attach = Effect.fnUntraced(function* (
    id: string,
    more: { readonly readOnly?: boolean; readonly programStatus?: boolean; readonly slow?: boolean } = {}
  ) {
    const frames: Array<string> = []
    const { programStatus = false, readOnly = false } = more
    const fiber = yield* viewers.attach({ id, size: { cols: 100, rows: 30 }, readOnly, programStatus }).pipe(
      Stream.runForEach((frame) => {
        const text =
          frame._tag === "Exited"
            ? `exit ${frame.exit.code}`
            : frame._tag === "Notice"
              ? frame.notice.title
              : toLatin1(frame.data)
        frames.push(frame._tag === "Repaint" ? `<${text}>` : text)
        return more.slow === true ? Effect.never : Effect.void
      }),
      Effect.forkScoped({ startImmediately: true })
    )
    yield* TestClock.adjust(1)
    return { fiber, frames, later: () => frames.slice(1).join("") }
  })
  return {
    attach,
    attached: publisher.attached,
    pressed,
    screen,
    sizes,
    status: publisher.set,
    viewers,
    /** What the CLI writes, as its terminal hands it on. */
    output: (text: string) =>
      Effect.suspend(() => {
        const segments = scanner.scan(text, screen.size())
        screen.feed(Buffer.from(text, "latin1"))
        viewers.output(segments)
        return TestClock.adjust(1)
      }),
    type: (id: string, text: string) => input.receive(id, text)
  }
})

describe("viewers", () => {
  effect("are drawn the screen as it is, then get what comes, without a gap and without an overlap", function* () {
    const { attach, output, screen } = yield* session
    yield* output("before\r\n")
    const viewer = yield* attach("v")
    yield* output("after")
    const long = `\x1b]52;c;${"A".repeat(9_000)}`
    yield* output(long)
    const late = yield* attach("late")
    yield* output("A\x07 end")
    assert.match(viewer.frames[0] ?? "", /^<[^]*before[^]*>$/)
    assert.notInclude(viewer.frames[0], "after")
    assert.strictEqual(viewer.later(), `after${long}A\x07 end`)
    assert.match(late.frames[0] ?? "", /before[^]*after[^]*\x1b\]7999;>$/, "it is in the middle of a sequence")
    assert.strictEqual(late.later(), "A\x07 end")
    assert.include(screen.text(), "after end")
  })

  effect("that lag far behind lose their backlog and are drawn anew", function* () {
    const { output, viewers } = yield* session
    const frames: Array<string> = []
    const gate: Array<() => void> = []
    yield* viewers.attach({ id: "v", size: { cols: 80, rows: 24 }, readOnly: false, programStatus: false }).pipe(
      Stream.runForEach((frame) =>
        Effect.callback<void>((resume) => {
          frames.push(frame._tag)
          gate.push(() => resume(Effect.void))
        })
      ),
      Effect.forkScoped({ startImmediately: true })
    )
    yield* TestClock.adjust(1)
    const line = `${"x".repeat(70)}\r\n`.repeat(10_000)
    for (let i = 0; i < 7; i++) yield* output(line)
    for (let i = 0; i < 4; i++) {
      gate.shift()?.()
      yield* TestClock.adjust(1)
    }
    assert.deepStrictEqual(frames, ["Repaint", "Repaint"])
  })

  effect("get a terminal query only where it is answered, and program status only where it is wanted", function* () {
    const { attach, output, type } = yield* session
    const one = yield* attach("one", { programStatus: true })
    const two = yield* attach("two")
    const reader = yield* attach("reader", { readOnly: true })
    yield* output("a\x1b[6nb\x1b]7501;state=idle\x1b\\c\x1b]7501;?\x1b\\d")
    assert.deepStrictEqual(
      [one.later(), two.later(), reader.later()],
      ["ab\x1b]7501;state=idle\x1b\\cd", "a\x1b[6nbcd", "abcd"]
    )
    yield* type("one", "x")
    yield* output("\x1b[6n")
    assert.isTrue(one.later().endsWith("\x1b[6n"), "who typed last is asked")
    assert.isFalse(two.later().endsWith("\x1b[6n"))
  })

  effect("that say late that they read program status have it at once, and not within a sequence", function* () {
    const { attach, output, status, viewers } = yield* session
    const [one, two] = [yield* attach("one"), yield* attach("two")]
    yield* status({ state: "running", message: null, reason: "it works" })
    yield* output("shown ")
    viewers.readsStatus("one")
    viewers.readsStatus("nobody")
    yield* TestClock.adjust(1)
    assert.match(one.later(), /^shown \x1b\]7501;state=working:[^\x1b]*\x1b\\$/)
    const long = `\x1b]52;c;${"A".repeat(9_000)}`
    yield* output(long)
    viewers.readsStatus("one")
    viewers.readsStatus("two")
    yield* TestClock.adjust(1)
    assert.isTrue(one.later().endsWith(long), "once is enough")
    const redrawn = two.frames.at(-1) ?? ""
    assert.match(redrawn, /^<\x1b\]7501;state=working:[^\x1b]*\x1b\\/)
    assert.isTrue(redrawn.endsWith(OutputScanner.resume(OutputScanner.scan(OutputScanner.start, long).state) + ">"))
    yield* output("\x07more")
    yield* status({ state: "idle", message: null, reason: "it rests" })
    yield* TestClock.adjust(1)
    for (const viewer of [one, two]) assert.match(viewer.later(), /\x07more\x1b\]7501;state=done[^\x1b]*\x1b\\$/)
  })

  effect("are told of leap's own status between two sequences, never within one", function* () {
    const { attach, output, status } = yield* session
    const viewer = yield* attach("v", { programStatus: true })
    const long = `\x1b]52;c;${"A".repeat(9_000)}`
    yield* output(long)
    yield* status({ state: "running", message: null, reason: "it works" })
    yield* TestClock.adjust(1)
    assert.strictEqual(viewer.later(), long)
    yield* output("A\x07 end")
    assert.match(viewer.later().slice(long.length), /^A\x07 end\x1b\]7501;state=working:[^\x1b]*\x1b\\$/)
  })

  effect("are told of the end behind their last bytes, and so are those who come later", function* () {
    const { attach, output, viewers } = yield* session
    const viewer = yield* attach("v")
    yield* output("last")
    viewers.exited({ code: 3, signal: null })
    yield* Fiber.join(viewer.fiber)
    assert.strictEqual(viewer.later(), "lastexit 3")
    const late = yield* attach("late")
    yield* Fiber.join(late.fiber)
    assert.deepStrictEqual(late.frames.slice(1), ["exit 3"])
  })

  effect(
    "are counted while they are attached, and drawn first; the size is that of the one who was active last",
    function* () {
      const { attach, attached, sizes, viewers } = yield* session
      const waits = yield* Effect.forkChild(viewers.awaitDrawn, { startImmediately: true })
      yield* viewers.awaitNone
      assert.isUndefined(waits.pollUnsafe())
      const one = yield* attach("one")
      yield* Fiber.join(waits)
      yield* attach("reader", { readOnly: true })
      const two = yield* attach("two")
      viewers.resize("one", { cols: 50, rows: 10 })
      viewers.resize("reader", { cols: 9, rows: 9 })
      viewers.resize("nobody", { cols: 8, rows: 8 })
      assert.deepStrictEqual(sizes, ["100x30", "100x30"])
      yield* Fiber.interrupt(two.fiber)
      assert.strictEqual(sizes.at(-1), "50x10", "the one before is primary again")
      // the same id attached again takes over: the old stream's end takes nobody away
      const again = yield* attach("one")
      yield* Fiber.interrupt(one.fiber)
      assert.deepStrictEqual(attached, [1, 2, 3, 2, 2])
      assert.isTrue(viewers.hasPrimary())
      yield* Fiber.interrupt(again.fiber)
      assert.deepStrictEqual([viewers.hasPrimary(), attached.at(-1)], [false, 1], "who reads is no primary viewer")
    }
  )
})

describe("what viewers type", () => {
  effect("is keys, sorted; replies count from the primary viewer alone, and nothing from who only reads", function* () {
    const { attach, pressed, type } = yield* session
    yield* attach("one")
    yield* attach("two")
    yield* attach("reader", { readOnly: true })
    yield* type("two", "hi\r")
    yield* type("one", "\x1b[7;7R")
    yield* type("two", "\x1b[8;8R")
    yield* type("reader", "x")
    yield* type("nobody", "x")
    assert.deepStrictEqual(
      rowsOf(
        pressed.filter(({ data }) => data !== ""),
        "data",
        "keys",
        "by"
      ),
      [
        ["hi\r", ["text", "enter"], "user"],
        ["\x1b[8;8R", [], "user"]
      ]
    )
  })

  effect(
    "that may be the beginning of a sequence waits for its rest, and is keys when that does not come",
    function* () {
      const { attach, pressed, type } = yield* session
      yield* attach("one")
      const keys = () => pressed.splice(0).filter(({ data, keys }) => data !== "" || keys.length > 0)
      const cut = yield* Effect.forkChild(type("one", "\x1b[1;"), { startImmediately: true })
      yield* TestClock.adjust(InputBytes.sequenceMs)
      assert.deepStrictEqual(keys(), [])
      yield* TestClock.adjust(2)
      yield* Fiber.join(cut)
      assert.deepStrictEqual(each(keys(), "data"), ["\x1b[1;"])
      const whole = yield* Effect.forkChild(type("one", "\x1b[1;"), { startImmediately: true })
      yield* TestClock.adjust(10)
      yield* type("one", "5A")
      yield* TestClock.adjust(InputBytes.sequenceMs)
      yield* Fiber.join(whole)
      assert.deepStrictEqual(keys(), [{ data: "\x1b[1;5A", keys: ["navigate"], by: "user", continues: false }])
    }
  )
})
