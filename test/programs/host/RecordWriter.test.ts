import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger, SubscriptionRef } from "effect"
import { TestClock } from "effect/testing"
import { checkpointBytes } from "../../../src/domain/engine/history/checkpointBytes.ts"
import type { RecordRow } from "../../../src/domain/engine/history/RecordRow.ts"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import * as RecordWriter from "../../../src/programs/host/RecordWriter.ts"
import { RestoredSession } from "../../../src/programs/host/RestoredSession.ts"
import { UsageTracker } from "../../../src/programs/host/UsageTracker.ts"
import { noUsageView } from "../../../src/programs/host/sessionStatus.ts"
import { CLIProvider } from "../../../src/services/CLIProvider.ts"
import { RecordStore } from "../../../src/services/RecordStore.ts"
import { only } from "../../support/data/recordEvents.ts"
import { contextOf, freshMemory, publisherOf } from "../../support/host/parts.ts"
import * as SystemFake from "../../support/host/SystemFake.ts"
import { effect, effectWith } from "../../support/run/effects.ts"
import { StoreError } from "../../../src/services/StoreError.ts"

/** A writer with a record in the test's hands. */
const makeWriter = Effect.gen(function* () {
  const record: Array<RecordRow> = []
  const store = {
    failure: null as StoreError["reason"] | null,
    isNew: true,
    opened: 0,
    upkeeps: 0,
    largest: 0,
    log: 0
  }
  const fails = Effect.suspend(() =>
    store.failure === null
      ? Effect.void
      : Effect.fail(new StoreError({ store: "record", reason: store.failure, file: "/r", why: "of the test" }))
  )
  const publisher = yield* publisherOf({ state: "idle", sessionId: "s" })
  const views = yield* SubscriptionRef.make(noUsageView)
  const context = yield* Layer.build(
    RecordWriter.layer.pipe(
      Layer.provideMerge([
        contextOf(),
        Layer.succeed(CLIProvider, demo),
        Layer.mock(UsageTracker, {
          view: () => SubscriptionRef.getUnsafe(views),
          views: SubscriptionRef.changes(views),
          onHook: () => {}
        }),
        Layer.succeed(RestoredSession, {
          memory: freshMemory(),
          log: { records: [], damaged: 0, append: () => Effect.void, compact: () => Effect.void }
        }),
        Layer.mock(RecordStore, {
          file: "/r",
          open: () =>
            Effect.gen(function* () {
              yield* fails
              store.opened++
              const { isNew } = store
              store.isNew = false
              return {
                isNew,
                write: (rows) =>
                  Effect.andThen(
                    fails,
                    Effect.sync(() => {
                      store.largest = Math.max(store.largest, rows.length)
                      record.push(...rows)
                      return store.log
                    })
                  )
              }
            }),
          upkeep: () => Effect.sync(() => void store.upkeeps++)
        }),
        publisher.layer,
        SystemFake.layer
      ])
    )
  )
  const writer = Context.get(context, RecordWriter.RecordWriter)
  let at = Date.UTC(2026, 0, 1)
  yield* TestClock.setTime(at)
  yield* writer.follow
  const pass = Effect.fnUntraced(function* (milliseconds: number) {
    at += milliseconds
    yield* TestClock.adjust(milliseconds)
  })
  /** So many turns, a second each. */
  const work = Effect.fnUntraced(function* (turns: number) {
    for (let i = 0; i < 2 * turns; i++) {
      at += 500
      yield* TestClock.setTime(at)
      yield* publisher.set({ state: i % 2 === 0 ? "running" : "idle", since: new Date(at).toISOString() })
      yield* Effect.yieldNow
    }
    yield* pass(1_000)
  })
  /** So many tokens are known to have gone in by now; nothing else is. */
  const uses = Effect.fnUntraced(function* (input: number) {
    const session = { input, cacheRead: 0, cacheWrite: 0, output: 0 }
    yield* SubscriptionRef.set(views, { ...noUsageView, usage: { ...noUsageView.usage, session } })
    yield* pass(1_000)
  })
  return { uses, pass, problems: publisher.recordProblems, publish: publisher.set, record, store, work, writer }
})

const logged = (told: Array<string>) =>
  Logger.layer([Logger.make<unknown, void>(({ message }) => void told.push(String(message)))])

