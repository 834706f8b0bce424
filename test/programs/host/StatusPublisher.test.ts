import { assert, describe } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Stream, SubscriptionRef } from "effect"
import { TestClock } from "effect/testing"
import type { SessionMemory } from "../../../src/domain/engine/machine/SessionMachine.ts"
import * as Queue from "../../../src/domain/engine/queue/Queue.ts"
import { blankFacts } from "../../../src/domain/words/session/Screen.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import { RestoredSession } from "../../../src/programs/host/RestoredSession.ts"
import * as StatusWriter from "../../../src/programs/host/StatusWriter.ts"
import * as SessionScreen from "../../../src/programs/host/SessionScreen.ts"
import * as StatusPublisher from "../../../src/programs/host/StatusPublisher.ts"
import { noUsageView } from "../../../src/programs/host/sessionStatus.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { CLIProvider } from "../../../src/services/CLIProvider.ts"
import * as DiskFake from "../../support/host/DiskFake.ts"
import { contextOf, freshMemory, pathsOf, recorderOf, withFacts } from "../../support/host/parts.ts"
import { accepted } from "../../support/data/queueFixtures.ts"
import { effect } from "../../support/run/effects.ts"

const session = Effect.gen(function* () {
  const recorder = recorderOf()
  const log = { records: [], damaged: 0, append: () => Effect.void, compact: () => Effect.void }
  const context = yield* Layer.build(
    StatusWriter.layer.pipe(
      Layer.provideMerge(StatusPublisher.layer),
      Layer.provideMerge([SessionScreen.layer, DiskFake.layer]),
      Layer.provide([
        contextOf({ cwd: "/work" }),
        recorder.layer,
        ScreenXterm.layer,
        Layer.succeed(CLIProvider, demo),
        Layer.succeed(RestoredSession, { log, memory: freshMemory() })
      ])
    )
  )
  const publisher = Context.get(context, StatusPublisher.StatusPublisher)
  const published: Array<SessionStatus> = []
  yield* SubscriptionRef.changes(publisher.status).pipe(
    Stream.runForEach((status) => Effect.sync(() => void published.push(status))),
    Effect.forkScoped({ startImmediately: true })
  )
  const disk = Context.get(context, DiskFake.DiskFake)
  return {
    disk,
    file: Context.get(context, StatusWriter.StatusWriter),
    markers: recorder.notes,
    onDisk: () => disk.statuses.get(pathsOf("one").status),
    published,
    publisher,
    screen: Context.get(context, SessionScreen.SessionScreen)
  }
})

/** A memory with one message that has been done for as long as the session runs. */
const withReceipt = (memory: SessionMemory): SessionMemory => {
  const queue = Queue.replayLog([
    accepted("M"),
    { _tag: "StatusChanged", v: 1, at: 0, id: "M", status: "done", why: null }
  ])
  return { ...memory, delivery: { ...memory.delivery, queue } }
}
const at = (state: SessionStatus["state"]) => withFacts(freshMemory(), {}, { state })

