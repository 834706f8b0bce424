import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import {
  hopsBehind,
  mayTake,
  mayWrite,
  mostUnattended,
  type PostLimits,
  type Sent
} from "../../../../src/domain/engine/agentMail/PostLimits.ts"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"

const minute = 60_000
const begin = Date.UTC(2026, 0, 1)
const limits: PostLimits = { maxHops: 8, perHour: 30 }
const wide: PostLimits = { maxHops: 1_000_000, perHour: 1_000_000 }

const apply = (queue: Queue.QueueState, records: ReadonlyArray<Queue.QueueRecord>) => Queue.replayLog(records, queue)
const accept = (queue: Queue.QueueState, id: string, at: number, from?: string, hops = 1) =>
  apply(
    queue,
    Result.getOrThrow(
      Queue.add(queue, {
        id,
        at,
        text: "hi",
        images: [],
        front: false,
        force: false,
        ...(from === undefined ? {} : { byAgent: { from, hops, held: null } })
      })
    ).records
  )
const end = (queue: Queue.QueueState, id: string, at: number) =>
  apply(queue, [Queue.QueueRecord.cases.StatusChanged.make({ v: 1, at, id, status: "done", why: null })])

const why = <A>(result: Result.Result<A, Queue.QueueRefusal>) =>
  Result.isFailure(result) ? result.failure.why : "taken"

describe("hops", () => {
  it("count from the user's last word, and what only waits does not count", () => {
    let queue = accept(Queue.emptyQueue, "A", begin, "b", 3)
    assert.strictEqual(hopsBehind(queue, null), 0)
    queue = end(queue, "A", begin + 1)
    assert.strictEqual(hopsBehind(queue, null), 3)
    queue = end(accept(queue, "B", begin + 2, "c", 1), "B", begin + 3)
    assert.strictEqual(hopsBehind(queue, null), 3, "the longest chain counts")
    assert.strictEqual(hopsBehind(queue, begin + 2), 1, "the user has entered a prompt since the first")
    queue = accept(queue, "U", begin + 4)
    assert.strictEqual(hopsBehind(queue, null), 3, "the user's word has not got there")
    queue = end(queue, "U", begin + 5)
    assert.strictEqual(hopsBehind(queue, null), 0)
  })

  it("beyond the limit are refused, with what the user can do", () => {
    const queue = end(accept(Queue.emptyQueue, "A", begin, "b", 8), "A", begin)
    assert.include(why(mayWrite(queue, null, [], begin, limits)), "the user says something in this session")
    assert.deepInclude(Result.getOrThrow(mayWrite(queue, null, [], begin, { ...limits, maxHops: 9 })), { hops: 9 })
    assert.include(why(mayTake(Queue.emptyQueue, null, { from: "b", hops: 9 }, begin, limits)), "beyond 8")
  })
})

describe("rates", () => {
  it("of a session that writes are counted for an hour", () => {
    let sent: Sent = []
    for (let n = 0; n < 30; n++)
      sent = Result.getOrThrow(mayWrite(Queue.emptyQueue, null, sent, begin + n, limits)).sent
    assert.include(why(mayWrite(Queue.emptyQueue, null, sent, begin + minute, limits)), "30 messages")
    assert.deepStrictEqual(
      Result.getOrThrow(mayWrite(Queue.emptyQueue, null, sent, begin + 61 * minute, limits)).sent,
      [begin + 61 * minute]
    )
  })

  it("of a session that is written to count all senders, and letters that were removed", () => {
    let queue = Queue.emptyQueue
    for (let n = 0; n < 30; n++) queue = accept(queue, `M${n}`, begin + n, `s${n}`)
    queue = apply(queue, Queue.clear(queue, begin + 50).records)
    const letter = { from: "z", hops: 1 }
    assert.include(why(mayTake(queue, null, letter, begin + minute, limits)), "30 messages")
    assert.strictEqual(why(mayTake(queue, null, letter, begin + 61 * minute, limits)), "taken")
  })
})

/** Agents by their numbers: to whom each writes for every message that it gets. */
const Graph = Schema.Array(
  Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4 }))).check(Schema.isMaxLength(4))
).check(Schema.isMinLength(5), Schema.isMaxLength(5))

interface Agent {
  queue: Queue.QueueState
  sent: Sent
}

/**
 * Lets agents answer each message that they get to all that they write to, until none is left. `pace`: the time between
 * two messages, so that rates are no limit where it is long. Returns the number of messages, with the user's.
 */
const exchange = (graph: ReadonlyArray<ReadonlyArray<number>>, pace: number, rules: PostLimits): number => {
  const agents: Array<Agent> = graph.map(() => ({ queue: Queue.emptyQueue, sent: [] }))
  let at = begin
  let count = 0
  const waiting: Array<readonly [agent: number, id: string]> = []
  graph.forEach((_, index) => {
    const agent = agents[index]!
    agent.queue = accept(agent.queue, `U${index}`, at)
    waiting.push([index, `U${index}`])
  })
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [index, id] = next
    const agent = agents[index]!
    agent.queue = end(agent.queue, id, at)
    assert.isBelow(++count, 2_000, "they do not come to rest")
    for (const to of graph[index]!) {
      at += pace
      const leave = mayWrite(agent.queue, null, agent.sent, at, rules)
      if (Result.isFailure(leave)) continue
      agent.sent = leave.success.sent
      const other = agents[to]!
      const letter = { from: `a${index}`, hops: leave.success.hops }
      if (to === index || Result.isFailure(mayTake(other.queue, null, letter, at, rules))) continue
      const name = `M${at}-${count}-${to}-${waiting.length}`
      other.queue = accept(other.queue, name, at, letter.from, letter.hops)
      waiting.push([to, name])
    }
  }
  return count
}

describe("agents that answer each other", () => {
  it.prop(
    "come to rest, however they are connected and however slow they are",
    [Graph, Schema.Literals([1, minute, 60 * minute, 25 * 60 * minute])],
    ([graph, pace]) => {
      assert.isAtMost(exchange(graph, pace, limits), 5 + 5 * mostUnattended)
    },
    { arbitrary: { runs: 20 } }
  )

  it.prop(
    "come to rest where the user has lifted the limits, too",
    [Graph],
    ([graph]) => {
      assert.isAtMost(exchange(graph, minute, wide), 5 + 5 * mostUnattended)
    },
    { arbitrary: { runs: 20 } }
  )

  it("one that writes by itself, without being answered, is stopped by who takes it", () => {
    let queue = Queue.emptyQueue
    let taken = 0
    for (let n = 0; n < 500; n++) {
      const at = begin + n * 60 * minute
      if (Result.isFailure(mayTake(queue, null, { from: "a", hops: 1 }, at, wide))) continue
      queue = end(accept(queue, `M${n}`, at, "a"), `M${n}`, at)
      taken++
    }
    assert.strictEqual(taken, mostUnattended)
  })
})
