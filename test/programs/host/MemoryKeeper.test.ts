import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as MemoryKeeper from "../../../src/programs/host/MemoryKeeper.ts"
import { Memory } from "../../../src/services/Memory.ts"

const kept = Effect.gen(function* () {
  let released = 0
  const memory = Layer.succeed(Memory, { release: Effect.sync(() => void released++) })
  const context = yield* Layer.build(MemoryKeeper.layer.pipe(Layer.provide(memory)))
  return { output: Context.get(context, MemoryKeeper.MemoryKeeper).output, released: () => released }
})

describe("a host's memory", () => {
  it.effect("is given back once after a flood, when the session has become still", () =>
    Effect.gen(function* () {
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
    }).pipe(Effect.scoped)
  )

  it.effect("is let alone while there is little of it to give back", () =>
    Effect.gen(function* () {
      const { output, released } = yield* kept
      for (let i = 0; i < 3; i++) {
        output(1 << 20)
        yield* TestClock.adjust("1 minute")
      }
      assert.strictEqual(released(), 0)
    }).pipe(Effect.scoped)
  )
})
