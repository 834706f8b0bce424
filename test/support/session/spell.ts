import { Schema } from "effect"

/** What the properties of bad weather draw of each spell of it. */

const kinds = ["rate_limited", "auth", "overloaded", "model", "context", "refused", "network", "unknown"] as const

export const int = (maximum: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))

export const spell = {
  kind: Schema.Literals(["none", "none", ...kinds]),
  /** For a limit: whether its end is told, and by how many minutes wrong. */
  told: Schema.Boolean,
  wrong: int(3)
}
