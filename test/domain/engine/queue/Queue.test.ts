import { holdLeftovers } from "../../../../src/domain/engine/queue/Leftovers.ts"
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import * as QueueLines from "../../../../src/domain/engine/queue/QueueLines.ts"
import { allowed, accepted, order, queueOf } from "../../../support/data/queueFixtures.ts"
import { each } from "../../../support/data/fields.ts"

const message = (id: string, more: Partial<Queue.NewMessage> = {}): Queue.NewMessage => ({
  id,
  at: 0,
  text: `text of ${id}`,
  images: [],
  front: false,
  force: false,
  ...more
})
const refusal = (change: Result.Result<Queue.QueueChange, Queue.QueueRefusal>) =>
  Result.isFailure(change) ? change.failure : { why: "allowed", reason: "none" }
const apply = (state: Queue.QueueState, change: Result.Result<Queue.QueueChange, Queue.QueueRefusal>) =>
  Queue.replayLog(allowed(change), state)
const status = (
  id: string,
  status: "held" | "typed" | "submitted" | "started" | "done" | "failed",
  why: string | null = null
) => Queue.QueueRecord.cases.StatusChanged.make({ v: 1, at: 5, id, status, why })
const attempted = (id: string) => Queue.QueueRecord.cases.Attempted.make({ v: 1, at: 4, id })
const states = (state: Queue.QueueState) =>
  Object.fromEntries([...state.entries, ...state.finished].map(({ message }) => [message.id, message.status]))

describe("adding", () => {
  it("puts a message last, in front of those that wait, or first of all when it is forced", () => {
    let state = queueOf("a", "b")
    state = apply(state, Queue.add(state, message("front", { front: true })))
    assert.deepStrictEqual(order(state), ["front", "a", "b"])
    state = apply(state, Queue.add(state, message("now", { force: true })))
    assert.deepStrictEqual(order(state), ["now", "front", "a", "b"])
    state = apply(state, Queue.add(state, message("now2", { force: true })))
    state = apply(state, Queue.add(state, message("front2", { front: true })))
    assert.deepStrictEqual(order(state), ["now", "now2", "front2", "front", "a", "b"])
  })

  it("never gets in front of a message that is under way", () => {
    let state = Queue.replayLog([attempted("a")], queueOf("a", "b"))
    state = apply(state, Queue.add(state, message("now", { force: true })))
    assert.deepStrictEqual(order(state), ["a", "now", "b"])
  })

  it.each([
    [message("a", { text: " \n" }), "invalid", "empty"],
    [message("a", { text: "x", images: ["/a\u001b[201~"] }), "invalid", "cannot be typed"],
    [message("b"), "failed", "already"]
  ])("refuses %j", (wanted, reason, why) => {
    const refused = refusal(Queue.add(queueOf("b"), wanted))
    assert.strictEqual(refused.reason, reason)
    assert.include(refused.why, why)
  })

  it("has an end, past which it says that it is full", () => {
    const full = queueOf(...Array.from({ length: Queue.maxEntries }, (_, i) => `m${i}`))
    const refused = refusal(Queue.add(full, message("one more")))
    assert.strictEqual(refused.reason, "refused")
    assert.include(refused.why, "full")
  })
})

