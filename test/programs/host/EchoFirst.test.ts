import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as EchoFirst from "../../../src/programs/host/EchoFirst.ts"

const test = (body: (run: (name: string, task?: () => void) => void, done: () => string) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { run } = yield* EchoFirst.EchoFirst
    const done: Array<string> = []
    yield* body(
      (name, task) =>
        run(() => {
          done.push(name)
          task?.()
        }),
      () => done.splice(0).join()
    )
  }).pipe(Effect.provide(EchoFirst.layer))

describe("what follows from a key, and from output", () => {
  it.effect("waits for the echo, together, each time anew", () =>
    test((run, done) =>
      Effect.gen(function* () {
        for (const round of ["a", "b", "c"]) {
          run(`${round}1`)
          yield* TestClock.adjust(EchoFirst.echoMs - 1)
          run(`${round}2`)
          assert.strictEqual(done(), "")
          yield* TestClock.adjust(1)
          assert.strictEqual(done(), `${round}1,${round}2`)
          yield* TestClock.adjust(1000)
          assert.strictEqual(done(), "")
        }
      })
    )
  )

  it.effect("is not lost where it comes of what ran, nor by what fails", () =>
    test((run, done) =>
      Effect.gen(function* () {
        run("first", () => {
          run("second")
          throw new Error("failed")
        })
        run("beside it")
        yield* TestClock.adjust(EchoFirst.echoMs)
        assert.strictEqual(done(), "first,beside it")
        yield* TestClock.adjust(EchoFirst.echoMs)
        assert.strictEqual(done(), "second")
      })
    )
  )
})
