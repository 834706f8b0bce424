import { Cause, Clock, Effect, Layer, Schedule, Stream } from "effect"
import { hasBudget, hasDayBudget, overBudget, sharedLimits, type Spent } from "../../domain/cli/usage/Budget.ts"
import { sizeOf } from "../../domain/cli/usage/UsageReader.ts"
import type { BudgetHold } from "../../domain/engine/delivery/HookGuard.ts"
import type { RecordStore } from "../../services/RecordStore.ts"
import { spentToday } from "../../services/spentToday.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { UsageTracker } from "./UsageTracker.ts"

/** Other sessions and headless runs use the same budget, and the record shows it a moment later. */
const pace = "5 seconds"
/** By then the session's own use is in the record. */
const recorded = "500 millis"

const known = ({ over, until }: BudgetHold) => JSON.stringify([over?.of, over?.limit, over?.most, until])

/** Tells the session's machine whether the budgets of the settings leave room for a message. */
const make = Effect.gen(function* () {
  const runtime = yield* SessionRuntime
  const settings = yield* UserSettings
  const usage = yield* UsageTracker
  const context = yield* Effect.context<RecordStore>()
  let wanted = (yield* settings.read).settings
  let told: BudgetHold | null = null
  let day: { readonly spent: Spent; readonly until: number } | null = null

  /** Why no message may be sent now; null if one may. */
  const holdNow = Effect.gen(function* () {
    const { budget, record } = wanted
    if (!hasBudget(budget)) return null
    const since = yield* Clock.currentTimeMillis
    const isOfDay = hasDayBudget(budget)
    if (isOfDay) {
      // A failed read does not change what is known.
      day =
        record === "off"
          ? null
          : yield* Effect.orElseSucceed(
              spentToday(() => true),
              () => day
            )
      if (day === null) return { since, until: null, over: null }
    }
    const { contextTokens, cost, session } = usage.view().usage
    const conversation = {
      tokens: session === null ? 0 : sizeOf(session),
      usd: cost?.usd ?? 0,
      floor: cost === null || cost.floor !== undefined
    }
    const limits = sharedLimits(budget, { day: isOfDay ? (day?.spent ?? null) : null, conversation })
    const over = overBudget(limits, { tokens: 0, usd: 0 }, { tokens: contextTokens ?? 0, usd: null })
    return over === null ? null : { since, until: over.of === "day" ? (day?.until ?? null) : null, over }
  }).pipe(Effect.provideContext(context))

  const look = Effect.gen(function* () {
    const hold = yield* holdNow
    if (hold === null ? told === null : told !== null && known(told) === known(hold)) return
    told = hold
    runtime.offer({ _tag: "BudgetKnown", at: yield* Clock.currentTimeMillis, hold })
  })

  const spending = Stream.map(usage.views, ({ usage: { cost, session } }) => JSON.stringify([cost?.usd, session])).pipe(
    Stream.changes,
    Stream.debounce(recorded)
  )
  const moments = Stream.merge(spending, Stream.fromSchedule(Schedule.spaced(pace)))
  yield* (yield* settings.changes).pipe(
    Stream.switchMap((now) => {
      wanted = now.settings
      return hasBudget(wanted.budget) ? Stream.concat(Stream.make(0), moments) : Stream.make(0)
    }),
    Stream.runForEach(() => look),
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logWarning("budgets could not be looked at", cause)
    ),
    Effect.forkScoped
  )
})

export const layer = Layer.effectDiscard(make)
