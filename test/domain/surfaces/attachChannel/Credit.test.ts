import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  type Allowance,
  type Credit,
  done,
  granted,
  received,
  start,
  window
} from "../../../../src/domain/surfaces/attachChannel/Credit.ts"

/** One thing that happens between a sender and a receiver; `amount` is a share of what is possible. */
const Step = Schema.Struct({
  what: Schema.Literals(["send", "arrive", "finish", "tell"]),
  amount: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
})
const Script = Schema.Array(Step).check(Schema.isMaxLength(80))

describe("the flow of bytes on the attach channel", () => {
  it.prop("never has more under way than one window, loses nothing, and always goes on", [Script], ([script]) => {
    let credit: Credit = window
    let allowance: Allowance = start
    const wire: Array<number> = []
    const grants: Array<number> = []
    let unfinished = 0
    let sent = 0
    let finished = 0
    const arrive = (): void => {
      const bytes = wire.shift()
      if (bytes === undefined) return
      const next = received(allowance, bytes)
      if (next === null) return assert.fail("an honest sender is refused")
      allowance = next
      unfinished += bytes
    }
    const finish = (bytes: number): void => {
      unfinished -= bytes
      finished += bytes
      const next = done(allowance, bytes)
      allowance = next.allowance
      if (next.grant > 0) grants.push(next.grant)
    }
    const tell = (): void => {
      const bytes = grants.shift()
      if (bytes === undefined) return
      const next = granted(credit, bytes)
      if (next === null) return assert.fail("an honest receiver is refused")
      credit = next
    }
    for (const { amount, what } of script) {
      const bytes = Math.floor(amount * (what === "send" ? credit : unfinished))
      if (what === "send" && bytes > 0) {
        credit -= bytes
        sent += bytes
        wire.push(bytes)
      } else if (what === "arrive") arrive()
      else if (what === "finish") finish(bytes)
      else tell()
      const underWay = [...wire, unfinished].reduce((sum, one) => sum + one, 0)
      assert.isAtLeast(credit, 0)
      assert.isAtLeast(allowance.left, 0)
      assert.isAtMost(underWay, window)
      assert.strictEqual(
        credit + underWay + allowance.taken + grants.reduce((sum, one) => sum + one, 0),
        window,
        "every byte of the window is somewhere"
      )
    }
    while (wire.length > 0) arrive()
    finish(unfinished)
    while (grants.length > 0) tell()
    assert.strictEqual(finished, sent)
    assert.isAbove(credit, window / 2, "when all is dealt with, the sender may go on")
  })

  it("is refused where a side takes more than it was granted, or grants more than was sent", () => {
    assert.isNull(received(start, window + 1))
    assert.isNotNull(received(start, window))
    assert.isNull(granted(window, 1))
    assert.isNull(granted(5, 0))
    assert.strictEqual(granted(0, window), window)
  })

  it("is not told of single keys", () => {
    let allowance = start
    let told = 0
    for (let key = 0; key < 1000; key++) {
      const next = done(received(allowance, 1)!, 1)
      allowance = next.allowance
      told += next.grant
    }
    assert.strictEqual(told, 0)
    assert.strictEqual(done(received(allowance, window / 4)!, window / 4).grant, window / 4 + 1000)
  })
})
