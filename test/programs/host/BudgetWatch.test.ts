import { assert, describe } from "@effect/vitest"
import { Clock, Effect, Layer, SubscriptionRef } from "effect"
import { TestClock } from "effect/testing"
import type { BudgetHold } from "../../../src/domain/engine/delivery/HookGuard.ts"
import { type Budget, defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import * as BudgetWatch from "../../../src/programs/host/BudgetWatch.ts"
import { provider as claude } from "../../../src/layers/providers/claude/Provider.ts"
import { provider as demo } from "../../../src/layers/providers/demo/Provider.ts"
import { SessionRuntime } from "../../../src/programs/host/SessionRuntime.ts"
import { UsageTracker } from "../../../src/programs/host/UsageTracker.ts"
import { noUsageView } from "../../../src/programs/host/sessionStatus.ts"
import { CLIProvider } from "../../../src/services/CLIProvider.ts"
import { RecordStore } from "../../../src/services/RecordStore.ts"
import { StoreError } from "../../../src/services/StoreError.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { contextOf, freshMemory, publisherOf } from "../../support/host/parts.ts"
import { effect } from "../../support/run/effects.ts"

const noBudget: Budget = defaultSettings.budget
const noon = new Date(2026, 0, 1, 12).getTime()
const midnight = new Date(2026, 0, 2).getTime()

/** A watched session, with what the record says that all have spent of the day in US dollars; null: it fails. */
const watched = Effect.fnUntraced(function* (
  budget: Partial<Budget>,
  day: { usd: number | "defect" | null },
  provider: CLIProvider["Service"] = claude,
  spec: Parameters<typeof contextOf>[0] = {}
) {
  const publisher = yield* publisherOf()
  const settingsOf = (more: Partial<Budget>, record: "full" | "off" = "full") => ({
    settings: { ...defaultSettings, budget: { ...noBudget, ...more }, record },
    warnings: []
  })
  const settings = yield* SubscriptionRef.make(settingsOf(budget))
  const views = yield* SubscriptionRef.make(noUsageView)
  const holds: Array<BudgetHold | null> = []
  const memory = freshMemory()
  let facts = { ...memory.tracker.facts, sessionId: "one" }
  let reads = 0
  const failed = new StoreError({ store: "record", reason: "busy", file: "/r", why: "of the test" })
  yield* TestClock.setTime(noon)
  yield* Layer.build(
    BudgetWatch.layer.pipe(
      Layer.provide([
        Layer.mock(SessionRuntime, {
          memory: () => ({ ...memory, tracker: { ...memory.tracker, facts } }),
          offerSoon: () => {},
          offer: (event) => void (event._tag === "BudgetKnown" && holds.push(event.hold))
        }),
        publisher.layer,
        contextOf(spec),
        Layer.succeed(CLIProvider, provider),
        Layer.mock(UserSettings, {
          file: "/s",
          read: SubscriptionRef.get(settings),
          changes: Effect.succeed(SubscriptionRef.changes(settings))
        }),
        Layer.mock(UsageTracker, {
          view: () => SubscriptionRef.getUnsafe(views),
          views: SubscriptionRef.changes(views),
          onHook: () => {}
        }),
        Layer.mock(RecordStore, {
          file: "/r",
          spent: (span) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => {
              reads++
              const from = now < midnight ? midnight - 86_400_000 : midnight
              assert.deepStrictEqual(span, { from, to: from + 86_400_000 })
              if (day.usd === "defect") return Effect.die("of the test")
              return day.usd === null ? Effect.fail(failed) : Effect.succeed({ tokens: 2, usd: day.usd, floor: false })
            })
        })
      ])
    )
  )
  /** In small steps: what is under way is let happen in between. */
  const pass = (seconds: number) => Effect.repeat(TestClock.adjust(100 * seconds), { times: 9 })
  const costs = (usd: number, contextTokens = 0) =>
    SubscriptionRef.set(views, {
      ...noUsageView,
      usage: {
        ...noUsageView.usage,
        contextTokens,
        session: { input: usd * 100, cacheRead: 0, cacheWrite: 0, output: 0 },
        cost: { usd, estimated: true }
      }
    })
  const set = (more: Partial<Budget>, record?: "full" | "off") =>
    SubscriptionRef.set(settings, settingsOf(more, record))
  yield* pass(1)
  const joins = (sessionId: string) => void (facts = { ...facts, sessionId })
  /** Its hooks are found not to call leap. */
  const silence = () => void (facts = { ...facts, hooks: { ...facts.hooks, silentSince: noon } })
  return { costs, holds, joins, pass, reads: () => reads, set, silence, uncounted: publisher.uncounted, views }
})

