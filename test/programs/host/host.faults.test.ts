import { assert, describe } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import type { QueueRecord } from "../../../src/domain/engine/queue/Queue.ts"
import { provider as claude } from "../../../src/layers/providers/claude/Provider.ts"
import { ControlSocketFake } from "../../support/host/ControlSocketFake.ts"
import { DiskFake, type DiskFault } from "../../support/host/DiskFake.ts"
import { HookInboxFake } from "../../support/host/HookInboxFake.ts"
import { hosted } from "../../support/host/hosted.ts"
import { attach, hostDemo, passing, refusal, settle, startHost, until, watch } from "../../support/host/stage.ts"
import { PtyFake } from "../../support/fakes/PtyFake.ts"
import { each, rowsOf } from "../../support/data/fields.ts"

/** The host fails, and leaves nothing behind: no CLI, no socket, no lock, no announcement, no status. */
const failsWith = Effect.fnUntraced(function* (host: Effect.Success<ReturnType<typeof startHost>>, tag: string) {
  const disk = yield* DiskFake
  const failed = yield* Effect.flip(host.end)
  assert.strictEqual(failed._tag, tag)
  assert.deepStrictEqual([host.announced, host.finished], [[], []])
  assert.deepStrictEqual([...disk.locks], [])
  assert.deepStrictEqual((yield* ControlSocketFake).open(), [])
  assert.isUndefined(disk.statuses.get(host.paths.status))
  assert.isTrue((yield* PtyFake).children().every((child) => child.released()))
  return failed
})

describe("a session that cannot start", () => {
  hosted("because another host owns it: that is waited for, three seconds and no longer", function* () {
    const disk = yield* DiskFake
    disk.locks.add("/state/one/lock")
    const host = yield* startHost()
    yield* TestClock.adjust("2900 millis")
    assert.isFalse(host.isOver())
    assert.deepInclude(yield* Effect.flip(host.end), { _tag: "StoreError", store: "session", reason: "busy" })
    assert.deepStrictEqual([host.announced, [...disk.locks]], [[], ["/state/one/lock"]], "the lock is the other's")
  })

  hosted("yet, because a host that is about to go still holds it: it starts when that has gone", function* () {
    const disk = yield* DiskFake
    disk.locks.add("/state/one/lock")
    const host = yield* startHost()
    yield* TestClock.adjust("1 second")
    disk.locks.delete("/state/one/lock")
    yield* until(() => host.announced.length > 0, "the start")
    assert.deepStrictEqual(each(host.announced, "ready"), [true])
  })

  const faults: ReadonlyArray<readonly [DiskFault, string, "directory" | "queue"]> = [
    ["directory", "its directory is not safe", "directory"],
    ["queue open", "its queue cannot be read", "queue"],
    ["queue compact", "its queue cannot be written", "queue"]
  ]
  for (const [fault, name, store] of faults) {
    hosted(`because ${name}`, function* () {
      ;(yield* DiskFake).faults.add(fault)
      assert.deepInclude(yield* failsWith(yield* startHost(), "StoreError"), { store })
    })
  }

  hosted("because its tag is none", function* () {
    yield* failsWith(yield* startHost({ tag: "no/tag" }), "SchemaError")
  })

  hosted("because its control socket cannot be opened", function* () {
    ;(yield* ControlSocketFake).failNext("the path is too long")
    const failed = yield* failsWith(yield* startHost(), "ControlSocketError")
    assert.include(failed.message, "the path is too long")
  })

  hosted("because its CLI does not: who started it gets the error", function* () {
    yield* (yield* PtyFake).failNext("no such file")
    const failed = yield* failsWith(yield* startHost(), "PtySpawnError")
    assert.strictEqual(failed.message, "could not start leap: no such file")
  })

  hosted(
    "because its CLI does not, with a terminal that waits: that is told, and the session has ended with 127",
    function* () {
      const disk = yield* DiskFake
      yield* (yield* PtyFake).failNext("no such file")
      const host = yield* startHost({ waitForViewer: true })
      yield* settle
      const viewer = yield* attach(yield* host.connect, "v")
      yield* host.end
      // the viewer has just come: it may see that with its first repaint, or behind it
      assert.include(viewer.text(), "leap: could not start leap: no such file")
      assert.deepStrictEqual([viewer.frames()[0]?.kind, viewer.frames().at(-1)?.kind], ["Repaint", "Exited"])
      assert.strictEqual(disk.screens.get(host.paths.screen), "leap: could not start leap: no such file")
      const last = disk.statuses.get(host.paths.status)
      assert.deepStrictEqual([last?.status.exit, last?.durable], [{ code: 127, signal: null }, true])
      assert.deepStrictEqual([host.announced.length, host.finished.length], [1, 1])
    }
  )
})