describe("changing what waits", () => {
  it("edits, with the same care for the text", () => {
    const state = apply(queueOf("a", "b"), Queue.edit(queueOf("a", "b"), "b", "new\r\ntext\u0000"))
    assert.strictEqual(Queue.find(state, "b")?.message.text, "new\ntext")
    assert.strictEqual(refusal(Queue.edit(state, "b", " ")).reason, "invalid")
  })

  it.each([
    ["m-long-2", "m-long-2"],
    ["ng-2", "m-long-2"],
    ["M-OTH", "M-OTHER"],
    ["m-oth", "M-OTHER"],
    ["other", "M-OTHER"]
  ])("knows by %s the message %s", (given, id) => {
    const queue = queueOf("M-OTHER", "m-long-1", "m-long-2")
    assert.deepStrictEqual(Queue.idNamed(queue, given), Result.succeed(id))
  })

  it.each([
    ["m-lo", "refused", /LONG-1|m-long-1|ong-1.*or.*ong-2/],
    ["2", "not-found", /is a position.*ong-1/],
    ["9", "not-found", /no message 9/],
    ["nobody", "not-found", /no message nobody/]
  ] as const)("takes %s for no message's name", (given, reason, why) => {
    const named = Queue.idNamed(queueOf("M-OTHER", "m-long-1", "m-long-2"), given)
    assert.isTrue(Result.isFailure(named))
    if (Result.isSuccess(named)) return
    assert.strictEqual(named.failure.reason, reason)
    assert.match(named.failure.why, why)
  })

  it("knows a finished message by name, so that it can be said that it is finished", () => {
    const state = Queue.replayLog([status("m-one", "done")], queueOf("m-one", "m-two"))
    assert.deepStrictEqual(Queue.idNamed(state, "-one"), Result.succeed("m-one"))
  })

  it("counts positions among the waiting messages alone", () => {
    const state = Queue.replayLog([attempted("a")], queueOf("a", "b", "c", "d"))
    assert.deepStrictEqual(order(apply(state, Queue.move(state, "d", 1))), ["a", "d", "b", "c"])
    assert.deepStrictEqual(order(apply(state, Queue.move(state, "b", 3))), ["a", "c", "d", "b"])
  })

  it.each([0, -1, 1.5, NaN])("refuses position %f", (position) => {
    assert.include(refusal(Queue.move(queueOf("a"), "a", position)).why, "no position")
  })

  it("removes and clears, and keeps a receipt that says so until the log is compacted", () => {
    let state = Queue.replayLog([attempted("a"), status("b", "held")], queueOf("a", "b", "c", "d"))
    state = apply(state, Queue.remove(state, "c", 9))
    assert.deepStrictEqual(order(state), ["a", "b", "d"])
    const { message } = Queue.find(state, "c")!
    assert.deepStrictEqual([message.status, message.text], ["removed", "text of c"])
    assert.include(message.why, "removed")
    assert.isNull(Queue.find(Queue.replayLog(Queue.compact(state)), "c"))
    state = Queue.replayLog(Queue.clear(state, 9).records, state)
    assert.deepStrictEqual(order(state), ["a"])
    assert.deepStrictEqual(Queue.clear(state, 9).records, [])
  })

  it("holds and releases", () => {
    let state = queueOf("a", "b")
    state = apply(state, Queue.hold(state, "a", 3, ["not-ready"]))
    assert.deepStrictEqual(
      [Queue.next(state)?.message.id, Queue.find(state, "a")?.message.why],
      ["b", "the CLI was not ready any more"]
    )
    assert.deepStrictEqual(allowed(Queue.release(state, "b", 4)), [])
    state = apply(state, Queue.release(state, "a", 4))
    assert.deepStrictEqual([Queue.next(state)?.message.id, Queue.find(state, "a")?.message.why], ["a", null])
    state = Queue.replayLog([status("a", "held"), status("b", "held")], state)
    assert.lengthOf(allowed(Queue.release(state, null, 4)), 2)
  })

  it("does not let a forced message out unready after it was held", () => {
    let state = apply(Queue.emptyQueue, Queue.add(Queue.emptyQueue, message("a", { force: true })))
    state = Queue.replayLog(holdLeftovers(state, 1), state)
    state = apply(state, Queue.release(state, "a", 2))
    assert.isFalse(Queue.find(state, "a")?.message.force)
  })
})

