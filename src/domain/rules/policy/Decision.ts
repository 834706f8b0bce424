import { Schema } from "effect"

/** What becomes of a request: it is granted, left to the user, or refused. */
export const Verdict = Schema.Literals(["allow", "ask", "deny"])
export type Verdict = typeof Verdict.Type

/** leap's decision on a request, and why. `ask` leaves it to the user: the CLI shows its dialog. */
export const Decision = Schema.Struct({
  verdict: Verdict,
  /** The rule that decided, as the user wrote it; null when the session's mode did, or nothing. */
  rule: Schema.NullOr(Schema.String),
  /** The reason for people: in the audit log, and for the model when the request is refused. */
  why: Schema.String,
  /** What there is to say beside the rule: its own reason, or what of the request is not clear; absent for nothing. */
  more: Schema.optionalKey(Schema.String),
  /** Of an `ask`: a rule that could not be read, and may deny, is the reason for it. */
  unread: Schema.optionalKey(Schema.Literal(true))
})
export type Decision = typeof Decision.Type
