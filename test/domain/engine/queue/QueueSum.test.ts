import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { messages, QueueEntry, QueueRecord, replayLog } from "../../../../src/domain/engine/queue/Queue.ts"
import * as QueueLines from "../../../../src/domain/engine/queue/QueueLines.ts"
import { isFinished } from "../../../../src/domain/engine/queue/QueueSum.ts"
import { Schema } from "effect"

const kept = (entry: QueueEntry) => QueueRecord.cases.Kept.make({ v: 1, entry })

describe("a queue's log with nothing left to send", () => {
  it.prop(
    "is known only where reading it whole finds no message and no damage",
    [Schema.Array(QueueRecord)],
    ([records]) => {
      const log = QueueLines.format(records)
      if (!isFinished(log)) return
      const { damaged, newer, records: read } = QueueLines.parse(log)
      assert.deepStrictEqual([messages(replayLog(read)), damaged, newer], [[], [], false])
    }
  )

  it.prop(
    "is known where all that was kept is finished, and no more when a byte of it changes",
    [Schema.Array(QueueEntry), Schema.Int],
    ([entries, at]) => {
      const finished = entries.map((entry) =>
        kept({ ...entry, message: { ...entry.message, status: "done", outcome: "completed" } })
      )
      const log = QueueLines.format(finished)
      assert.isTrue(isFinished(log))
      const place = Math.abs(at) % Math.max(1, log.length)
      const byte = Option.fromUndefinedOr(log[place])
      if (Option.isNone(byte)) return
      const changed = log.slice()
      changed[place] = byte.value ^ 1
      assert.isFalse(isFinished(changed))
      assert.isFalse(isFinished(log.subarray(0, log.length - 1)))
    }
  )

  it("is not one in which a message waits", () => {
    const message = { id: "1", text: "x", images: [], queuedAt: "", status: "held", force: false, why: null } as const
    assert.isFalse(isFinished(QueueLines.format([kept({ message, attempts: 0, attempting: false, at: 0 })])))
    const failed = { ...message, status: "done", outcome: "failed" } as const
    assert.isFalse(isFinished(QueueLines.format([kept({ message: failed, attempts: 0, attempting: false, at: 0 })])))
    assert.isTrue(isFinished(new Uint8Array()))
  })
})
