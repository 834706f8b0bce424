import type { ProviderProblemKind } from "./AgentEvent.ts"

interface StatusRule {
  readonly statuses: readonly [from: number, to: number]
  readonly kind: ProviderProblemKind
  /** Kinds that the message beside the status may report instead. */
  readonly textOverrides: ReadonlyArray<ProviderProblemKind>
  /** A retry after a while may succeed. */
  readonly isRetriable: boolean
}

/** The kinds that the message beside a client error may report. */
const ownFault = ["auth", "rate_limited", "quota", "model", "context", "session", "refused"] as const

const rule = (
  from: number,
  to: number,
  kind: ProviderProblemKind,
  textOverrides: ReadonlyArray<ProviderProblemKind> = [],
  retriable = false
): StatusRule => ({ statuses: [from, to], kind, textOverrides, isRetriable: retriable })

/** The first rule with the status counts. */
const rules: ReadonlyArray<StatusRule> = [
  rule(401, 401, "auth"),
  rule(402, 402, "quota"),
  rule(403, 403, "auth", ["refused", "quota", "model"]),
  rule(404, 404, "model"),
  rule(407, 407, "auth"),
  rule(408, 408, "overloaded", ["quota", "context"], true),
  // Another request conflicts, or this one came too early.
  rule(409, 409, "other", [...ownFault, "overloaded"], true),
  // The model was withdrawn.
  rule(410, 410, "model"),
  rule(413, 413, "context"),
  rule(425, 425, "other", [...ownFault, "overloaded"], true),
  rule(429, 429, "rate_limited", ["quota"], true),
  rule(451, 451, "refused"),
  rule(400, 499, "other", ownFault),
  rule(501, 501, "overloaded", ["quota", "context"]),
  rule(503, 503, "overloaded", [], true),
  rule(529, 529, "overloaded", [], true),
  rule(500, 599, "overloaded", ["quota", "context"], true)
]

const ruleOf = (status: number): StatusRule | undefined =>
  rules.find(({ statuses: [from, to] }) => status >= from && status <= to)

/** The kind of failure for an HTTP status and its message. Without an error status the message decides. */
export const kindByStatus = (status: number, fromText: ProviderProblemKind): ProviderProblemKind => {
  const found = ruleOf(status)
  return found === undefined || found.textOverrides.includes(fromText) ? fromText : found.kind
}

export const isRetriable = (status: number): boolean => ruleOf(status)?.isRetriable === true
