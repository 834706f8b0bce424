import { assert, describe, it } from "@effect/vitest"
import * as Delivery from "../../../../src/domain/engine/delivery/Delivery.ts"
import { type Pass, untilSettled } from "../../../../src/domain/engine/delivery/runPhases.ts"
import { DeliveryCommand } from "../../../../src/domain/engine/delivery/DeliveryCommand.ts"
import { emptyQueue } from "../../../../src/domain/engine/queue/Queue.ts"
import { blankFacts } from "../../../../src/domain/words/session/Screen.ts"
import { viewOf } from "../../../support/brains.ts"

const at = 1_000
const begin = Delivery.start(at, viewOf(blankFacts, at), emptyQueue)
const waiting = (id: string) => ({ _tag: "Waiting", id, since: null }) as const
const says = (message: string) => DeliveryCommand.cases.Announce.make({ message })
/** Passes that lead from one message to the next. */
const along =
  (next: (id: string) => string | null) =>
  (m: Delivery.Delivery): Pass => {
    const from = m.waiting?.id ?? "a"
    const to = next(from)
    return to === null
      ? {
          memory: m,
          commands: [],
          hasMoved: false,
          waits: [{ id: from, phase: "Waiting", awaited: "its time to go", until: 9 }]
        }
      : { memory: { ...m, waiting: waiting(to) }, commands: [says(to)], hasMoved: true, waits: [] }
  }

describe("phases that move on", () => {
  it("do so until all wait, and the memory has what they wait for", () => {
    const [m, commands] = untilSettled(
      along((id) => ({ a: "b", b: "c" })[id] ?? null),
      begin
    )
    assert.deepStrictEqual(commands, [says("b"), says("c")])
    assert.deepStrictEqual([m.waiting?.id, Delivery.wakeAt(m)], ["c", 9])
  })

  it("in a circle are stopped when it closes, and asked again at once", () => {
    const [m, commands] = untilSettled(
      along((id) => ({ a: "b", b: "c", c: "b" })[id] ?? null),
      begin
    )
    assert.deepStrictEqual(commands, [says("b"), says("c"), says("b")])
    assert.strictEqual(Delivery.wakeAt(m), at + 1)
  })
})
