import { Schema } from "effect"

/** The outcome of a request: granted, left to the user, or refused. */
export const Verdict = Schema.Literals(["allow", "ask", "deny"])
export type Verdict = typeof Verdict.Type

/** leap's decision on a request, and why. `ask` leaves it to the user: the CLI shows its dialog. */
export const Decision = Schema.Struct({
  verdict: Verdict,
  /** The deciding rule as the user wrote it; null if the session's mode decided, or nothing did. */
  rule: Schema.NullOr(Schema.String),
  /** The reason for people: in the audit log, and for the model if the request is refused. */
  why: Schema.String,
  /** Details beside the rule: its own reason, or what is unclear in the request. */
  more: Schema.optionalKey(Schema.String),
  /** For `ask`: the cause is an unreadable rule that may deny. */
  unread: Schema.optionalKey(Schema.Literal(true))
})
export type Decision = typeof Decision.Type
