import { Schema } from "effect"
import { SessionState } from "./Session.ts"

/** A rule of the state machine's table, and its classification at one moment. */
export const RuleAnswer = Schema.Struct({ rule: Schema.String, state: SessionState, reason: Schema.String })
export type RuleAnswer = typeof RuleAnswer.Type

/**
 * One piece of evidence: its source, its content for people (`says`; clients of a host know it by this name), and since
 * when it holds, in milliseconds since the epoch; null: unknown.
 */
export const EvidenceLine = Schema.Struct({
  source: Schema.String,
  says: Schema.String,
  since: Schema.NullOr(Schema.Finite)
})
export type EvidenceLine = typeof EvidenceLine.Type

/** Why a session is classified as it is. */
export const Explanation = Schema.Struct({
  /** The first rule of the table that applies: it decides. */
  decided: RuleAnswer,
  /** Later rules that would have given another state. */
  overruled: Schema.Array(RuleAnswer),
  /** The readiness blockers that apply now, whatever the state; clients of a host know them by this name. */
  holds: Schema.Array(Schema.Struct({ name: Schema.String, why: Schema.String })),
  /** The evidence, the source of the highest authority first. */
  evidence: Schema.Array(EvidenceLine)
})
export type Explanation = typeof Explanation.Type
