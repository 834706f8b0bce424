import type { Budget } from "../../store/settings/Settings.ts"
import type { OverBudget, UncountedUse } from "../../words/session/OverBudget.ts"
import type { Usage } from "./Usage.ts"
import { sizeOf } from "./UsageReader.ts"

/** What was spent of a budget. `floor`: not all of the cost could be counted. */
export interface Spent {
  readonly tokens: number
  readonly usd: number
  readonly floor: boolean
}

export const nothingSpent: Spent = { tokens: 0, usd: 0, floor: false }

export const spentIn = (parts: ReadonlyArray<Spent>): Spent =>
  parts.reduce(
    (sum, { floor, tokens, usd }) => ({
      tokens: sum.tokens + tokens,
      usd: sum.usd + usd,
      floor: sum.floor || floor
    }),
    nothingSpent
  )

/** The settings limit something. */
export const hasBudget = (budget: Budget): boolean => Object.values(budget).some((most) => most !== null)

/** The settings limit a day, and only the record knows the day's use. */
export const hasDayBudget = ({ dayTokens, dayUsd }: Budget): boolean => dayTokens !== null || dayUsd !== null

/** Why budgets do not count a session's use; null: they do, or there are none. `told`: its CLI tells it. */
export const uncountedUse = (
  budget: Budget,
  { cost, model, session }: Pick<Usage, "cost" | "model" | "session">,
  told: boolean
): UncountedUse | null => {
  if (hasBudget(budget) && session === null && cost === null && !told) return { _tag: "NotTold" }
  const limitsCost = budget.dayUsd !== null || budget.conversationUsd !== null
  return limitsCost && cost === null && session !== null && sizeOf(session) > 0 ? { _tag: "NoPrice", model } : null
}

/** A limit of the settings, and its use by others or by earlier turns. */
export type SharedLimit = Pick<OverBudget, "floor" | "limit" | "most" | "of"> & { readonly before: number }

/** The limits in force, with their use. A use of null is unknown, and leaves its limits out. */
export const sharedLimits = (
  { conversationTokens, conversationUsd, dayTokens, dayUsd }: Budget,
  spent: Readonly<Record<SharedLimit["of"], Spent | null>>
): ReadonlyArray<SharedLimit> => {
  const limits = [
    { of: "day", tokens: dayTokens, usd: dayUsd },
    { of: "conversation", tokens: conversationTokens, usd: conversationUsd }
  ] as const
  return limits.flatMap(({ of, tokens, usd }): ReadonlyArray<SharedLimit> => {
    const its = spent[of]
    if (its === null) return []
    return [
      ...(tokens === null
        ? []
        : [{ of, limit: "tokens", most: tokens, before: its.tokens, floor: false } satisfies SharedLimit]),
      ...(usd === null
        ? []
        : [{ of, limit: "cost", most: usd, before: its.usd, floor: its.floor } satisfies SharedLimit])
    ]
  })
}

/**
 * The limit that the use has reached, or would exceed with the next request; null: none. A null amount is unknown, and
 * counts as nothing.
 */
export const overBudget = (
  limits: ReadonlyArray<SharedLimit>,
  used: { readonly tokens: number; readonly usd: number | null },
  next: { readonly tokens: number; readonly usd: number | null }
): OverBudget | null => {
  for (const { before, floor, limit, most, of } of limits) {
    const [own, then] = limit === "tokens" ? [used.tokens, next.tokens] : [used.usd ?? 0, next.usd ?? 0]
    const all = before + own
    if (all >= most || all + then > most) return { of, limit, most, used: all, floor, next: all >= most ? null : then }
  }
  return null
}