describe("what cannot be changed", () => {
  const operations = {
    edit: (state: Queue.QueueState, id: string) => Queue.edit(state, id, "x"),
    move: (state: Queue.QueueState, id: string) => Queue.move(state, id, 1),
    remove: (state: Queue.QueueState, id: string) => Queue.remove(state, id, 1),
    hold: (state: Queue.QueueState, id: string) => Queue.hold(state, id, 1, ["not-ready"]),
    release: (state: Queue.QueueState, id: string) => Queue.release(state, id, 1)
  }
  it.each(Object.entries(operations))("%s", (name, operation) => {
    assert.deepStrictEqual(refusal(operation(queueOf("a"), "none")), {
      reason: "not-found",
      why: "there is no message none in the queue"
    })
    for (const [record, why] of [
      [attempted("a"), "being typed"],
      [status("a", "typed"), "being typed"],
      [status("a", "submitted"), "sent already"],
      [status("a", "started"), "sent already"],
      [status("a", "done"), "done already"],
      // one that failed can be taken out
      ...(name === "remove" ? [] : [[status("a", "failed"), "failed already"] as const])
    ] as const) {
      const refused = refusal(operation(Queue.replayLog([record], queueOf("a")), "a"))
      assert.strictEqual(refused.reason, "refused")
      assert.include(refused.why, why)
    }
  })
})

describe("a message whose turn failed", () => {
  const requeued = (id: string) =>
    Queue.QueueRecord.cases.Requeued.make({ v: 1, at: 2, id, counted: false, why: "it failed", outcome: "failed" })
  const doneFailed = (id: string) =>
    Queue.QueueRecord.cases.StatusChanged.make({ v: 1, at: 2, id, status: "done", why: "it failed", outcome: "failed" })
  const attemptedAt = (id: string, at: number) => Queue.QueueRecord.cases.Attempted.make({ v: 1, at, id })
  const ids = (state: Queue.QueueState) => Queue.messages(state).map(({ id }) => id)
  const recordsOf = (change: ReturnType<typeof Queue.retry>) =>
    Result.getOrThrow(change).records.map((record) => ("id" in record ? [record._tag, record.id] : [record._tag]))

  it("goes back before all that were not sent, in the order in which they were, however late that is told", () => {
    const sent = Queue.replayLog(
      [attemptedAt("a", 1), status("a", "done"), attemptedAt("b", 2), status("b", "started")],
      queueOf("a", "b", "c", "d")
    )
    const late = Queue.replayLog([requeued("a")], sent)
    assert.deepStrictEqual(ids(late), ["b", "a", "c", "d"])
    assert.deepStrictEqual(ids(Queue.applyRecord(late, requeued("b"))), ["a", "b", "c", "d"])
    assert.deepStrictEqual(late.finished, [])
  })

  it("stays in the list until it is tried again or taken out, and says how it ended until it goes out", () => {
    const state = Queue.replayLog([attemptedAt("a", 1), status("a", "started"), doneFailed("a")], queueOf("a", "b"))
    assert.deepStrictEqual(ids(state), ["a", "b"])
    assert.deepStrictEqual(Queue.recent(state), [])
    assert.deepStrictEqual(recordsOf(Queue.retry(state, "a", 3)), [["Retried", "a"]])
    assert.deepStrictEqual(recordsOf(Queue.remove(state, "a", 3)), [["Removed", "a"]])
    const again = Queue.applyRecord(state, { _tag: "Retried", v: 1, at: 3, id: "a" })
    assert.strictEqual(Queue.next(again)?.message.id, "a")
    assert.isUndefined(Queue.next(again)?.message.outcome)
    const gone = Queue.applyRecord(state, { _tag: "Removed", v: 1, at: 3, id: "a" })
    assert.deepStrictEqual(ids(gone), ["b"])
    assert.strictEqual(Queue.find(gone, "a")?.message.status, "removed")
    const back = Queue.applyRecord(Queue.replayLog([attemptedAt("a", 1)], queueOf("a", "b")), requeued("a"))
    assert.strictEqual(Queue.find(back, "a")?.message.outcome, "failed")
    assert.isUndefined(Queue.find(Queue.applyRecord(back, attemptedAt("a", 4)), "a")?.message.outcome)
  })

  it("is one of those that 'retry' means; no other is", () => {
    const state = Queue.replayLog(
      [
        attemptedAt("a", 1),
        doneFailed("a"),
        attemptedAt("b", 2),
        requeued("b"),
        attemptedAt("c", 3),
        status("c", "failed")
      ],
      queueOf("a", "b", "c", "d")
    )
    assert.deepStrictEqual(recordsOf(Queue.retry(state, null, 3)), [
      ["Retried", "a"],
      ["Retried", "c"],
      ["Retried", "b"]
    ])
    assert.match(refusal(Queue.retry(state, "d", 3)).why, /has not failed: it is queued$/)
    const held = Queue.replayLog([status("d", "held")], state)
    assert.match(refusal(Queue.retry(held, "d", 3)).why, /has not failed: it is held; release lets it go out$/)
    assert.strictEqual(refusal(Queue.retry(state, "none", 3)).reason, "not-found")
    const all = Queue.replayLog(Result.getOrThrow(Queue.retry(state, null, 3)).records, state)
    assert.deepStrictEqual(ids(all), ["a", "b", "c", "d"])
  })
})