describe("the budgets of a hosted session", () => {
  effect("of the day are what all have spent of it, until midnight", function* () {
    const day: { usd: number | "defect" | null } = { usd: 4 }
    const { holds, pass, set } = yield* watched({ dayUsd: 5 }, day)
    assert.deepStrictEqual(holds, [])
    day.usd = 5.5
    yield* pass(6)
    const over = { of: "day", limit: "cost", most: 5, used: 5.5, floor: false, next: null } as const
    assert.deepInclude(holds.at(-1), { until: midnight, over })
    day.usd = null
    yield* pass(60)
    assert.lengthOf(holds, 1, "a record that is not read for a while changes nothing")
    day.usd = "defect"
    yield* pass(60)
    day.usd = 1
    yield* pass(6)
    assert.deepStrictEqual(holds.slice(1), [null], "one defect does not end the watch")
    day.usd = 5.5
    yield* pass(6)
    assert.deepStrictEqual(holds[2], holds[0], "it is the same budget, so the user's word for it holds")
    yield* set({ dayUsd: 6 })
    yield* pass(1)
    assert.deepStrictEqual(holds.slice(3), [null])
  })
  effect("of the day are not those of the day before where the record cannot be read", function* () {
    const day: { usd: number | "defect" | null } = { usd: 5.5 }
    const { holds, pass } = yield* watched({ dayUsd: 5 }, day)
    day.usd = null
    yield* pass(40_000)
    assert.lengthOf(holds, 1)
    yield* pass(4_000)
    assert.deepInclude(holds.at(-1), { until: null, over: null })
    day.usd = 1
    yield* pass(6)
    assert.isNull(holds.at(-1))
  })
  effect("of the day count what the session has used since the record was read, at once", function* () {
    const { costs, holds, pass, reads } = yield* watched({ dayUsd: 5 }, { usd: 4 })
    const before = reads()
    yield* costs(1.5)
    yield* TestClock.adjust(20)
    assert.strictEqual(holds.at(-1)?.over?.used, 5.5)
    assert.strictEqual(reads(), before)
    yield* pass(6)
    assert.isAbove(reads(), before)
    assert.lengthOf(holds, 1, "a record that does not have it yet lets no message go")
    yield* pass(20)
    assert.deepStrictEqual(holds.slice(1), [null], "in the end the record decides")
  })
  effect("of the day do not count what a resumed conversation has used before", function* () {
    const resumes = { sessionId: "one", transcriptPath: null }
    const { costs, holds, pass } = yield* watched({ dayUsd: 5 }, { usd: 4 }, claude, { resumes })
    yield* costs(30)
    yield* pass(6)
    assert.deepStrictEqual(holds, [])
    yield* costs(31.5)
    yield* pass(1)
    assert.strictEqual(holds.at(-1)?.over?.used, 5.5)
  })
  effect("of a conversation hold before a message can be typed, and another one has its own", function* () {
    const { costs, holds, joins, pass } = yield* watched({ conversationUsd: 5 }, { usd: 1 })
    yield* costs(4)
    yield* costs(6)
    yield* TestClock.adjust(20)
    assert.strictEqual(holds.at(-1)?.over?.used, 6)
    yield* pass(60)
    yield* costs(0)
    yield* pass(1)
    yield* costs(6)
    yield* pass(60)
    assert.deepStrictEqual(holds[2], holds[0], "its transcript was read again")
    yield* costs(0)
    yield* pass(1)
    joins("two")
    yield* costs(7)
    yield* pass(1)
    assert.isAbove(holds.at(-1)?.since ?? 0, noon + 100_000)
  })
  effect("of a conversation are its own, with what its next request reads", function* () {
    const { costs, holds, pass, reads } = yield* watched({ conversationTokens: 1_000 }, { usd: 1 })
    yield* costs(5, 400)
    yield* pass(2)
    assert.deepStrictEqual(holds, [])
    yield* costs(7, 400)
    yield* pass(2)
    assert.deepInclude(holds.at(-1), {
      until: null,
      over: { of: "conversation", limit: "tokens", most: 1_000, used: 700, floor: false, next: 400 }
    })
    assert.strictEqual(reads(), 0, "the record is asked for days alone")
  })
  effect("of the day do not hold without a record, which is said; without any nothing is looked at", function* () {
    const { holds, pass, reads, set } = yield* watched({}, { usd: 1 })
    yield* pass(3_600)
    assert.deepStrictEqual([holds.length, reads()], [0, 0])
    yield* set({ dayTokens: 10 }, "off")
    yield* pass(1)
    assert.deepInclude(holds.at(-1), { until: null, over: null })
  })
  effect("do not count a session whose CLI does not tell its use, which is said", function* () {
    const { pass, set, uncounted } = yield* watched({ dayTokens: 5 }, { usd: 1 }, demo)
    assert.deepStrictEqual(uncounted, [{ _tag: "NotTold" }])
    yield* pass(60)
    yield* set({})
    yield* pass(1)
    assert.deepStrictEqual(uncounted.slice(1), [null], "without a budget there is nothing to say")
    const unwired = yield* watched({ dayTokens: 5 }, { usd: 1 })
    assert.deepStrictEqual(unwired.uncounted, [], "it tells its use, but has used nothing so far")
    unwired.silence()
    yield* unwired.pass(6)
    assert.deepStrictEqual(unwired.uncounted, [{ _tag: "NotTold" }])
  })
  effect("of cost do not count a model without a price, which is said", function* () {
    const { costs, pass, set, uncounted, views } = yield* watched({ dayUsd: 5 }, { usd: 1 })
    const session = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 }
    const none = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
    yield* SubscriptionRef.set(views, { ...noUsageView, usage: { ...noUsageView.usage, model: "m", session: none } })
    yield* pass(1)
    assert.deepStrictEqual(uncounted, [], "nothing was used so far")
    yield* SubscriptionRef.set(views, { ...noUsageView, usage: { ...noUsageView.usage, model: "m", session } })
    yield* pass(1)
    assert.deepStrictEqual(uncounted, [{ _tag: "NoPrice", model: "m" }])
    yield* set({ dayTokens: 5 })
    yield* pass(1)
    assert.deepStrictEqual(uncounted.slice(1), [null])
    yield* set({ dayUsd: 5 })
    yield* pass(1)
    yield* costs(1)
    yield* pass(1)
    assert.lengthOf(uncounted, 4)
    assert.isNull(uncounted.at(-1))
  })
})
