import { assert, describe, it } from "@effect/vitest"
import { gather, gatherLimit } from "../../../src/layers/terminal/gather.ts"
import { each } from "../../support/data/fields.ts"

/** An event loop whose turns the test makes. */
const loop = () => {
  const given: Array<string> = []
  let next: Array<() => void> = []
  const { add, flush } = gather(
    (data) => void given.push(Buffer.from(data).toString()),
    (run) => void next.push(run)
  )
  return {
    add: (text: string) => add(Buffer.from(text)),
    flush,
    take: () => given.splice(0),
    turn: () => {
      const now = next
      next = []
      for (const run of now) run()
    },
    isQuiet: () => next.length === 0
  }
}

describe("what a terminal prints", () => {
  it("is given on at once where it comes alone, and nothing runs after it", () => {
    const { add, isQuiet, take, turn } = loop()
    for (const echo of ["a", "b"]) {
      add(echo)
      assert.deepStrictEqual(take(), [echo])
      for (let i = 0; i < 3; i++) turn()
      assert.isTrue(isQuiet())
    }
    assert.deepStrictEqual(take(), [])
  })

  it("is put together while it comes turn after turn, and given on when a turn brings none", () => {
    const { add, take, turn } = loop()
    add("1")
    turn()
    add("2")
    turn()
    add("3")
    turn()
    assert.deepStrictEqual(take(), ["1"])
    turn()
    assert.deepStrictEqual(take(), ["23"])
    add("4")
    assert.deepStrictEqual(take(), [], "it was busy in the turn before")
    turn()
    turn()
    assert.deepStrictEqual(take(), ["4"])
  })

  it("does not wait for long, nor for much, and comes in its order", () => {
    const { add, flush, take, turn } = loop()
    let printed = ""
    let seen = ""
    for (let i = 0; i < 200; i++) {
      printed += `${i},`
      add(`${i},`)
      turn()
      seen += take().join("")
      assert.isTrue(printed.startsWith(seen))
      assert.isBelow(printed.length - seen.length, 200, "it waits no longer than some turns")
    }
    const large = "x".repeat(gatherLimit)
    add(large)
    seen += take().join("")
    assert.strictEqual(seen, printed + large)
    add("x".repeat(gatherLimit - 10))
    add("y".repeat(20))
    flush()
    assert.deepStrictEqual(each(take(), "length"), [gatherLimit - 10, 20], "no piece is more than one frame")
    add("end")
    flush()
    assert.deepStrictEqual(take(), ["end"])
    flush()
    assert.deepStrictEqual(take(), [])
  })
})
