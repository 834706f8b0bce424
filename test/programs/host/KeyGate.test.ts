import { assert, describe } from "@effect/vitest"
import { Context, Effect, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Keyboard from "../../../src/programs/host/Keyboard.ts"
import * as KeyGate from "../../../src/programs/host/KeyGate.ts"
import * as Outbox from "../../../src/programs/host/Outbox.ts"
import { recorderOf, RuntimeFake } from "../../support/host/parts.ts"
import { effect } from "../../support/run/effects.ts"

/** A CLI that takes all at once. */
const taking = (sent: Array<string>): Parameters<Outbox.Outbox["Service"]["deliverTo"]>[0] => {
  const writeNow = (bytes: Uint8Array): number => {
    sent.push(Buffer.from(bytes).toString("latin1"))
    return bytes.length
  }
  return { writeNow, write: (bytes) => Effect.sync(() => void writeNow(bytes)) }
}

/** The way of keys to the CLI, with a runtime that notes what it is told. */
const way = Effect.gen(function* () {
  const runtime = new RuntimeFake()
  const recorder = recorderOf()
  const context = yield* Layer.build(
    Keyboard.layer.pipe(
      Layer.provideMerge(KeyGate.layer),
      Layer.provideMerge(Outbox.layer),
      Layer.provide([recorder.layer, runtime.layer])
    )
  )
  const outbox = Context.get(context, Outbox.Outbox)
  const sent: Array<string> = []
  yield* outbox.deliverTo(taking(sent)).pipe(Effect.forkScoped({ startImmediately: true }))
  return {
    keyboard: Context.get(context, Keyboard.Keyboard),
    gate: Context.get(context, KeyGate.KeyGate),
    outbox,
    notes: recorder.notes,
    events: () => runtime.take(),
    sent: Effect.as(TestClock.adjust(1), sent)
  }
})

const user = (data: string, keys: ReadonlyArray<"text" | "ctrl-c" | "escape" | "enter">) =>
  ({ data, keys, by: "user" }) as const

describe("keys on their way to the CLI", () => {
  effect("are passed on at once, and the machine hears of those that a person pressed", function* () {
    const { events, keyboard, notes, sent } = yield* way
    keyboard.press(user("hi", ["text"]))
    keyboard.press({ data: "\x1b[7;7R", keys: [], by: "user" })
    assert.deepStrictEqual(yield* sent, ["hi", "\x1b[7;7R"])
    assert.deepStrictEqual(events(), [{ _tag: "Input", at: 0, keys: ["text"], by: "user" }])
    assert.deepStrictEqual(notes, ["i user hi", "i user \x1b[7;7R"])
  })

  effect("wait while leap types, and follow in one piece; the machine hears of them when they go", function* () {
    const { events, gate, keyboard, outbox, sent } = yield* way
    assert.isNull(gate.hold(true))
    keyboard.press(user("a", ["text"]))
    outbox.write("message", "leap")
    keyboard.press(user("b\r", ["text", "enter"]))
    keyboard.press({ data: "\x1b[7;7R", keys: [], by: "user" })
    assert.isNull(gate.hold(true), "shut is shut")
    assert.deepStrictEqual(yield* sent, ["message", "\x1b[7;7R"], "replies do not wait")
    assert.deepStrictEqual(events(), [])
    assert.deepStrictEqual(gate.hold(false), { keys: ["text", "text", "enter"], by: "user" })
    assert.deepStrictEqual(yield* sent, ["message", "\x1b[7;7R", "ab\r"])
    assert.isNull(gate.hold(false))
  })

  effect("that stop something pass, and leap's own do", function* () {
    const { events, gate, keyboard, sent } = yield* way
    gate.hold(true)
    keyboard.press(user("\x03", ["ctrl-c"]))
    keyboard.pressOwn("\r")
    assert.deepStrictEqual(yield* sent, ["\x03", "\r"])
    assert.deepStrictEqual(events(), [
      { _tag: "Input", at: 0, keys: ["ctrl-c"], by: "user" },
      { _tag: "Input", at: 0, keys: ["enter"], by: "leap" }
    ])
    assert.isNull(gate.hold(false), "nothing had waited")
  })

  effect("the machine hears at once that the Escape key was none, though the rest of its sequence waits", function* () {
    const { events, gate, keyboard } = yield* way
    gate.hold(true)
    keyboard.press({ ...user("[A", ["text"]), continues: true })
    assert.deepStrictEqual(events(), [{ _tag: "Input", at: 0, keys: [], by: "user", continues: true }])
    assert.deepStrictEqual(gate.hold(false), { keys: ["text"], by: "user" })
  })
})

describe("what goes to the CLI", () => {
  effect("waits for the CLI's start, in its order, as UTF-8; the record marks where a message begins", function* () {
    const recorder = recorderOf()
    const context = yield* Layer.build(Layer.provide(Outbox.layer, recorder.layer))
    const outbox = Context.get(context, Outbox.Outbox)
    outbox.write("\x1b[?62;22c", "leap")
    outbox.type({ _tag: "Write", purpose: "text", data: "é" })
    outbox.type({ _tag: "Write", purpose: "submit", data: "\r" })
    const sent: Array<string> = []
    yield* outbox.deliverTo(taking(sent)).pipe(Effect.forkScoped({ startImmediately: true }))
    assert.deepStrictEqual(sent, ["\x1b[?62;22c", "\xc3\xa9", "\r"])
    assert.deepStrictEqual(recorder.notes, ["i leap \x1b[?62;22c", "m send", "i leap \xc3\xa9", "i leap \r"])
  })

  effect(
    "goes to the CLI in the moment in which it is written; what the CLI does not take waits in its order",
    function* () {
      const context = yield* Layer.build(Layer.provide(Outbox.layer, recorderOf().layer))
      const outbox = Context.get(context, Outbox.Outbox)
      const sent: Array<string> = []
      const gate = yield* Latch.make(false)
      let room = 3
      const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1")
      yield* outbox
        .deliverTo({
          writeNow: (bytes) => {
            const taken = bytes.subarray(0, room)
            room -= taken.length
            if (taken.length > 0) sent.push(text(taken))
            return taken.length
          },
          write: (bytes) =>
            Effect.andThen(
              gate.await,
              Effect.sync(() => void sent.push(text(bytes)))
            )
        })
        .pipe(Effect.forkScoped({ startImmediately: true }))
      outbox.write("ab", "user")
      assert.deepStrictEqual(sent, ["ab"], "at once")
      outbox.write("cde", "user")
      room = 9
      outbox.write("f", "user")
      assert.deepStrictEqual(sent, ["ab", "c"])
      assert.strictEqual(outbox.waiting(), 3)
      const below = yield* Effect.forkScoped(outbox.awaitBelow(0), { startImmediately: true })
      yield* TestClock.adjust(1)
      assert.isUndefined(below.pollUnsafe(), "something waits")
      yield* gate.open
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(sent, ["ab", "c", "de", "f"])
      assert.strictEqual(outbox.waiting(), 0)
      assert.isDefined(below.pollUnsafe())
      outbox.write("g", "user")
      assert.deepStrictEqual(sent.at(-1), "g", "at once again")
    }
  )
})
