import { afterEach, beforeEach, chai, vi } from "vitest"
import { testPatience } from "./patience.ts"

// A live test takes as long as its machine does. What computes has the bound of vitest.config.ts.
if (process.env["LEAP_PATIENCE"] !== undefined) vi.setConfig({ testTimeout: testPatience, hookTimeout: testPatience })

/** Counts every assertion of chai's, by whichever of its interfaces: all of them end here. */
const prototype = chai.Assertion.prototype as { assert: (...args: Array<unknown>) => void }
const counted = Symbol.for("leap/test/assertions")
const world = globalThis as { [counted]?: { made: number } }
if (world[counted] === undefined) {
  const count = { made: 0 }
  world[counted] = count
  const { assert } = prototype
  prototype.assert = function (this: unknown, ...args: Array<unknown>) {
    count.made++
    return assert.apply(this, args)
  }
}
const count = world[counted]

/** How many had been made as a test began: tests that run side by side share the count. */
const before = new WeakMap<object, number>()

beforeEach(({ task }) => {
  before.set(task, count.made)
})
/** A test that passes without having asserted anything fails: nothing that leap does could make it fail. */
afterEach(({ task }) => {
  if (count.made > (before.get(task) ?? 0) || (task.result?.errors?.length ?? 0) > 0) return
  throw new Error("this test asserted nothing: it would pass whatever the code does")
})
