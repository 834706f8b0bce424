import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { sentAgain } from "../../../../src/domain/engine/queue/SentAgain.ts"
import { accepted } from "../../../support/data/queueFixtures.ts"

const outcome = (state: Queue.QueueState, id: string, text = `text of ${id}`, images: ReadonlyArray<string> = []) =>
  Result.match(sentAgain(state, { id, text, images }), {
    onSuccess: (isHere) => (isHere ? "here" : "new"),
    onFailure: ({ reason }) => reason
  })
const over = (id: string, at: number) => [
  accepted(id),
  Queue.QueueRecord.cases.StatusChanged.make({ v: 1, at, id, status: "done", why: null })
]

describe("a message that is sent under an id", () => {
  it.each<readonly [stored: string, text: string, image: string, string]>([
    ["", "", "/a.png", "here"],
    ["", " \n", "/a.png", "here"],
    ["", "", "/b.png", "refused"],
    ["", "look", "/a.png", "refused"],
    ["look", "look", "/a.png", "here"],
    ["look", "", "/a.png", "refused"],
    ["look", "look", "/b.png", "refused"]
  ])("with a picture: %j is stored, %j with %s is %s", (stored, text, image, expected) => {
    const first = { id: "first", at: 0, text: stored, images: ["/a.png"], front: false, force: false }
    const { records } = Result.getOrThrow(Queue.add(Queue.emptyQueue, first))
    assert.strictEqual(outcome(Queue.replayLog(records), "first", text, [image]), expected)
  })

  it.each(["", "abc", "1", "-abcd", "a b c d", "a/b/c", "x".repeat(65)])(
    "has an id that can be named: not %j",
    (id) => {
      assert.strictEqual(outcome(Queue.emptyQueue, id), "invalid")
    }
  )

  it("is refused where it may have been sent and forgotten, and not before", () => {
    const time = Date.UTC(2026, 0, 1)
    const old = "01KDVDNA0000000000000000AB"
    const full = (at: number) =>
      Queue.replayLog(Array.from({ length: Queue.historyLength }, (_, i) => over(`message-${i}`, at + i)).flat())
    assert.strictEqual(outcome(full(time - 1_000), old), "new")
    assert.strictEqual(outcome(full(time + 864e5), old), "refused")
    assert.deepStrictEqual([outcome(full(time - 1), old), outcome(full(time), old)], ["new", "refused"])
    const failed = { ...over("message-failed", time - 864e5)[1], outcome: "failed" } as Queue.QueueRecord
    const behind = Queue.replayLog([over("message-failed", time - 864e5)[0]!, failed])
    const late = Queue.replayLog(
      Array.from({ length: Queue.historyLength }, (_, i) => over(`message-${i}`, time + 864e5 + i)).flat(),
      behind
    )
    assert.strictEqual(outcome(late, old), "refused", "a failed message that is kept for longer says nothing of others")
    const few = Queue.replayLog(over("message-1", time + 864e5))
    assert.strictEqual(outcome(few, old), "new")
  })
})