describe("a session on a bad disk", () => {
  hosted(
    "keeps its messages from harm: none is accepted that cannot be recorded, and those there are go on later",
    function* () {
      const disk = yield* DiskFake
      const { cli, client, send, status } = yield* hostDemo()
      disk.faults.add("queue append")
      assert.deepInclude(yield* refusal(send("lost?")), { exitCode: 1 })
      assert.deepInclude(yield* refusal(client.QueueRelease({ id: "NONE" })), { exitCode: 3 })
      assert.deepStrictEqual((yield* client.Queue()).queue, [])
      disk.faults.delete("queue append")
      yield* send("kept")
      yield* status.until(({ queue }) => queue.some((message) => message.status === "done"), "sent")
      assert.deepStrictEqual(cli.texts("submitted"), ["kept"])
    }
  )

  hosted("ends properly where neither its status nor its queue nor its record can be written", function* () {
    const disk = yield* DiskFake
    const { child, end, finished, status } = yield* hostDemo()
    for (const fault of ["status write", "queue compact", "records", "audit"] as const) disk.faults.add(fault)
    yield* child.exit(0)
    yield* end
    assert.deepStrictEqual([status.last()?.state, finished], ["exited", ["finished"]])
    assert.deepStrictEqual([...disk.locks], [])
  })

  hosted("does not wait for a record that is never written", function* () {
    const disk = yield* DiskFake
    disk.faults.add("records hang")
    const inbox = yield* HookInboxFake
    const host = yield* startHost({ cli: "claude" }, claude)
    const child = yield* host.child
    const status = yield* watch(yield* host.connect)
    yield* inbox.call(host.paths.spool, "SessionStart", { session_id: "s", source: "startup" })
    yield* status.until(({ sessionId }) => sessionId === "s", "the session's id")
    yield* child.exit(0)
    yield* host.end
    assert.strictEqual(status.last()?.state, "exited")
  })

  hosted(
    "runs with the modes it would have had, and says that they were not changed when they are to be",
    function* () {
      const disk = yield* DiskFake
      disk.faults.add("modes")
      disk.modes.set("one", { churn: "send" })
      const { client, status } = yield* hostDemo()
      assert.deepStrictEqual(status.last()?.modes, { autoSend: "pause", churn: "send" })
      const refused = yield* refusal(client.SetModes({ modes: { autoSend: "always" } }))
      assert.match(refused.why, /^the modes were not changed/)
      assert.deepStrictEqual((yield* client.Status()).modes, { autoSend: "pause", churn: "send" })
      disk.faults.delete("modes")
      assert.deepStrictEqual(yield* client.SetModes({ modes: { autoSend: "always" } }), {
        autoSend: "always",
        churn: "send"
      })
    }
  )

  hosted("takes up what can be read of its queue", function* () {
    const disk = yield* DiskFake
    const left: ReadonlyArray<QueueRecord> = [
      {
        _tag: "Accepted",
        v: 1,
        at: 1,
        front: false,
        message: {
          id: "ID900000",
          text: "left over",
          images: [],
          queuedAt: "2026-01-01T00:00:00.000Z",
          status: "queued",
          force: false,
          why: null
        }
      }
    ]
    disk.queues.set("/state/one/queue.ndjson", left)
    const { client } = yield* hostDemo()
    assert.deepStrictEqual(rowsOf((yield* client.Queue()).queue, "status", "text"), [["held", "left over"]])
  })
})

describe("a session whose hooks are broken", () => {
  hosted("goes on by its screen and its reports", function* () {
    const inbox = yield* HookInboxFake
    const { cli, client, paths, send, status } = yield* hostDemo()
    yield* inbox.break(paths.spool)
    yield* send("no hooks any more")
    yield* status.until(({ queue }) => queue.some((message) => message.status === "done"), "done")
    assert.deepStrictEqual(cli.texts("submitted"), ["no hooks any more"])
    assert.isTrue(Exit.isSuccess(yield* passing(Effect.exit(client.Stop({ force: false })))))
  })
})
