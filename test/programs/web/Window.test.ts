import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { frameText, makeWindow } from "../../../src/programs/web/Window.ts"
import { effect } from "../../support/run/effects.ts"

const output = frameText({ _tag: "Output", data: "x".repeat(1 << 20) })

const begin = Effect.gen(function* () {
  const written: Array<string> = []
  const window = yield* makeWindow((text) => Effect.sync(() => void written.push(text)))
  return { window, written }
})

describe("what goes to a page", () => {
  effect("waits for one that is slow, and goes on when it has taken some", function* () {
    const { window, written } = yield* begin
    const sending = yield* Effect.forkChild(Effect.forEach(Array.from({ length: 20 }), () => window.sendText(output)))
    yield* TestClock.adjust("59 seconds")
    assert.lengthOf(written, 2)
    yield* window.ack(1)
    yield* TestClock.adjust("59 seconds")
    assert.lengthOf(written, 3)
    yield* window.ack(3)
    yield* TestClock.adjust("1 second")
    assert.lengthOf(written, 5)
    yield* Fiber.interrupt(sending)
  })

  effect("is given up after a minute in which nothing is taken", function* () {
    const { window, written } = yield* begin
    const sending = yield* Effect.forkChild(
      Effect.flip(Effect.forEach(Array.from({ length: 3 }), () => window.sendText(output)))
    )
    yield* TestClock.adjust("60 seconds")
    assert.strictEqual((yield* Fiber.join(sending))._tag, "PageLostError")
    assert.lengthOf(written, 2)
  })

  effect("is given up where nothing is said of it for long: what carries it may have stopped unsaid", function* () {
    const { window } = yield* begin
    yield* window.check
    for (const taken of [1, 2]) {
      yield* window.sendText("a")
      yield* TestClock.adjust("149 seconds")
      yield* window.check
      yield* window.ack(taken)
    }
    yield* TestClock.adjust("1 hour")
    yield* window.check
    yield* window.sendText("a")
    yield* TestClock.adjust("150 seconds")
    assert.match((yield* Effect.flip(window.check)).message, /it has not been heard of/)
  })

  effect("is not taken before it is sent, nor given back", function* () {
    const { window } = yield* begin
    yield* window.sendText("a")
    assert.match((yield* Effect.flip(window.ack(2))).message, /frames that it was not sent/)
    yield* window.ack(1)
    assert.match((yield* Effect.flip(window.ack(0))).message, /frames that it was not sent/)
  })
})
