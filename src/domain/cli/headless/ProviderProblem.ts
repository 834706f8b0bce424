import { problemOf } from "../../words/problems/ProblemText.ts"
import { resetTime } from "../../words/problems/ResetTime.ts"
import { fieldsOf, numberOf, textOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import type { ProviderProblem, ProviderProblemKind } from "./AgentEvent.ts"

/** Statuses, and their kind. `textOverrides`: kinds that the message beside the status may report instead. */
type StatusRule = readonly [
  from: number,
  to: number,
  kind: ProviderProblemKind,
  textOverrides?: ReadonlyArray<ProviderProblemKind>,
  /** A retry after a while may succeed. */
  isRetriable?: boolean
]

/** The kinds that the message beside a client error may report. */
const ownFault = ["auth", "rate_limited", "quota", "model", "context", "session", "refused"] as const

/** The first rule with the status counts. */
const rules: ReadonlyArray<StatusRule> = [
  [401, 401, "auth"],
  [402, 402, "quota"],
  [403, 403, "auth", ["refused", "quota", "model"]],
  [404, 404, "model"],
  [407, 407, "auth"],
  [408, 408, "overloaded", ["quota", "context"], true],
  // 409: another request conflicts; 425, below: this one came too early.
  [409, 409, "other", [...ownFault, "overloaded"], true],
  // The model was withdrawn.
  [410, 410, "model"],
  [413, 413, "context"],
  [425, 425, "other", [...ownFault, "overloaded"], true],
  [429, 429, "rate_limited", ["quota"], true],
  [451, 451, "refused"],
  [400, 499, "other", ownFault],
  [501, 501, "overloaded", ["quota", "context"]],
  [503, 503, "overloaded", [], true],
  [529, 529, "overloaded", [], true],
  [500, 599, "overloaded", ["quota", "context"], true]
]

const ruleOf = (status: number): StatusRule | undefined => rules.find(([from, to]) => status >= from && status <= to)

/** The kind of failure for an HTTP status and its message. Without an error status the message decides. */
export const kindByStatus = (status: number, fromText: ProviderProblemKind): ProviderProblemKind => {
  const [, , kind = fromText, textOverrides = []] = ruleOf(status) ?? []
  return textOverrides.includes(fromText) ? fromText : kind
}

export const isRetriable = (status: number): boolean => ruleOf(status)?.[4] === true

const limits: ReadonlySet<ProviderProblemKind> = new Set(["rate_limited", "quota", "overloaded"])

export const isAtLimit = (kind: ProviderProblemKind): boolean => limits.has(kind)

export interface FailureReport {
  readonly message: string
  /** An HTTP status that is reported beside the message. */
  readonly status?: number | null
  /** The provider's own name of the failure: `authentication_failed`, `tool_not_registered`. */
  readonly code?: string | null
  readonly retryAfter?: number | null
}

/** Texts that headless runs read first; all others are read as for terminal sessions. The first match counts. */
const texts: ReadonlyArray<readonly [ProviderProblemKind, ReadonlyArray<RegExp>]> = [
  [
    "session",
    [
      /no conversation found|no (?:saved )?session (?:found|,)|session not found|no rollout found/i,
      /invalid session identifier|no previous sessions|error resuming session|no session, task, or name matched/i,
      /session id .{0,80} already exists/i
    ]
  ],
  [
    "context",
    [
      /context.?(?:window|length|size|overflow)|ran out of room|prompt is too long|maximum context/i,
      /too many (?:input )?tokens|input is too long/i
    ]
  ],
  [
    "quota",
    [
      /insufficient.?(?:quota|credit|fund|balance)|credit balance|billing|payment required/i,
      /balance is (?:insufficient|not enough)/i,
      /exceeded your current quota|\b(?:hit|reached|exceeded) (?:your|the) (?:\w+ ){0,2}(?:limit|quota)|usage.?limit/i
    ]
  ],
  ["refused", [/safety_stop|content.?(?:filter|policy)|usage policy|\brefusal\b|blocked by (?:safety|policy)/i]]
]

/** Milliseconds from `at` to the end of a limit that a text names; null: none. */
const untilOver = (text: string, at: number, zone: string): number | null => {
  const told = resetTime(text, at, zone)
  return told === null ? null : Math.max(0, Date.parse(told.until) - at)
}

/** Two moments at different times of day: only a duration means the same at both. */
const apart = [1e12, 1e12 + 26_040_000]

/** The least wait in milliseconds that a text names as a duration; null: it names a moment, or none clearly. */
export const waitIn = (text: string): number | null => {
  const [one, other] = apart.map((at) => untilOver(text, at, "UTC"))
  return one === undefined || one !== other ? null : one
}

/** Adds the time until a limit ends, if its text names it; without a `zone` some texts cannot be read. */
export const withResetTime = (problem: ProviderProblem, at: number, zone: string | null): ProviderProblem => {
  if (problem.retryAfter !== null || !isAtLimit(problem.kind)) return problem
  const [wait, other] = (zone === null ? ["-11:00", "+12:30"] : [zone, zone]).map((zone) =>
    untilOver(problem.message, at, zone)
  )
  return wait === null || wait === undefined || wait !== other ? problem : { ...problem, retryAfter: wait }
}

const statusIn = (text: string): number | null => {
  const found = /\b(?:API Error:?|HTTP|status(?: code)?|code"?:)\s{0,2}:?\s{0,2}([1-5]\d\d)\b/i.exec(text)
  return found === null ? null : Number(found[1])
}

const unwrap = (
  message: string
): { readonly message: string; readonly code: string | null; readonly status: number | null } => {
  const from = message.indexOf("{")
  const to = message.lastIndexOf("}")
  const plain = { message, code: null, status: null }
  if (from < 0 || to < from) return plain
  const parsed = jsonOf(message.slice(from, to + 1))
  const fields = fieldsOf(parsed)
  const inner = Object.keys(fieldsOf(fields["error"])).length > 0 ? fieldsOf(fields["error"]) : fields
  const text = textOf(inner["message"])
  return text === null
    ? plain
    : {
        message: text,
        code: textOf(inner["type"]) ?? textOf(inner["status"]) ?? textOf(inner["code"]),
        status: numberOf(inner["code"]) ?? numberOf(inner["statusCode"])
      }
}

export const providerProblemOf = (report: FailureReport): ProviderProblem => {
  const inner = unwrap(report.message)
  const code = report.code ?? inner.code
  const status = report.status ?? inner.status ?? statusIn(report.message)
  const all = [...(code === null || code === undefined ? [] : [code]), report.message]
  const named = texts.find(([, patterns]) => patterns.some((pattern) => all.some((text) => pattern.test(text))))?.[0]
  const commonKind = problemOf(report.message, ...all)?.kind
  const fromText: ProviderProblemKind =
    commonKind === "rate_limited" || commonKind === "auth" || commonKind === "overloaded" || commonKind === "model"
      ? commonKind
      : "other"
  const kind = named ?? (status === null ? fromText : kindByStatus(status, fromText))
  return { kind, message: inner.message, retryAfter: report.retryAfter ?? waitIn(report.message) }
}
