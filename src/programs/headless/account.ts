import { Clock, Effect, Schedule, Scope } from "effect"
import {
  hasBudget,
  hasDayBudget,
  nothingSpent,
  sharedLimits,
  type Spent,
  spentIn
} from "../../domain/cli/usage/Budget.ts"
import { sizeOf } from "../../domain/cli/usage/UsageReader.ts"
import { checkpointBytes } from "../../domain/engine/history/checkpointBytes.ts"
import { dayAround } from "../../domain/engine/history/daysIn.ts"
import type { LifeRow } from "../../domain/engine/history/RecordRow.ts"
import { AgentOptionError, type OpenAccount, type RunAccount } from "../../services/AgentProvider.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { type LifeWriter, RecordStore } from "../../services/RecordStore.ts"
import { isBusy } from "../../services/StoreError.ts"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"

/** The settings' budgets for the runs of one command. */
export interface Account {
  readonly open: OpenAccount
  /** Its conversation's use, with that of earlier turns. */
  readonly spent: () => Spent
  readonly limitsConversation: boolean
}

/** Hosts hold the record for moments; a run waits for it no longer than two seconds. */
const untilFree = { while: isBusy, times: 50, schedule: Schedule.spaced("40 millis") } as const

/**
 * The account of this command's runs; null without a budget. `name`: as in the record. `before`: the conversation's
 * earlier use. The runs of one provider are one conversation; with `isOne`, all runs are.
 */
export const accountFor = Effect.fn("agents.accountFor")(function* (
  name: "exec" | "chat",
  before: Spent,
  isOne: boolean
): Effect.fn.Return<Account | null, never, Output | Paths | RecordStore | System | UserSettings> {
  const { settings } = yield* (yield* UserSettings).read
  const { budget, record, recordDays, recordMegabytes } = settings
  if (!hasBudget(budget)) return null
  const store = yield* RecordStore
  const { ensureBase } = yield* Paths
  const { cwd, newId, pid, version } = yield* System
  const { note } = yield* Output
  const runs: Array<{ readonly provider: string; spent: Spent }> = []
  const limitsDay = hasDayBudget(budget)

  /** Opens a life of the record for this run alone: while another run has its `since`, it tries the next. */
  const begin = Effect.fnUntraced(function* (life: LifeRow) {
    for (let { since } = life; ; since++) {
      const writer = yield* Effect.retry(store.open({ ...life, since }), untilFree)
      if (writer.isNew) return writer
    }
  })

  const open: OpenAccount = Effect.fnUntraced(function* (provider) {
    const refuse = (why: string) => new AgentOptionError({ provider, option: "budget", why })
    if (limitsDay && record === "off")
      return yield* refuse("the record of sessions knows what a day has spent, and the setting 'record' has it off")
    // Without any session so far there is no place for the record.
    if (limitsDay) yield* Effect.mapError(ensureBase, ({ message }) => refuse(message))
    // The record is closed after the last row.
    const scope = yield* Scope.make()
    const since = yield* Clock.currentTimeMillis
    const session = `${name} ${yield* newId}`
    const own = { provider, spent: nothingSpent }
    runs.push(own)
    let recorded = nothingSpent
    let writer: LifeWriter | null = null
    let n = 0
    /** The day's use less all that this run recorded, even on earlier days, because the run adds its whole use. */
    const today = Effect.gen(function* () {
      const day = dayAround(yield* Clock.currentTimeMillis)
      const { floor, tokens, usd } = yield* Effect.retry(store.spent(day), untilFree)
      return { tokens: tokens - recorded.tokens, usd: usd - recorded.usd, floor }
    })
    let day = limitsDay ? yield* Effect.mapError(today, ({ message }) => refuse(message)) : null
    const write = Effect.fnUntraced(function* (rows: Parameters<LifeWriter["write"]>[0], at: number) {
      const life = { tag: name, cli: provider, base: provider, cwd, hostPid: pid, version, since }
      writer ??= yield* Effect.provideService(begin(life), Scope.Scope, scope)
      return yield* Effect.retry(writer.write(rows, at), untilFree)
    })
    const orNote = <A>(writing: Effect.Effect<A, { readonly message: string }>) =>
      Effect.catch(writing, ({ message }) =>
        note(`leap: what this run uses does not count in the budget of the day: ${message}`)
      )
    const end = Effect.gen(function* () {
      if (writer === null) return
      const at = yield* Clock.currentTimeMillis
      const log = yield* write([{ _tag: "LifeEnded", at, exit: null }], at)
      if (log > checkpointBytes) yield* store.upkeep(recordDays, recordMegabytes)
    })
    yield* Effect.addFinalizer((exit) => Effect.andThen(orNote(end), Scope.close(scope, exit)))
    const account: RunAccount = {
      limits: Effect.gen(function* () {
        if (limitsDay) day = yield* Effect.orElseSucceed(today, () => day)
        const others = runs.filter((run) => run !== own && (isOne || run.provider === provider))
        const conversation = spentIn([before, ...others.map(({ spent }) => spent)])
        return sharedLimits(budget, { day, conversation })
      }),
      spent: Effect.fnUntraced(function* ({ isEstimated, model, tokens, usd }) {
        const size = sizeOf(tokens)
        if (size === own.spent.tokens && (usd ?? 0) === own.spent.usd) return
        own.spent = { tokens: size, usd: usd ?? 0, floor: usd === null }
        if (!limitsDay) return
        const at = yield* Clock.currentTimeMillis
        const row = { n: ++n, at, session, model, tokens, usd, estimated: isEstimated, fresh: true } as const
        const { spent } = own
        yield* orNote(Effect.map(write([{ _tag: "Usage", ...row }], at), () => void (recorded = spent)))
      })
    }
    return account
  })
  return {
    open,
    spent: () => spentIn([before, ...runs.map(({ spent }) => spent)]),
    limitsConversation: budget.conversationTokens !== null || budget.conversationUsd !== null
  }
})
