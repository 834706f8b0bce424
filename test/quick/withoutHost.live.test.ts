import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import type { QueuedMessage } from "../../src/domain/words/session/Message.ts"
import type { SessionStatus } from "../../src/domain/words/session/Session.ts"
import { QueueRecord } from "../../src/domain/engine/queue/QueueRecord.ts"
import * as QueueLines from "../../src/domain/engine/queue/QueueLines.ts"
import { leaves, ran, same } from "../support/processes/bothWays.ts"
import { makeRoom, type Room } from "../support/processes/Room.ts"
import { sessionStatus } from "../support/data/sessionStatus.ts"
import { longTestPatience } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"

const at = 1_795_000_000_000

/** The records of a message that waits. */
const queued = (id: string, more: Partial<QueuedMessage> = {}): QueueRecord =>
  QueueRecord.cases.Accepted.make({
    v: 1,
    at,
    front: false,
    message: {
      id,
      text: `text of ${id}\nwith “quotes”`,
      images: [],
      queuedAt: "2026-11-18T11:06:40.000Z",
      status: "queued",
      force: false,
      why: null,
      ...more
    }
  })
const became = (id: string, status: "held" | "typed" | "submitted" | "started" | "done" | "failed", why = "") =>
  QueueRecord.cases.StatusChanged.make({ v: 1, at, id, status, why: why === "" ? null : why })

/** Writes what a session has left: its status, and the log of its queue. */
const leave = (room: Room, tag: string, log: Uint8Array | null, change: Partial<SessionStatus> = {}) => {
  fs.mkdirSync(room.session(tag), { recursive: true })
  const session = sessionStatus({ tag, state: "exited", exit: { code: 0, signal: null }, sessionId: null, ...change })
  fs.writeFileSync(path.join(room.session(tag), "status.json"), `${JSON.stringify({ schema: 1, session })}\n`)
  if (log !== null) fs.writeFileSync(path.join(room.session(tag), "queue.ndjson"), log)
}

/** A socket on which nobody listens any more, as a host leaves it that was killed. */
const leaveSocket = (file: string) =>
  Effect.callback<void>((resume) => {
    const server = net.createServer().listen(file, () => {
      fs.renameSync(file, `${file}.kept`)
      server.close(() => {
        fs.renameSync(`${file}.kept`, file)
        resume(Effect.void)
      })
    })
  })

describe("the quick way, of sessions without a host", () => {
  live(
    "prints what the whole program prints",
    function* () {
      const room = yield* makeRoom()
      const whole = QueueLines.format([queued("one"), queued("two")])
      const many = QueueLines.format([
        queued("a", { when: [{ _tag: "At", at: "2126-11-18T11:06:40.000Z" }] }),
        queued("b", { images: ["/tmp/a.png"], force: true }),
        queued("c", { from: "other", hops: 2, when: [{ _tag: "Session", tag: "other" }, { _tag: "Reset" }] }),
        queued("d", { night: true }),
        QueueRecord.cases.Edited.make({ v: 1, id: "a", text: "other text" }),
        QueueRecord.cases.Moved.make({ v: 1, id: "c", before: "a" }),
        ...Array.from({ length: 20 }, (_, i) => queued(`e${i}`))
      ])
      leave(room, "one", QueueLines.format([queued("only")]))
      leave(room, "many", many)
      leave(room, "held", QueueLines.format([queued("a"), became("a", "held", "you held it")]))
      leave(room, "failed", QueueLines.format([queued("a"), became("a", "failed", "it went wrong")]))
      for (const status of ["typed", "submitted", "started"] as const)
        leave(room, status, QueueLines.format([queued("a"), queued("b"), became("a", status)]), { exit: null })
      leave(room, "torn", whole.subarray(0, -30))
      leave(room, "damaged", new TextEncoder().encode(new TextDecoder().decode(whole).replace("text", "next")))
      leave(room, "aside", whole)
      fs.writeFileSync(path.join(room.session("aside"), "queue.ndjson.damaged"), "one\ntwo\none")
      leave(room, "crashed", null, { exit: null, state: "running", ready: true, lastResponse: "was here" })
      yield* leaveSocket(path.join(room.session("crashed"), "host.sock"))
      fs.writeFileSync(path.join(room.session("crashed"), "screen.txt"), "its last\n screen")
      leave(room, "goes-on", whole, { sessionId: "0193" })
      // the machine stopped while its first status was written
      leave(room, "empty", whole)
      fs.writeFileSync(path.join(room.session("empty"), "status.json"), "")

      yield* same(room, ["status --json", "status many", "queue held", "status", "queue many --json", "queue damaged"])
      yield* same(room, [
        "wait crashed",
        "queue failed",
        "last crashed",
        "screen crashed",
        "status damaged",
        "last one"
      ])
      yield* same(room, [
        "queue damaged --json",
        "queue aside",
        "status crashed",
        "send one hello",
        "wait one --until idle"
      ])
      yield* same(room, ["status nobody", "send nobody hello", "queue nobody", "screen one", "answer one 1"])
      const { stderr: beside, stdout } = yield* ran(room, "quickChild", ["status", "--json"])
      assert.match(beside, /^leap: what is known of session 'empty' is damaged .*; its queue is kept, .*\n$/)
      const { sessions } = JSON.parse(stdout) as { readonly sessions: ReadonlyArray<SessionStatus> }
      assert.deepStrictEqual(
        sessions.map(({ queue, queueProblem, tag }) => [tag, queue.length, queueProblem?.kind ?? null]),
        [
          ["aside", 2, "damaged"],
          ["crashed", 0, null],
          ["damaged", 1, "damaged"],
          ["failed", 1, null],
          ["goes-on", 2, null],
          ["held", 1, null],
          ["many", 23, null],
          ["one", 1, null],
          ["started", 2, null],
          ["submitted", 2, null],
          ["torn", 1, null],
          ["typed", 2, null]
        ]
      )
      const { stderr } = yield* ran(room, "wholeChild", ["status", "empty"])
      assert.match(stderr, /what is known of session 'empty' is damaged \(.*status\.json\); its queue is kept/)
      // what is wrong with a command line is explained before any session is looked at
      yield* leaves(room, [
        "wait nobody --until sleeping",
        "wait nobody --timeout 0",
        "send nobody -",
        "mute nobody --for ever",
        "queue move nobody 4 x",
        "queue edit nobody 4 -",
        "audit nobody --last 0",
        "log nobody --since tomorrow"
      ])
      // what its CLI could go on with, its provider says
      yield* leaves(room, ["mode empty", "status empty", "send goes-on hello", "wait goes-on --until idle", "mode one"])

      // a later leap's log, and one that is none, are told by the whole program
      leave(room, "later", new TextEncoder().encode('{"_tag":"Later","v":2}\n'))
      leave(room, "none", null)
      fs.mkdirSync(path.join(room.session("none"), "queue.ndjson"))
      yield* leaves(room, ["status", "status later", "queue none"])

      // nor is what cannot be looked at taken for missing: no queue, no session; a lock that no host can hold is none
      for (const [tag, name] of [
        ["hidden-log", "queue.ndjson"],
        ["hidden-lock", "lock"],
        ["hidden", "status.json"]
      ] as const) {
        leave(room, tag, null, { exit: null })
        const file = path.join(room.session(tag), name)
        fs.rmSync(file, { force: true })
        fs.symlinkSync(name, file)
        yield* (name === "lock" ? same : leaves)(room, [`status ${tag}`])
      }
    },
    longTestPatience
  )
})
