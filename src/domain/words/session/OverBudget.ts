import { Schema } from "effect"

/** A budget of the settings that leaves nothing, or too little, for what would come next. */
export const OverBudget = Schema.Struct({
  /** Whose it is: of the day by this machine's clock, or of one conversation. */
  of: Schema.Literals(["day", "conversation"]),
  limit: Schema.Literals(["tokens", "cost"]),
  /** In tokens, or US dollars. */
  most: Schema.Finite,
  used: Schema.Finite,
  /** Not all that was used could be counted: it may be more. */
  floor: Schema.Boolean,
  /** What comes next takes at least this, which alone would exceed it; null: it is used up. */
  next: Schema.NullOr(Schema.Finite)
})
export type OverBudget = typeof OverBudget.Type
