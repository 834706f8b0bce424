import { Schema } from "effect"
import { SessionState } from "./Session.ts"

/** A rule of the state machine's table, and its classification at one moment. */
export const RuleAnswer = Schema.Struct({ rule: Schema.String, state: SessionState, reason: Schema.String })
export type RuleAnswer = typeof RuleAnswer.Type

/**
 * One piece of evidence: its source, its content for people (`says`, the name that clients of a host know it by), and
 * since when it holds, in milliseconds since the epoch; null when that is not known.
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
  /** Rules behind it that would have given another state. */
  overruled: Schema.Array(RuleAnswer),
  /** The readiness blockers that apply now, whatever the state; clients of a host know them by this name. */
  holds: Schema.Array(Schema.Struct({ name: Schema.String, why: Schema.String })),
  /** The evidence, the source of the highest authority first. */
  evidence: Schema.Array(EvidenceLine)
})
export type Explanation = typeof Explanation.Type
