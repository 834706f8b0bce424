import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import type { SessionStatus } from "../../src/domain/words/session/Session.ts"
import { alive, endsWell, eventually, kill, makeRoom, type Room, startDemo } from "../support/processes/Room.ts"
import { isThorough } from "../support/run/thorough.ts"
import { live } from "../support/run/effects.ts"

const json = <A>(room: Room, ...args: ReadonlyArray<string>) =>
  Effect.map(room.leap([...args, "--json"]), ({ stdout }) => JSON.parse(stdout) as A)

interface Document {
  readonly sessions: readonly [SessionStatus]
}

/** A session whose host died with two messages in its queue. */
const left = Effect.gen(function* () {
  const room = yield* makeRoom(undefined, { hosts: "apart" })
  const { hostPid } = yield* startDemo(room, "t")
  yield* room.leap(["send", "t", "a long first turn"])
  yield* room.until("t", ({ queue }) => queue.some(({ status }) => status === "started"), "a turn began")
  for (const text of ["keep the first", "keep the second"]) yield* endsWell(room.leap(["send", "t", text]))
  kill(hostPid!)
  yield* eventually(() => !alive(hostPid!), "the host is gone")
  return { room, log: path.join(room.session("t"), "queue.ndjson") }
})

describe("a queue's log that is not what was written", () => {
  live("is told by queue, status, doctor and at the start, and what is damaged is never typed", function* () {
    const { log, room } = yield* left
    fs.writeFileSync(log, fs.readFileSync(log, "utf8").replace("keep the first", "reap the first"))
    const told = /a line of the queue's log could not be read/
    const tells = Effect.gen(function* () {
      const queue = yield* room.leap(["queue", "t"])
      assert.match(queue.stderr, told)
      assert.include(queue.stdout, "keep the second")
      assert.notInclude(queue.stdout, "the first")
      assert.match((yield* room.leap(["status", "t"])).stdout, told)
      assert.match((yield* room.leap(["doctor"])).stdout, told)
      const { queueProblem } = (yield* json<Document>(room, "status", "t")).sessions[0]
      assert.deepStrictEqual([queueProblem?.kind, queueProblem?.file], ["damaged", `${log}.damaged`])
    })
    yield* tells
    const again = yield* room.leap(["t", "--cli", "demo", "--detach"])
    assert.match(again.stderr, told)
    assert.match((yield* room.leap(["queue", "t"])).stderr, told)
    assert.include(fs.readFileSync(`${log}.damaged`, "utf8"), "reap the first")
    yield* room.leap(["queue", "release", "t"])
    yield* room.until("t", ({ lastMessage }) => lastMessage === "keep the second", "the second is sent")
    assert.isFalse(room.log().some(({ text }) => text.includes("reap")))
    fs.rmSync(`${log}.damaged`)
    assert.isNull((yield* json<Document>(room, "status", "t")).sessions[0].queueProblem)
  })

  it.live.runIf(isThorough)("is not shown empty when a newer leap wrote it", () =>
    Effect.gen(function* () {
      const { log, room } = yield* left
      fs.appendFileSync(log, '{"_tag":"Wished","v":2}\n')
      const before = fs.readFileSync(log)
      const queue = yield* room.leap(["queue", "t"])
      assert.strictEqual(queue.code, 1)
      assert.match(queue.stderr, /a newer leap wrote it/)
      assert.strictEqual((yield* json<Document>(room, "status", "t")).sessions[0].queueProblem?.kind, "newer")
      const again = yield* room.leap(["t", "--cli", "demo", "--detach"])
      assert.notStrictEqual(again.code, 0)
      assert.match(again.stderr, /a newer leap wrote it/)
      assert.deepStrictEqual(fs.readFileSync(log), before)
    }).pipe(Effect.scoped)
  )
})
