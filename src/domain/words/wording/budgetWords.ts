/** A budget of the settings that leaves nothing, or too little, for what would come next. */
export interface OverBudget {
  /** Whose it is: of the day by this machine's clock, or of one conversation. */
  readonly of: "day" | "conversation"
  readonly limit: "tokens" | "cost"
  /** In tokens, or US dollars. */
  readonly most: number
  readonly used: number
  /** Not all that was used could be counted: it may be more. */
  readonly floor: boolean
  /** What comes next takes at least this, which alone would exceed it; null: it is used up. */
  readonly next: number | null
}

/** An amount of a limit, as people read it. */
export const amountWords = (limit: OverBudget["limit"], amount: number): string =>
  limit === "tokens" ? String(Math.round(amount)) : `$${amount.toFixed(4)}`

/** `the day's budget of tokens (50000)`, `the conversation's budget of cost ($5)`. */
export const budgetName = ({ limit, most, of }: Pick<OverBudget, "limit" | "most" | "of">): string =>
  `the ${of}'s budget of ${limit} (${limit === "tokens" ? most : `$${most}`})`

/** Which budget it is, and how much of it is used, as people read it. */
export const budgetWords = (over: OverBudget): string => {
  const { floor, limit, next, used } = over
  const spent = `${floor ? "at least " : ""}${amountWords(limit, used)} used`
  return next === null
    ? `${budgetName(over)} is used up: ${spent}`
    : `${budgetName(over)} would be exceeded: ${spent}, at least ${amountWords(limit, next)} more for what comes next`
}