describe("a delivery in the log", () => {
  it("puts the message under way in front, and there it stays when it is taken back", () => {
    const state = Queue.replayLog([status("a", "held"), attempted("c")], queueOf("a", "b", "c"))
    assert.deepStrictEqual(order(state), ["c", "a", "b"])
    const back = Queue.replayLog(
      [Queue.QueueRecord.cases.Requeued.make({ v: 1, at: 6, id: "c", counted: true, why: "no echo" })],
      state
    )
    assert.deepStrictEqual(
      [order(back), Queue.next(back)?.attempts, Queue.next(back)?.message.why],
      [["c", "a", "b"], 1, "no echo"]
    )
  })

  it("says how a turn ended, where that was told late, and nothing else of what is finished", () => {
    const late = Queue.QueueRecord.cases.StatusChanged.make({
      v: 1,
      at: 5,
      id: "a",
      status: "done",
      why: "its turn failed: overloaded",
      outcome: "failed"
    })
    const ended = (first: "done" | "failed") => Queue.replayLog([status("a", first), late], queueOf("a"))
    assert.strictEqual(Queue.find(ended("done"), "a")?.message.outcome, "failed")
    assert.strictEqual(Queue.find(ended("done"), "a")?.message.why, "its turn failed: overloaded")
    assert.lengthOf(ended("done").finished, 1)
    assert.isUndefined(Queue.find(ended("failed"), "a")?.message.outcome)
    const untold = Queue.replayLog([late, status("a", "done")], ended("done"))
    assert.strictEqual(Queue.find(untold, "a")?.message.outcome, "failed")
  })

  it("keeps one whose turn failed in sight, however many are done behind it", () => {
    const ids = Array.from({ length: 60 }, (_, i) => `m${i}`)
    const bad = { ...status("bad", "done"), outcome: "failed" } as const
    const state = Queue.replayLog([bad, ...ids.map((id) => status(id, "done"))], queueOf("bad", ...ids))
    assert.deepStrictEqual(each(Queue.messages(state), "id"), ["bad"])
    assert.lengthOf(Queue.recent(state), Queue.historyLength)
    const seen = Queue.replayLog([{ _tag: "Removed", v: 1, at: 9, id: "bad" }], state)
    assert.deepStrictEqual(Queue.messages(seen), [])
  })
})

