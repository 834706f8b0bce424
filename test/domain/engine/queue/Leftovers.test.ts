import { assert, describe, it } from "@effect/vitest"
import { doubtOf, holdLeftovers } from "../../../../src/domain/engine/queue/Leftovers.ts"
import { heldRecord } from "../../../../src/domain/engine/queue/QueueRecord.ts"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { queueOf } from "../../../support/data/queueFixtures.ts"

describe("what people are told of a held message before they let it go", () => {
  const after = (...records: ReadonlyArray<Queue.QueueRecord>) => {
    const left = Queue.replayLog(records, queueOf("a"))
    const held = Queue.replayLog(holdLeftovers(left, 9), left)
    return doubtOf(held.entries[0]!.message)
  }
  const became = (status: "typed" | "submitted") =>
    Queue.QueueRecord.cases.StatusChanged.make({ v: 1, at: 5, id: "a", status, why: null })

  it("is nothing where it only waited, or where they held it", () => {
    assert.strictEqual(after(), "")
    assert.strictEqual(after(heldRecord("a", 5, { _tag: "HeldByUser" })), "")
  })

  it("is that it may have been sent, where its host ended over it", () => {
    assert.include(after(Queue.QueueRecord.cases.Attempted.make({ v: 1, at: 4, id: "a" })), "may have been sent")
    assert.include(after(became("typed")), "may have been sent")
    assert.include(after(became("submitted")), "it was sent just before leap ended")
  })
})

describe("a message for a moment, which a former host left", () => {
  const minute = 60_000
  it.each([
    ["still to come: it waits for that", 1, "queued"],
    ["just passed: it does not go out unasked", 0, "held"],
    ["passed half an hour ago", -30, "held"],
    ["passed a day ago", -1_440, "held"]
  ] as const)("%s", (_, minutes, status) => {
    const now = 200_000_000
    const at = new Date(now + minutes * minute).toISOString()
    const message = { ...queueOf("a").entries[0]!.message, when: [{ _tag: "At", at }] as const }
    const left = Queue.replayLog([Queue.QueueRecord.cases.Accepted.make({ v: 1, at: 1, message, front: false })])
    assert.strictEqual(Queue.find(Queue.replayLog(holdLeftovers(left, now), left), "a")?.message.status, status)
  })
})
