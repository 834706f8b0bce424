import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { conditionsDue, certainEnd, metConditions } from "../../../../src/domain/engine/queue/conditions.ts"
import type { Problem, View } from "../../../../src/domain/words/session/Session.ts"

const at = Date.parse("2026-11-21T06:00:00Z")
const end = Date.parse("2026-11-21T07:33:00Z")

const under = (problem: Problem | null): View => ({
  state: "idle",
  ready: problem === null,
  dialog: false,
  reason: { _tag: "BoxShown" },
  since: at,
  message: null,
  problem,
  background: [],
  changesAt: null,
  notReady: null
})
const limit = (within?: number): Problem => ({
  kind: "rate_limited",
  message: "resets 7:33am",
  until: new Date(end).toISOString(),
  ...(within === undefined ? {} : { within })
})

const queue = Result.getOrThrow(
  Queue.add(Queue.emptyQueue, {
    id: "m1",
    at,
    text: "go on",
    images: [],
    front: false,
    force: false,
    when: [{ _tag: "Reset" }]
  })
).records.reduce(Queue.applyRecord, Queue.emptyQueue)

describe("a message that waits for the end of the limit", () => {
  it.each<readonly [string, Problem, number]>([
    ["exactly", limit(), end],
    ["to the minute", limit(60_000), end + 60_000],
    ["to the hour", limit(3_600_000), end + 3_600_000]
  ])("goes after the latest end that was told %s", (_, problem, latest) => {
    const view = under(problem)
    assert.strictEqual(certainEnd(view), latest)
    assert.strictEqual(conditionsDue(queue, view, at), latest)
    assert.strictEqual(conditionsDue(queue, view, end), latest === end ? null : latest)
    assert.deepStrictEqual(metConditions(queue, view, latest - 1), [])
    assert.deepStrictEqual(
      metConditions(queue, view, latest).map((record) => (record._tag === "Conditioned" ? record.when : record)),
      [[]]
    )
  })

  it("waits where that is not known, and goes where there is no limit", () => {
    const unknown = under({ kind: "rate_limited", message: "later", until: null })
    assert.isNull(certainEnd(unknown))
    assert.isNull(conditionsDue(queue, unknown, at))
    assert.deepStrictEqual(metConditions(queue, unknown, at + 1e12), [])
    assert.strictEqual(metConditions(queue, under(null), at).length, 1)
    assert.isNull(certainEnd(under({ ...limit(60_000), kind: "overloaded" })))
  })
})

describe("a message that waits for background work", () => {
  const waits = queue.entries.map((entry) => ({
    ...entry,
    message: { ...entry.message, when: [{ _tag: "Background" as const }] }
  }))
  const task = { id: "b", kind: "shell", title: "build", state: "running" }
  it.each<readonly [string, Partial<View>, boolean]>([
    ["at rest, with none", { ready: true }, true],
    ["at rest, with some", { ready: true, background: [task] }, false],
    ["at rest for a moment: what runs is not read yet", { ready: false }, false],
    ["stopped in a turn, at whose end it would have been read", { state: "interrupted", ready: true }, false],
    ["with background work alone", { state: "churning", ready: true }, false]
  ])("%s", (_, view, goes) => {
    const met = metConditions({ ...queue, entries: waits }, { ...under(null), ...view }, at)
    assert.strictEqual(met.length, goes ? 1 : 0)
  })
})