describe("a queue that a former host left", () => {
  it("goes out only when asked, and what was under way is in doubt", () => {
    const state = Queue.replayLog(
      [
        attempted("typing"),
        status("typed", "typed"),
        status("sent", "submitted"),
        status("begun", "started"),
        status("held", "held", "mine"),
        status("done", "done")
      ],
      queueOf("typing", "typed", "sent", "begun", "held", "done", "queued")
    )
    const after = Queue.replayLog(holdLeftovers(state, 99), state)
    assert.deepStrictEqual(states(after), {
      typing: "held",
      typed: "held",
      sent: "held",
      begun: "failed",
      held: "held",
      done: "done",
      queued: "held"
    })
    assert.isNull(Queue.next(after))
    assert.include(Queue.find(after, "typing")?.message.why, "may have been sent")
    assert.include(Queue.find(after, "queued")?.message.why, "left over")
    assert.strictEqual(Queue.find(after, "held")?.message.why, "mine")
    assert.deepStrictEqual(holdLeftovers(after, 100), [])
  })

  it("goes on behind a turn whose end nobody saw, when that is tried again; without one it waits for its release", () => {
    const left = (state: Queue.QueueState) => Queue.replayLog(holdLeftovers(state, 99), state)
    const retried = (state: Queue.QueueState, id: string | null) =>
      states(Queue.replayLog(Result.getOrThrow(Queue.retry(state, id, 100)).records, state))
    const cutOff = left(Queue.replayLog([status("a", "started")], queueOf("a", "b", "c")))
    assert.deepStrictEqual(states(cutOff), { a: "failed", b: "held", c: "held" })
    for (const id of [null, "a"]) assert.deepStrictEqual(retried(cutOff, id), { a: "queued", b: "queued", c: "queued" })
    assert.deepStrictEqual(retried(left(queueOf("a", "b")), null), { a: "held", b: "held" })
    const mine = left(Queue.replayLog([status("a", "started"), status("b", "held", "mine")], queueOf("a", "b", "c")))
    assert.deepStrictEqual(retried(mine, null), { a: "queued", b: "held", c: "queued" })
  })
})

const Ids = Schema.Literals(["a", "b", "c", "d"])
const Status = Schema.Literals(["held", "typed", "submitted", "started", "done", "failed"])
/** Logs as no host would write them, too. */
const Logs = Arbitrary.array(
  Arbitrary.schema(
    Schema.Union([
      Schema.Struct({ op: Schema.Literal("accept"), id: Ids, front: Schema.Boolean, force: Schema.Boolean }),
      Schema.Struct({ op: Schema.Literals(["attempt", "requeue", "release", "force", "remove", "edit"]), id: Ids }),
      Schema.Struct({ op: Schema.Literal("status"), id: Ids, status: Status }),
      Schema.Struct({ op: Schema.Literal("move"), id: Ids, before: Schema.NullOr(Ids) }),
      Schema.Struct({ op: Schema.Literal("clear"), ids: Schema.Array(Ids) })
    ])
  ),
  { maxLength: 30 }
).pipe(
  Arbitrary.map((ops) =>
    ops.map((op): Queue.QueueRecord => {
      const { cases } = Queue.QueueRecord
      switch (op.op) {
        case "accept": {
          const base = accepted(op.id)
          return base._tag === "Accepted"
            ? { ...base, front: op.front, message: { ...base.message, force: op.force } }
            : base
        }
        case "attempt":
          return attempted(op.id)
        case "requeue":
          return cases.Requeued.make({ v: 1, at: 7, id: op.id, counted: true, why: null })
        case "release":
          return cases.Released.make({ v: 1, at: 7, id: op.id })
        case "force":
          return cases.Forced.make({ v: 1, at: 7, id: op.id })
        case "remove":
          return cases.Removed.make({ v: 1, at: 7, id: op.id })
        case "edit":
          return cases.Edited.make({ v: 1, id: op.id, text: "edited" })
        case "status":
          return status(op.id, op.status)
        case "move":
          return cases.Moved.make({ v: 1, id: op.id, before: op.before })
        case "clear":
          return cases.Cleared.make({ v: 1, at: 7, ids: op.ids })
      }
    })
  )
)

describe("held and forced", () => {
  const three = Queue.replayLog([accepted("A"), accepted("B"), accepted("C")])
  const order = (state: Queue.QueueState) =>
    state.entries.map(({ message }) => `${message.id} ${message.status}${message.force ? " now" : ""}`)
  const after = (state: Queue.QueueState, change: ReturnType<typeof Queue.force>) =>
    Queue.replayLog(Result.getOrThrow(change).records, state)

  it("a forced one goes before all that wait, behind those that were forced before, also a held one", () => {
    const first = after(three, Queue.force(three, "C", 8))
    assert.deepStrictEqual(order(first), ["C queued now", "A queued", "B queued"])
    const held = after(first, Queue.hold(first, "B", 8, { _tag: "HeldByUser" }))
    assert.deepStrictEqual(order(after(held, Queue.force(held, "B", 9))), ["C queued now", "B queued now", "A queued"])
    assert.isTrue(Result.isFailure(Queue.force(three, "Z", 8)))
  })

  it("all that wait are held at once, and none twice", () => {
    const first = after(three, Queue.hold(three, "B", 8, { _tag: "HeldByUser" }))
    const { records } = Queue.holdAll(first, 9, { _tag: "HeldByUser" })
    assert.strictEqual(records.length, 2)
    assert.deepStrictEqual(order(Queue.replayLog(records, first)), ["A held", "B held", "C held"])
    assert.strictEqual(Queue.next(Queue.replayLog(records, first)), null)
  })
})

