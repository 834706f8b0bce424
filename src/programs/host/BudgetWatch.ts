import { Clock, Effect, Layer, Schedule, Stream } from "effect"
import {
  hasBudget,
  hasDayBudget,
  overBudget,
  sharedLimits,
  type Spent,
  uncountedUse
} from "../../domain/cli/usage/Budget.ts"
import { noUsage, sizeOf } from "../../domain/cli/usage/UsageReader.ts"
import type { UncountedUse } from "../../domain/words/session/OverBudget.ts"
import type { BudgetHold } from "../../domain/engine/delivery/HookGuard.ts"
import { dayAround } from "../../domain/engine/history/daysIn.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { RecordStore } from "../../services/RecordStore.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { UsageTracker } from "./UsageTracker.ts"

/** Other sessions and headless runs use the same budget, and the record shows it a moment later. */
const pace = "5 seconds"
/** Milliseconds after which the record has this session's own use. The host writes it within a second or two. */
const recordedWithin = 10_000

/** Tells the session's machine whether the budgets of the settings leave room for a message. */
const make = Effect.gen(function* () {
  const runtime = yield* SessionRuntime
  const settings = yield* UserSettings
  const usage = yield* UsageTracker
  const store = yield* RecordStore
  const provider = yield* CLIProvider
  const publisher = yield* StatusPublisher
  const { spec } = yield* SessionContext
  let wanted = (yield* settings.read).settings
  let told: string | null = null
  let shown: UncountedUse | null = null
  /** The day's use by the record, and this session's own use at that time. */
  let day: { readonly spent: Spent; readonly own: Spent; readonly until: number } | null = null
  let ownBefore = 0
  let ownGrewAt = -Infinity
  /** When each budget was first found used up. A figure that is unknown, or less, for a while does not change it. */
  let firsts = new Map<string | null, number>()

  const ownUse = (): Spent => {
    const { cost, session } = usage.view().usage
    return {
      tokens: session === null ? 0 : sizeOf(session),
      usd: cost?.usd ?? 0,
      floor: cost === null || cost.floor !== undefined
    }
  }

  /** The day's use, with what this session has used since the record was read; null if it is unknown. */
  const usedToday = (): Spent | null => {
    if (day === null) return null
    const own = ownUse()
    const grown = (of: "tokens" | "usd") => day!.spent[of] + Math.max(0, own[of] - day!.own[of])
    return { tokens: grown("tokens"), usd: grown("usd"), floor: day.spent.floor }
  }
  /** A sum that the record just gave, which may lack what this session has used a moment ago. */
  const withOwn = (spent: Spent, now: number): Spent => {
    const known = day !== null && now < day.until && now - ownGrewAt < recordedWithin ? usedToday() : null
    return known === null
      ? spent
      : { ...spent, tokens: Math.max(spent.tokens, known.tokens), usd: Math.max(spent.usd, known.usd) }
  }

  const readDay = Effect.gen(function* () {
    const { budget, record } = wanted
    const now = yield* Clock.currentTimeMillis
    const span = dayAround(now)
    if (!hasDayBudget(budget) || record === "off") day = null
    else
      day = yield* store.spent(span).pipe(
        Effect.map((spent) => ({ spent: withOwn(spent, now), own: ownUse(), until: span.to })),
        // A failed read does not change what is known of this day.
        Effect.orElseSucceed(() => (day !== null && now < day.until ? day : null))
      )
  })

  /** Why no message may be sent now; null if one may. */
  const holdNow = (): Omit<BudgetHold, "since"> | null => {
    const { budget } = wanted
    if (!hasBudget(budget)) return null
    if (hasDayBudget(budget) && day === null) return { until: null, over: null }
    const limits = sharedLimits(budget, { day: usedToday(), conversation: ownUse() })
    const next = { tokens: usage.view().usage.contextTokens ?? 0, usd: null }
    const over = overBudget(limits, { tokens: 0, usd: 0 }, next)
    return over === null ? null : { until: over.of === "day" ? (day?.until ?? null) : null, over }
  }

  const judge = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const { tokens, usd } = ownUse()
    // What a resumed conversation has used before is not this day's.
    if (ownBefore === 0 && spec.resumes !== undefined) day = day === null ? null : { ...day, own: ownUse() }
    else if (tokens + usd > ownBefore) ownGrewAt = at
    ownBefore = tokens + usd
    const { facts } = runtime.memory().tracker
    const isTold = provider.usage !== noUsage && facts.hooks.silentSince === null
    const uncounted = uncountedUse(wanted.budget, usage.view().usage, isTold)
    if (JSON.stringify(uncounted) !== JSON.stringify(shown)) yield* publisher.update({ uncounted })
    shown = uncounted
    const hold = holdNow()
    const over = hold?.over
    const conversation = over?.of === "conversation" ? facts.sessionId : null
    const known = hold === null ? null : JSON.stringify([over?.of, over?.limit, over?.most, hold.until, conversation])
    if (known === told) return
    const since = firsts.get(known) ?? at
    firsts.set(known, since)
    runtime.offer({ _tag: "BudgetKnown", at, hold: hold === null ? null : { ...hold, since } })
    told = known
  })

  const attempt = Effect.catchDefect((defect) => Effect.logWarning("budgets could not be looked at", defect))
  const read = attempt(readDay)
  const readings = Stream.mapEffect(Stream.fromSchedule(Schedule.spaced(pace)), () => read)
  yield* (yield* settings.changes).pipe(
    Stream.switchMap((now) => {
      if (JSON.stringify(now.settings.budget) !== JSON.stringify(wanted.budget)) firsts = new Map()
      wanted = now.settings
      return Stream.concat(
        Stream.fromEffect(read),
        hasBudget(wanted.budget) ? Stream.merge(usage.views, readings) : Stream.empty
      )
    }),
    Stream.runForEach(() => attempt(judge)),
    Effect.forkScoped
  )
})

export const layer = Layer.effectDiscard(make)
