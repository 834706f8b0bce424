import { Schema } from "effect"

/** A budget of the settings with nothing, or too little, left for the next request. */
export const OverBudget = Schema.Struct({
  /** Its scope: the day by this machine's clock, or one conversation. */
  of: Schema.Literals(["day", "conversation"]),
  limit: Schema.Literals(["tokens", "cost"]),
  /** In tokens, or US dollars. */
  most: Schema.Finite,
  used: Schema.Finite,
  /** Some use could not be counted: it may be more. */
  floor: Schema.Boolean,
  /** The next request takes at least this, which would exceed the budget; null: it is used up. */
  next: Schema.NullOr(Schema.Finite)
})
export type OverBudget = typeof OverBudget.Type

/** Why budgets of the settings do not count a session's use, so that they do not hold it for that. */
export const UncountedUse = Schema.TaggedUnion({
  /** Its CLI does not tell what it uses: none counts it. */
  NotTold: {},
  /** There is no price for its model: those of cost do not count it. */
  NoPrice: { model: Schema.NullOr(Schema.String) }
})
export type UncountedUse = typeof UncountedUse.Type
