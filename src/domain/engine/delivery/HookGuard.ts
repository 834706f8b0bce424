import { Schema } from "effect"
import { OverBudget } from "../../words/session/OverBudget.ts"
import type { UnwiredCause } from "../../words/session/UnwiredCause.ts"

/**
 * The queue waits for proof that the CLI's hooks call leap, because only they enforce deny and ask rules. `unwired`: it
 * is known that they do not, so the queue waits for the user; if null, an event is due by `until`.
 */
export interface Unproven {
  readonly since: number
  readonly unwired: UnwiredCause | null
  readonly until: number | null
  /** The number of rules that depend on the hooks. */
  readonly restrictions: number
}

/** A budget of the settings has nothing left for the next message. `until`: the day's end, if it is a day's budget. */
export const BudgetHold = Schema.Struct({
  since: Schema.Finite,
  until: Schema.NullOr(Schema.Finite),
  over: Schema.NullOr(OverBudget)
})
export type BudgetHold = typeof BudgetHold.Type

/** What the budgets of the settings let a session do. */
export const BudgetEvent = Schema.TaggedUnion({
  BudgetKnown: { at: Schema.Finite, hold: Schema.NullOr(BudgetHold) }
})
export type BudgetEvent = typeof BudgetEvent.Type

/** What holds messages in any state of the session: rules that nothing enforces, and used-up budgets. */
export interface HookGuard {
  readonly unproven: Unproven | null
  readonly budget: BudgetHold | null
  /** When the user last allowed messages nevertheless. */
  readonly wordAt: number | null
  /** The messages held for this reason. */
  readonly keptBack: ReadonlyArray<string>
}

export const noGuard: HookGuard = { unproven: null, budget: null, wordAt: null, keptBack: [] }

/** The missing proof that holds messages now; null for none. The user's permission holds until hooks stop anew. */
export const unprovenAt = ({ unproven, wordAt }: HookGuard): Unproven | null =>
  unproven === null || (wordAt !== null && wordAt >= unproven.since) ? null : unproven

/**
 * The budget that holds messages now; null if they may be sent. The user's permission holds until another is used up.
 */
export const overBudgetAt = ({ budget, wordAt }: HookGuard): BudgetHold | null =>
  budget === null || (wordAt !== null && wordAt >= budget.since) ? null : budget
