import { assert, describe } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import * as MemoryKeeper from "../../../src/programs/host/MemoryKeeper.ts"
import * as SessionScreen from "../../../src/programs/host/SessionScreen.ts"
import { Memory } from "../../../src/services/Memory.ts"
import { contextOf } from "../../support/host/parts.ts"
import { effect } from "../../support/run/effects.ts"

const kept = Effect.gen(function* () {
  let released = 0
  let packed = 0
  const screen = Layer.effect(
    SessionScreen.SessionScreen,
    Effect.map(SessionScreen.SessionScreen, (own) => ({
      ...own,
      compact: () => ++packed
    }))
  ).pipe(Layer.provide(SessionScreen.layer.pipe(Layer.provide([contextOf(), ScreenXterm.layer]))))
  const memory = Layer.succeed(Memory, { release: Effect.sync(() => void released++) })
  const context = yield* Layer.build(MemoryKeeper.layer.pipe(Layer.provide([memory, screen])))
  const { heard, output, reflowed } = Context.get(context, MemoryKeeper.MemoryKeeper)
  return { heard, output, reflowed, released: () => released, packed: () => packed }
})

describe("a host's memory", () => {
  effect("is given back once after a flood, when the session has become still", function* () {
    const { output, released } = yield* kept
    for (let i = 0; i < 100; i++) {
      output(1 << 20)
      yield* TestClock.adjust("1 second")
    }
    assert.strictEqual(released(), 0, "while it goes on")
    yield* TestClock.adjust("1 second")
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(released(), 1)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(released(), 1, "and not again")
    output(9 << 20)
    yield* TestClock.adjust("2 seconds")
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(released(), 2, "until the next flood")
  })

  effect("is given back after what clients have cost, also while one of them goes on asking", function* () {
    const { heard, released } = yield* kept
    for (let i = 0; i < 70; i++) {
      heard(64 << 10)
      yield* TestClock.adjust("1 second")
    }
    assert.strictEqual(released(), 1)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(released(), 1)
  })

  effect("is let alone while there is little of it to give back", function* () {
    const { output, released } = yield* kept
    for (let i = 0; i < 3; i++) {
      output(1 << 20)
      yield* TestClock.adjust("1 minute")
    }
    assert.strictEqual(released(), 0)
  })

  effect(
    "is looked for in the rows above the screen once more has left it, and collected after as much as a flood",
    function* () {
      const { output, packed, released } = yield* kept
      const settled = () => [packed(), released()]
      output(255 << 10)
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(settled(), [0, 0], "too little to look for them")
      output(1 << 10)
      yield* TestClock.adjust("1 second")
      output(1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(settled(), [0, 0], "while it goes on")
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(settled(), [1, 0])
      for (let i = 2; i <= 32; i++) {
        output(256 << 10)
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(settled(), [i, Math.floor(i / 16)])
      }
    }
  )

  effect("is looked for after another width, for which all rows were taken out", function* () {
    const { packed, reflowed, released } = yield* kept
    for (let i = 0; i < 5; i++) {
      reflowed()
      yield* TestClock.adjust("1 second")
    }
    assert.strictEqual(packed(), 0, "while it goes on")
    yield* TestClock.adjust("1 minute")
    assert.deepStrictEqual([packed(), released()], [1, 0])
  })
})