describe("the published status", () => {
  effect(
    "is there from the beginning; it changes with the memory and with what parts report, and not without",
    function* () {
      const { published, publisher } = yield* session
      const running = at("running")
      yield* publisher.publish(running)
      yield* publisher.publish(running)
      yield* publisher.refresh
      yield* publisher.update({ pid: 5, attached: 2 })
      yield* publisher.update({ attached: 2 })
      yield* publisher.update({ usage: { ...noUsageView, usage: { ...noUsageView.usage, contextTokens: 7 } } })
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        published.map(({ attached, context, pid, state }) => [state, pid, attached, context?.usedTokens ?? null]),
        [
          ["starting", null, 0, null],
          ["running", null, 0, null],
          ["running", 5, 2, null],
          ["running", 5, 2, 7]
        ]
      )
      assert.strictEqual(publisher.memory(), running)
      assert.deepInclude(published[0], {
        tag: "one",
        cli: "demo",
        hostPid: 7,
        cwd: "/work",
        startedAt: "1970-01-01T00:00:00.000Z"
      })
    }
  )

  effect("says beside the plan for a limit what is in its way", function* () {
    const { publisher } = yield* session
    const memory = at("idle")
    const night = (memory: SessionMemory, planned: number | null) =>
      publisher
        .publish({ ...memory, night: { ...memory.night, plan: { at: planned, why: ["at", "00:01"] } } })
        .pipe(Effect.andThen(SubscriptionRef.get(publisher.status)), (status) => Effect.map(status, (now) => now.night))
    assert.strictEqual((yield* night(memory, 60_000))?.text, "goes on by itself at 00:01")
    const dialog = { kind: "other", title: "What do you want to do?", options: [] } as const
    const evidence = { ...memory.delivery.evidence, screen: { ...blankFacts, blank: false, dialog } }
    const covered = { ...memory, delivery: { ...memory.delivery, evidence } }
    assert.strictEqual(
      (yield* night(covered, 60_000))?.text,
      "goes on by itself at 00:01; its dialog 'What do you want to do?' is in the way, and has to be answered first"
    )
    assert.notInclude((yield* night(covered, null))?.text ?? "", "in the way")
  })

  effect("names no process once that is gone", function* () {
    const { publisher } = yield* session
    yield* publisher.update({ pid: 5 })
    yield* publisher.publish(at("exited"))
    assert.isNull((yield* SubscriptionRef.get(publisher.status)).pid)
  })

  effect(
    "is on disk when its file is followed, then at most twice a second; the last one is written by itself",
    function* () {
      const { disk, file, onDisk, publisher, screen } = yield* session
      yield* publisher.update({ pid: 5 })
      assert.isUndefined(onDisk())
      yield* file.follow
      assert.deepStrictEqual([onDisk()?.status.pid, onDisk()?.durable], [5, false])
      yield* TestClock.adjust("1 second")
      for (let i = 1; i <= 10; i++) {
        yield* publisher.update({ attached: i })
        yield* TestClock.adjust(30)
      }
      assert.notStrictEqual(onDisk()?.status.attached, 10)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(onDisk()?.status.attached, 10)
      screen.feed(Buffer.from("bye"))
      yield* publisher.publish(at("exited"))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(onDisk()?.status.state, "starting")
      const last = yield* Effect.forkChild(file.writeLast)
      yield* Effect.repeat(Effect.yieldNow, { times: 20 })
      // who reads that it has ended finds its last screen
      assert.strictEqual(disk.screens.get(pathsOf("one").screen), "bye")
      assert.strictEqual(onDisk()?.status.state, "starting")
      yield* TestClock.adjust("100 millis")
      yield* Fiber.join(last)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([onDisk()?.status.state, onDisk()?.durable], ["exited", true])
    }
  )

  effect("is on disk as it was last, also where the disk is still busy with an earlier one", function* () {
    const { disk, file, onDisk, publisher } = yield* session
    yield* file.follow
    disk.faults.add("status slow")
    yield* publisher.publish(at("running"))
    yield* TestClock.adjust("600 millis")
    yield* publisher.publish(at("exited"))
    const last = yield* Effect.forkChild(file.writeLast)
    yield* TestClock.adjust("10 seconds")
    yield* Fiber.join(last)
    assert.deepStrictEqual([onDisk()?.status.state, onDisk()?.durable], ["exited", true])
  })

  effect("shows a receipt for five seconds", function* () {
    const { file, published, publisher } = yield* session
    yield* file.follow
    yield* publisher.publish(withReceipt(freshMemory()))
    yield* TestClock.adjust("4 seconds")
    assert.deepStrictEqual(
      published.at(-1)?.queue.map(({ status }) => status),
      ["done"]
    )
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(published.at(-1)?.queue, [])
  })

  effect("is marked in the record where its word on the session changes", function* () {
    const { file, markers, publisher } = yield* session
    yield* file.follow
    yield* publisher.update({ attached: 1 })
    yield* publisher.publish(at("running"))
    yield* TestClock.adjust("1 second")
    yield* publisher.update({ attached: 2 })
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(
      markers.map((marker) => (JSON.parse(marker.replace(/^m leap:/, "")) as { readonly state: string }).state),
      ["starting", "running"].slice(-markers.length)
    )
    assert.match(markers.at(-1) ?? "", /^m leap:\{"state":"running","ready":false,"dialog":false,"reason":/)
  })
})
