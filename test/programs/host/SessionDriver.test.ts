import { assert, describe } from "@effect/vitest"
import { Clock, Context, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { ApprovalCommand } from "../../../src/domain/engine/approvals/ApprovalCommand.ts"
import type { MachineEvent } from "../../../src/domain/engine/machine/MachineEvent.ts"
import * as SessionMachine from "../../../src/domain/engine/machine/SessionMachine.ts"
import { add, emptyQueue, type QueueRecord } from "../../../src/domain/engine/queue/Queue.ts"
import { blankFacts } from "../../../src/domain/words/session/Screen.ts"
import { defaultModes } from "../../../src/domain/words/session/Session.ts"
import { provider as claude } from "../../../src/layers/providers/claude/Provider.ts"
import { PermissionResponder } from "../../../src/programs/host/PermissionResponder.ts"
import * as KeyGate from "../../../src/programs/host/KeyGate.ts"
import * as Outbox from "../../../src/programs/host/Outbox.ts"
import { RestoredSession } from "../../../src/programs/host/RestoredSession.ts"
import * as SessionDriver from "../../../src/programs/host/SessionDriver.ts"
import * as SessionRuntime from "../../../src/programs/host/SessionRuntime.ts"
import { TerminalSize } from "../../../src/programs/host/TerminalSize.ts"
import * as SessionWork from "../../../src/programs/host/SessionWork.ts"
import { CLIProvider, type Provider } from "../../../src/services/CLIProvider.ts"
import { commandOf, contextOf, publisherOf, recorderOf, unrecorded } from "../../support/host/parts.ts"
import { effectOfEach, effect } from "../../support/run/effects.ts"
import type { StoreError } from "../../../src/services/StoreError.ts"

/** Whose settings say nothing, without a look at a disk. */
const provider: Provider = {
  ...claude,
  hooksOff: () => Effect.succeed([]),
  submitKey: () => Effect.succeed(null)
}

interface World {
  readonly provider?: Provider
  readonly recorder?: ReturnType<typeof recorderOf>
  /** Writes records to the disk. */
  readonly append?: (records: ReadonlyArray<QueueRecord>) => Effect.Effect<void, StoreError>
  /** Carries out a command about permissions. */
  readonly execute?: (command: ApprovalCommand) => Effect.Effect<MachineEvent | null>
}

/** A machine of a CLI that is at rest, with the world in the test's hands. */
const session = Effect.fnUntraced(function* (world: World = {}) {
  const at = yield* Clock.currentTimeMillis
  const recorder = world.recorder ?? recorderOf()
  const layer = SessionDriver.layer.pipe(
    Layer.provideMerge(SessionRuntime.layer),
    Layer.provideMerge([SessionWork.layer, KeyGate.layer]),
    Layer.provideMerge(Outbox.layer),
    Layer.provideMerge([
      contextOf(),
      commandOf(),
      recorder.layer,
      unrecorded,
      (yield* publisherOf()).layer,
      Layer.succeed(CLIProvider, world.provider ?? provider),
      Layer.mock(TerminalSize, { set: () => {}, redraw: () => {} }),
      Layer.mock(PermissionResponder, { execute: world.execute ?? (() => Effect.succeed(null)) }),
      Layer.succeed(RestoredSession, {
        memory: SessionMachine.start({ at, modes: defaultModes, queue: emptyQueue }),
        log: { records: [], damaged: 0, append: world.append ?? (() => Effect.void), compact: () => Effect.void }
      })
    ])
  )
  const runtime = Context.get(yield* Layer.build(layer), SessionRuntime.SessionRuntime)
  runtime.offer({ _tag: "Output", at, screen: { ...blankFacts, blank: false, box: { draft: "" } } })
  yield* TestClock.adjust("2 seconds")
  const send = (id: string) =>
    runtime.changeQueue((queue, at) =>
      add(queue, { at, id, text: `hello ${id}`, images: [], front: false, force: false })
    )
  /** How it ends, within a second; null when it does not. */
  const end = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E>) {
    const fiber = yield* Effect.forkChild(effect, { startImmediately: true })
    yield* TestClock.adjust("1 second")
    const exit = fiber.pollUnsafe() ?? null
    yield* Fiber.interrupt(fiber)
    return exit
  })
  return { end, runtime, send }
})

const failures: ReadonlyArray<readonly [string, Effect.Effect<never>]> = [
  ["dies", Effect.die(new Error("a defect"))],
  ["is interrupted", Effect.interrupt]
]

