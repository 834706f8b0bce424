import { assert, describe, it } from "@effect/vitest"
import { doubtOf, holdLeftovers } from "../../../../src/domain/engine/queue/Leftovers.ts"
import { heldByUser } from "../../../../src/domain/words/session/heldMessage.ts"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { queueOf } from "../../../support/data/queueFixtures.ts"

describe("what people are told of a held message before they let it go", () => {
  const after = (...records: ReadonlyArray<Queue.QueueRecord>) => {
    const left = Queue.replayLog(records, queueOf("a"))
    const held = Queue.replayLog(holdLeftovers(left, 9), left)
    return doubtOf(held.entries[0]!.message.why)
  }
  const became = (status: "typed" | "submitted" | "held", why: string | null = null) =>
    Queue.QueueRecord.cases.StatusChanged.make({ v: 1, at: 5, id: "a", status, why })

  it("is nothing where it only waited, or where they held it", () => {
    assert.strictEqual(after(), "")
    assert.strictEqual(after(became("held", heldByUser)), "")
  })

  it("is that it may have been sent, where its host ended over it", () => {
    assert.include(after(Queue.QueueRecord.cases.Attempted.make({ v: 1, at: 4, id: "a" })), "may have been sent")
    assert.include(after(became("typed")), "may have been sent")
    assert.include(after(became("submitted")), "it was sent just before leap ended")
  })
})