describe("the writer of the record", () => {
  effect("writes a note behind the status of its moment, also where figures come in between", function* () {
    const { pass, publish, record, uses, writer } = yield* makeWriter
    const nights = () => only(record, "Note").flatMap(({ kind, text }) => (kind === "night" ? [text] : []))
    yield* pass(1_000)
    writer.announced("night", "it goes on")
    yield* uses(500)
    assert.deepStrictEqual(nights(), [])
    yield* publish({ state: "running" })
    yield* pass(1_000)
    assert.deepStrictEqual(nights(), ["it goes on"])
  })

  effect(
    "writes what the session uses also where its status shows nothing of that, and behind its last turn",
    function* () {
      const { record, uses, work } = yield* makeWriter
      yield* uses(500)
      yield* work(1)
      yield* uses(1_000)
      assert.deepStrictEqual(
        only(record, "Usage").map(({ tokens }) => tokens?.input),
        [500, 1_000]
      )
    }
  )

  it.effect(
    "keeps a bounded number of rows while they cannot be written, counts the others, and goes on after them",
    () => {
      const told: Array<string> = []
      return Effect.gen(function* () {
        const { pass, record, store, work } = yield* makeWriter
        yield* work(2)
        assert.strictEqual(only(record, "TurnEnded").length, 2)
        store.failure = "full"
        yield* work(700)
        assert.strictEqual(only(record, "TurnEnded").length, 2)
        store.failure = null
        yield* pass(60_000)
        yield* work(1)
        const [gap] = only(record, "Note").filter(({ kind }) => kind === "gap")
        assert.match(gap!.text ?? "", /^2\d{3} rows could not be written$/)
        // what was open before has its end, what is open now its beginning; each number is there once
        const numbers = only(record, "Interval").map(({ n }) => n)
        assert.strictEqual(new Set(numbers).size, numbers.length)
        const ended = new Set(only(record, "IntervalEnded").map(({ n }) => n))
        assert.deepStrictEqual(
          numbers.filter((n) => !ended.has(n)),
          numbers.slice(-1)
        )
        assert.isAtMost(store.largest, 100)
        assert.strictEqual(told.filter((line) => line.includes("not recorded until")).length, 1, told.join("\n"))
        assert.strictEqual(told.filter((line) => line.includes("recorded again")).length, 1)
      }).pipe(Effect.provide(logged(told)))
    }
  )

  it.effect("says nothing of a lock that is held for a moment, and says it once of one that is held for long", () => {
    const told: Array<string> = []
    return Effect.gen(function* () {
      const { pass, record, store, work } = yield* makeWriter
      yield* work(1)
      store.failure = "busy"
      yield* work(1)
      yield* pass(3_000)
      store.failure = null
      yield* pass(5_000)
      assert.strictEqual(only(record, "TurnEnded").length, 2)
      assert.deepStrictEqual(told, [])
      assert.strictEqual(store.opened, 1, "the connection stays")
      store.failure = "busy"
      yield* work(1)
      yield* pass(120_000)
      assert.strictEqual(told.length, 1)
      store.failure = null
      yield* pass(60_000)
      assert.strictEqual(only(record, "TurnEnded").length, 3)
    }).pipe(Effect.provide(logged(told)))
  })

  effectWith(logged([]))(
    "says in the status that a later leap has taken the record over, and when that is over",
    function* () {
      const { pass, problems, store, work } = yield* makeWriter
      yield* work(1)
      assert.deepStrictEqual(problems, [])
      store.failure = "newer"
      yield* work(2)
      yield* pass(60_000)
      assert.match(problems.join(), /^its host is of leap [\d.]+, .*a later leap .*stopped and resumed/)
      store.failure = null
      yield* pass(60_000)
      assert.deepStrictEqual(problems.slice(1), [null])
    }
  )

  it.effect("begins again in a record that was made anew, with the state that the session is in", () => {
    const told: Array<string> = []
    return Effect.gen(function* () {
      const { pass, record, store, work } = yield* makeWriter
      yield* work(1)
      record.length = 0
      store.failure = "failed"
      store.isNew = true
      yield* work(1)
      store.failure = null
      yield* pass(5_000)
      assert.deepStrictEqual(only(record, "Interval").at(-1)?.state, "idle")
      assert.isTrue(only(record, "Note").some(({ kind }) => kind === "gap"))
      const open = only(record, "Interval").filter(({ n }) => !only(record, "IntervalEnded").some((end) => end.n === n))
      assert.strictEqual(open.length, 1)
    }).pipe(Effect.provide(logged(told)))
  })

  effectWith(logged([]))("looks after what is too old at its first write, and now and then", function* () {
    const { store, work } = yield* makeWriter
    yield* work(1)
    assert.strictEqual(store.upkeeps, 1)
    yield* work(300)
    assert.strictEqual(store.upkeeps, 2)
  })

  effectWith(logged([]))(
    "has its log brought in when that has grown long, and does not ask for it at each row",
    function* () {
      const { pass, store, work } = yield* makeWriter
      yield* work(1)
      store.log = checkpointBytes
      yield* pass(60_000)
      yield* work(1)
      assert.strictEqual(store.upkeeps, 1, "it is not long yet")
      store.log = checkpointBytes + 1
      yield* pass(60_000)
      yield* work(1)
      assert.strictEqual(store.upkeeps, 2)
      // somebody reads, and it stays as it is
      yield* work(1)
      assert.strictEqual(store.upkeeps, 2)
      yield* pass(60_000)
      yield* work(1)
      assert.strictEqual(store.upkeeps, 3)
    }
  )

  it.effect("waits for nothing at the session's end", () => {
    const told: Array<string> = []
    return Effect.gen(function* () {
      const { publish, store, work, writer } = yield* makeWriter
      yield* work(1)
      store.failure = "busy"
      yield* publish({ state: "exited" })
      const fiber = yield* Effect.forkChild(writer.flush, { startImmediately: true })
      yield* TestClock.adjust("1 second")
      assert.isDefined(fiber.pollUnsafe())
      assert.strictEqual(told.filter((line) => line.includes("end is not recorded")).length, 1)
    }).pipe(Effect.provide(logged(told)))
  })
})
