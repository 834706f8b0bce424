import type { OverBudget, UncountedUse } from "../session/OverBudget.ts"

export const amountWords = (limit: OverBudget["limit"], amount: number): string =>
  limit === "tokens" ? String(Math.round(amount)) : `$${amount.toFixed(4)}`

/** `the day's budget of tokens (50000)`, `the conversation's budget of cost ($5)`. */
export const budgetName = ({ limit, most, of }: Pick<OverBudget, "limit" | "most" | "of">): string =>
  `the ${of}'s budget of ${limit} (${limit === "tokens" ? most : `$${most}`})`

/** A budget and its use, in words; null: the use is unknown. */
export const budgetWords = (over: OverBudget | null): string => {
  if (over === null) return "what the day has used of its budget is not known: leap's record is off, or cannot be read"
  const { floor, limit, next, used } = over
  const spent = `${floor ? "at least " : ""}${amountWords(limit, used)} used`
  return next === null
    ? `${budgetName(over)} is used up: ${spent}`
    : `${budgetName(over)} would be exceeded: ${spent}, at least ${amountWords(limit, next)} more for what comes next`
}

/** Why budgets do not count what a session uses, in words. */
export const uncountedWords = (cause: UncountedUse): string =>
  cause._tag === "NotTold"
    ? "no budget counts it: its CLI does not tell what it uses"
    : `no budget of cost counts it: leap has no price for ${cause.model === null ? "its model" : `'${cause.model}'`}`
