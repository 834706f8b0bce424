import { assert, describe } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { makeTerminalReplies } from "../../../src/programs/attach/TerminalReplies.ts"
import { effect } from "../../support/run/effects.ts"

const attributes = "\x1b[?62;22c"

const terminal = Effect.gen(function* () {
  const written: Array<string> = []
  const replies = yield* makeTerminalReplies({
    write: (data) => Effect.sync(() => void written.push(Buffer.from(data).toString("latin1")))
  })
  /** Whether it may be left by now; else what it waits for is let go. */
  const leaves = Effect.gen(function* () {
    const leaving = yield* Effect.forkChild(replies.settled, { startImmediately: true })
    return { isOver: () => leaving.pollUnsafe() !== undefined, join: Fiber.join(leaving) }
  })
  return { ...replies, leaves, written: () => written.splice(0).join("") }
})

describe("a terminal that is left", () => {
  effect("waits for the answer to what leap asked, as long as one may come", function* () {
    const { ask, leaves, take, written } = yield* terminal
    yield* ask("\x1b]7501;?\x1b\\")
    assert.strictEqual(written(), "\x1b]7501;?\x1b\\\x1b[c")
    const one = yield* leaves
    yield* TestClock.adjust("2 seconds")
    assert.isFalse(one.isOver())
    assert.isTrue(take(attributes))
    yield* one.join
    assert.isTrue((yield* leaves).isOver(), "nothing is to come any more")
    assert.isFalse(take(attributes), "who asks now gets it")
    yield* ask("")
    const two = yield* leaves
    yield* TestClock.adjust("4900 millis")
    assert.isFalse(two.isOver())
    yield* TestClock.adjust("200 millis")
    assert.isTrue(two.isOver(), "a terminal that does not answer keeps nobody")
  })

  effect("asks once more behind what the CLI asked, however that was cut", function* () {
    const { ask, leaves, shown, take, written } = yield* terminal
    yield* ask("")
    assert.isTrue(take(attributes))
    for (const output of ["plain \x1b[31mred", "\x1b[2;3H", "\x1b]0;title\x07", "\x1b[?25l", "\x1b[22;0t"])
      shown(output)
    assert.isTrue((yield* leaves).isOver(), "nothing was asked")
    written()
    for (const cut of [["\x1b]11;?\x1b\\"], ["a\x1b", "[6n"], ["\x1b[?", "u"], ["\x1b[c"], ["\x1bP+q54", "4e\x1b\\"]]) {
      for (const output of cut) shown(output)
      const left = yield* leaves
      assert.isFalse(left.isOver(), JSON.stringify(cut))
      assert.strictEqual(written(), "\x1b[c", JSON.stringify(cut))
      if (cut[0] === "\x1b[c") {
        assert.isFalse(take(attributes), "the CLI's own")
        assert.isFalse(left.isOver())
      }
      assert.isTrue(take("\x1b]11;rgb:0/0/0\x07"))
      assert.isFalse(left.isOver())
      assert.isTrue(take(attributes))
      yield* left.join
    }
  })
})
