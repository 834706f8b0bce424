import { Schema } from "effect"

export const Verdict = Schema.Literals(["allow", "ask", "deny"])
export type Verdict = typeof Verdict.Type

/** What leap says to a request, and why. `ask` leaves it to the user: the CLI shows its dialog. */
export const Decision = Schema.Struct({
  verdict: Verdict,
  /** The rule that decided, as the user wrote it; null when the session's mode did, or nothing. */
  rule: Schema.NullOr(Schema.String),
  /** In words, for the audit log, and for the model when it is refused. */
  why: Schema.String
})
export type Decision = typeof Decision.Type
