import { Schema } from "effect"
import { Verdict } from "../../policy/Decision.ts"
import { ToolRequest } from "../../policy/ToolRequest.ts"

export const AuditEntry = Schema.Struct({
  /** ISO 8601. */
  at: Schema.String,
  tag: Schema.String,
  cli: Schema.String,
  sessionId: Schema.NullOr(Schema.String),
  /** How the request was reported: a hook event's name, or `screen` for a dialog that leap read. */
  event: Schema.String,
  request: Schema.NullOr(ToolRequest),
  verdict: Verdict,
  /** `rule` and `mode`: leap decided. `user`: answered through leap by a person. `none`: by none of these. */
  by: Schema.Literals(["rule", "mode", "user", "none"]),
  rule: Schema.NullOr(Schema.String),
  why: Schema.String,
  /** See `Decision`. Entries of earlier versions have it only in `why`. */
  more: Schema.optionalKey(Schema.String),
  /** How the CLI got the decision: by its hook, by a key in its dialog, or not at all (it asks the user). */
  told: Schema.Literals(["hook", "key", "no"])
})
export type AuditEntry = typeof AuditEntry.Type
