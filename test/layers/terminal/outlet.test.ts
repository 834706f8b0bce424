import { assert, describe } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber } from "effect"
import { makeOutlet } from "../../../src/layers/terminal/outlet.ts"
import { effect } from "../../support/run/effects.ts"

const bytes = (text: string): Uint8Array => Buffer.from(text)

/** Who follows, and what it has taken. */
const following = Effect.fnUntraced(function* (outlet: ReturnType<typeof makeOutlet>) {
  const taken: Array<string> = []
  const fiber = yield* Effect.forkChild(
    outlet.follow((data) => void taken.push(Buffer.from(data).toString())),
    { startImmediately: true }
  )
  return { taken, fiber }
})

describe("an outlet", () => {
  effect("gives each chunk in the moment in which it comes, behind what came before", function* () {
    const outlet = makeOutlet()
    outlet.give(bytes("a"))
    outlet.give(bytes("b"))
    const { fiber, taken } = yield* following(outlet)
    assert.deepStrictEqual(taken, ["a", "b"])
    outlet.give(bytes("c"))
    assert.deepStrictEqual(taken, ["a", "b", "c"])
    outlet.end()
    yield* Fiber.join(fiber)
  })

  effect("that has ended gives what it kept, and ends", function* () {
    const outlet = makeOutlet()
    outlet.give(bytes("a"))
    outlet.end()
    const { fiber, taken } = yield* following(outlet)
    yield* Fiber.join(fiber)
    assert.deepStrictEqual(taken, ["a"])
  })

  effect("keeps what comes while nobody follows, and dies of what taking throws", function* () {
    const outlet = makeOutlet()
    const first = yield* following(outlet)
    yield* Fiber.interrupt(first.fiber)
    outlet.give(bytes("kept"))
    assert.deepStrictEqual(first.taken, [])
    const exit = yield* Effect.exit(
      outlet.follow((data) => {
        throw new Error(`no ${Buffer.from(data).toString()}`)
      })
    )
    assert.isTrue(Exit.isFailure(exit))
    assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "no kept")
    outlet.give(bytes("later"))
    assert.deepStrictEqual((yield* following(outlet)).taken, ["later"])
  })
})