describe("a log of another version", () => {
  const line = (more: object) =>
    JSON.stringify({
      _tag: "Accepted",
      v: 1,
      at: 0,
      message: {
        id: "AAAA",
        text: "hi",
        images: [],
        queuedAt: "2026-01-01T00:00:00.000Z",
        status: "queued",
        force: false,
        why: null,
        ...more
      },
      front: false
    })
  it("is read: an older one has no senders, and what a newer one says besides is passed over", () => {
    const sender = { from: "alpha", hops: 2 }
    for (const [more, known] of [
      [{}, { from: undefined, hops: undefined }],
      [sender, sender],
      [{ ...sender, seal: "x" }, sender]
    ] as const) {
      const found = QueueLines.parse(new TextEncoder().encode(`${line(more)}\n`))
      assert.deepStrictEqual([found.damaged.length, found.newer, found.records.length], [0, false, 1])
      const [kept] = Queue.messages(Queue.replayLog(found.records))
      assert.deepStrictEqual({ from: kept?.from, hops: kept?.hops }, known)
      assert.notProperty(kept, "seal")
    }
  })
})

describe("any log", () => {
  it.prop(
    "holds each accepted message exactly once",
    [Logs],
    ([records]) => {
      const state = Queue.replayLog(records)
      const wanted = new Set(records.flatMap((record) => (record._tag === "Accepted" ? [record.message.id] : [])))
      const found = [...state.entries, ...state.finished].map((entry) => entry.message.id)
      assert.deepStrictEqual([...found].sort(), [...wanted].sort())
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "says the same after compaction, and as lines on disk",
    [Logs],
    ([records]) => {
      const state = Queue.replayLog(records)
      const finished = state.finished.filter(({ message }) => message.status !== "removed")
      assert.deepStrictEqual(Queue.replayLog(Queue.compact(state)), { ...state, finished })
      const read = QueueLines.parse(QueueLines.format(records))
      assert.deepStrictEqual(read.records, [...records])
      assert.deepStrictEqual([read.damaged.length, read.unended, read.newer], [0, false, false])
    },
    { arbitrary: { runs: 300 } }
  )

  it.prop(
    "reads nothing that was not written, whatever becomes of one byte of the log",
    [Logs, Arbitrary.schema(Schema.Struct({ place: Schema.Natural, bits: Schema.Natural }))],
    ([records, { bits, place }]) => {
      if (records.length === 0) return
      const bytes = QueueLines.format(records)
      const at = place % bytes.length
      bytes[at] = (bytes[at] ?? 0) ^ ((bits % 255) + 1)
      const read = QueueLines.parse(bytes)
      const written = records.map((record) => JSON.stringify(record))
      for (const record of read.records) assert.include(written, JSON.stringify(record))
      assert.isFalse(read.newer)
      if (read.records.length < records.length) assert.isAbove(read.damaged.length, 0)
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop(
    "leaves nothing that would go out by itself once it is recovered",
    [Logs],
    ([records]) => {
      const state = Queue.replayLog(records)
      const after = Queue.replayLog(holdLeftovers(state, 9), state)
      assert.isNull(Queue.next(after))
      assert.isTrue(after.entries.every((entry) => entry.message.status === "held" && !entry.attempting))
      assert.strictEqual(after.entries.length + after.finished.length, state.entries.length + state.finished.length)
    },
    { arbitrary: { runs: 300 } }
  )
})