describe("the session's machine", () => {
  effect("is told before each message what keeps the CLI's hooks from running by then", function* () {
    let off: ReadonlyArray<string> = []
    const recorder = recorderOf()
    const hooksOff = () => Effect.sync(() => off)
    const { runtime, send } = yield* session({ recorder, provider: { ...provider, hooksOff } })
    const known = () => runtime.memory().tracker.facts.hooks
    const took = (text: string) =>
      Effect.map(Clock.currentTimeMillis, (at) =>
        runtime.offer({ _tag: "Output", at, screen: { ...blankFacts, blank: false, box: { draft: text } } })
      )
    yield* send("A")
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([known().off, known().silentSince], [[], null])
    yield* took("hello A")
    yield* TestClock.adjust("1 second")
    yield* took("")
    off = ["disableAllHooks in settings.local.json"]
    yield* TestClock.adjust("30 seconds")
    yield* send("B")
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(known().off, off)
    assert.isNotNull(known().silentSince)
  })

  effectOfEach<readonly [string, NonNullable<Provider["submitKey"]>, string]>([
    ["that the CLI's own settings name", () => Effect.succeed("\u0013"), "\u0013"],
    ["that it has by default", () => Effect.succeed(null), "\r"],
    ["that it has by default where they cannot be read in time", () => Effect.never, "\r"]
  ])("sends by the key %s", function* ([, submitKey, key]) {
    const recorder = recorderOf()
    const { runtime, send } = yield* session({ recorder, provider: { ...provider, submitKey } })
    yield* send("A")
    yield* TestClock.adjust("1 second")
    const at = yield* Clock.currentTimeMillis
    runtime.offer({ _tag: "Output", at, screen: { ...blankFacts, blank: false, box: { draft: "hello A" } } })
    yield* TestClock.adjust("2 seconds")
    const typed = recorder.notes.filter((note) => note.includes("hello A"))
    assert.strictEqual(typed.length, 1, recorder.notes.join())
    const after = recorder.notes.slice(recorder.notes.indexOf(typed[0] ?? "") + 1)
    assert.isTrue(after[0]?.endsWith(key), JSON.stringify(recorder.notes))
  })

  effect("types a message though it fails at an event that came while the attempt was recorded", function* () {
    const recorded = yield* Deferred.make<void>()
    const append = (records: ReadonlyArray<QueueRecord>) =>
      records.some(({ _tag }) => _tag === "Attempted") ? Deferred.await(recorded) : Effect.void
    const recorder = recorderOf()
    const { end, runtime, send } = yield* session({ append, recorder })
    yield* send("A")
    yield* TestClock.adjust("1 second")
    // A second failure, at a tick, is that tick's alone; were the event heard again with the outcome, it would be lost.
    let failures = 0
    let fails = false
    const screen = {
      ...blankFacts,
      blank: false,
      get box() {
        if (!fails || failures === 2) return { draft: "" }
        failures++
        return assert.fail("of the test")
      }
    }
    runtime.offer({ _tag: "Output", at: yield* Clock.currentTimeMillis, screen })
    yield* TestClock.adjust("1 second")
    const typed = () => recorder.notes.filter((note) => note.includes("hello A")).length
    assert.deepStrictEqual([failures, typed()], [0, 0])
    fails = true
    yield* Deferred.succeed(recorded, undefined)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([failures, typed()], [2, 1])
    assert.isTrue(Exit.isSuccess((yield* end(runtime.between(() => Effect.succeed([]))))!))
  })

  for (const [how, failure] of failures) {
    effect(`goes on when a task ${how}, and says so to who asked for it`, function* () {
      const { end, runtime } = yield* session()
      const exit = yield* end(runtime.between(() => failure))
      assert.isTrue(exit !== null && Exit.isFailure(exit))
      assert.isTrue(Exit.isSuccess((yield* end(runtime.between(() => Effect.succeed([]))))!))
    })

    effect(`sends a message though its record's writing ${how} once`, function* () {
      const typed = () => recorder.notes.filter((note) => note.includes("hello A")).length
      /** What was typed before each attempt was recorded. */
      const attempts: Array<number> = []
      const append = (records: ReadonlyArray<QueueRecord>) =>
        Effect.suspend(() => {
          if (!records.some(({ _tag }) => _tag === "Attempted")) return Effect.void
          attempts.push(typed())
          return attempts.length === 1 ? failure : Effect.void
        })
      const recorder = recorderOf()
      const { end, runtime, send } = yield* session({ append, recorder })
      yield* end(send("A"))
      yield* TestClock.adjust("20 seconds")
      assert.deepStrictEqual(attempts.slice(0, 2), [0, 0])
      assert.isAbove(typed(), 0)
      assert.isTrue(Exit.isSuccess((yield* end(runtime.between(() => Effect.succeed([]))))!))
    })

    effect(`carries out the commands behind one that ${how}`, function* () {
      const decided: Array<number | null> = []
      const execute = (command: ApprovalCommand) =>
        Effect.suspend(() => {
          if (command._tag !== "Decide") return Effect.succeed(null)
          decided.push(command.id)
          return decided.length === 2 ? failure : Effect.succeed(null)
        })
      const { end, runtime } = yield* session({ execute })
      const request = {
        tool: "Bash",
        kind: "command",
        command: "ls",
        paths: [],
        url: null,
        agent: null,
        cwd: "/"
      } as const
      runtime.offer({
        _tag: "PermissionRequested",
        at: 0,
        id: 1,
        event: "PermissionRequest",
        request,
        heeds: [],
        inspected: true
      })
      runtime.offer({ _tag: "PolicyChanged", at: 0, rules: true, auditable: true })
      yield* end(runtime.tell({ _tag: "Tick", at: 0 }))
      assert.deepStrictEqual(decided, [1, null, 1])
    })
  }
})
