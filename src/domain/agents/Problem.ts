import { DateTime } from "effect"
import { problemOf } from "../ProblemText.ts"
import { resetTime } from "../ResetTime.ts"
import { fieldsOf, numberOf, textOf } from "../usage/Fields.ts"
import type { ProviderProblem, ProviderProblemKind } from "./AgentEvent.ts"

/** What a provider tells of a failure. */
export interface Complaint {
  readonly message: string
  /** An HTTP status, where one is told apart from the message. */
  readonly status?: number | null
  /** The provider's own name of the failure: `authentication_failed`, `tool_not_registered`. */
  readonly code?: string | null
  readonly retryAfter?: number | null
}

/** What is known only here; all else is read as for sessions in a terminal. The first that fits counts. */
const texts: ReadonlyArray<readonly [ProviderProblemKind, RegExp]> = [
  ["session", /no conversation found|no (?:saved )?session (?:found|,)|session not found|no rollout found|invalid session identifier|no previous sessions|error resuming session|no session, task, or name matched|session id .{0,80} already exists/i],
  ["context", /context.?(?:window|length)|ran out of room|prompt is too long|maximum context|too many (?:input )?tokens|input is too long/i],
  ["quota", /insufficient.?(?:quota|credit|fund|balance)|credit balance|billing|payment required|exceeded your current quota|\b(?:hit|reached|exceeded) (?:your|the) (?:\w+ ){0,2}(?:limit|quota)|usage.?limit/i],
  ["refused", /safety_stop|content.?(?:filter|policy)|usage policy|\brefusal\b|blocked by (?:safety|policy)/i]
]

const byStatus: Readonly<Record<number, ProviderProblemKind>> = {
  401: "auth", 402: "quota", 403: "auth", 404: "model", 408: "overloaded", 413: "context", 429: "rate_limited",
  500: "overloaded", 502: "overloaded", 503: "overloaded", 504: "overloaded", 529: "overloaded"
}

const millis = (iso: string): number => DateTime.toEpochMillis(DateTime.makeUnsafe(iso))

/** Two moments at which no clock shows the same, and which no calendar calls the same. */
const apart = [1e12, 1e12 + 26_040_000]

/** Milliseconds that a text tells to wait; null where it tells a moment instead, or nothing that is clear. */
export const waitIn = (text: string): number | null => {
  const [one, other] = apart.map((at) => {
    const end = resetTime(text, at, "UTC")
    return end === null ? null : millis(end) - at
  })
  return one === undefined || one !== other ? null : one
}

const limits: ReadonlySet<ProviderProblemKind> = new Set(["rate_limited", "quota", "overloaded"])

/**
 * A limit that was told of at a moment (milliseconds since the epoch), with the time that is left of it, where its text names
 * its end. `zone` is that of the teller, for texts that name none; null where it is not known: such texts are then not read.
 */
export const dated = (problem: ProviderProblem, at: number, zone: string | null): ProviderProblem => {
  if (problem.retryAfter !== null || !limits.has(problem.kind)) return problem
  const [end, other] = (zone === null ? ["-11:00", "+12:30"] : [zone, zone]).map((zone) => resetTime(problem.message, at, zone))
  return end === null || end === undefined || end !== other ? problem : { ...problem, retryAfter: millis(end) - at }
}

/** The status that the text names beside a word that says what it is. */
const statusIn = (text: string): number | null => {
  const found = /\b(?:API Error:?|HTTP|status(?: code)?|code"?:)\s{0,2}:?\s{0,2}([1-5]\d\d)\b/i.exec(text)
  return found === null ? null : Number(found[1])
}

/** What people need of a message that is an API's JSON answer, whole or within a sentence. */
const unwrap = (message: string): { readonly message: string; readonly code: string | null; readonly status: number | null } => {
  const from = message.indexOf("{")
  const to = message.lastIndexOf("}")
  const plain = { message, code: null, status: null }
  if (from < 0 || to < from) return plain
  const parsed = parse(message.slice(from, to + 1))
  const fields = fieldsOf(parsed)
  const inner = Object.keys(fieldsOf(fields["error"])).length > 0 ? fieldsOf(fields["error"]) : fields
  const said = textOf(inner["message"])
  return said === null ? plain : {
    message: said,
    code: textOf(inner["type"]) ?? textOf(inner["status"]) ?? textOf(inner["code"]),
    status: numberOf(inner["code"]) ?? numberOf(inner["statusCode"])
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}

/** Names what a provider complains of. Total. */
export const problemFrom = (complaint: Complaint): ProviderProblem => {
  const inner = unwrap(complaint.message)
  const code = complaint.code ?? inner.code
  const status = complaint.status ?? inner.status ?? statusIn(complaint.message)
  const all = [...code === null || code === undefined ? [] : [code], complaint.message]
  const named = texts.find(([, pattern]) => all.some((text) => pattern.test(text)))?.[0]
  const told = problemOf(complaint.message, ...all)?.kind
  const kind: ProviderProblemKind = named ?? (status === null ? undefined : byStatus[status])
    ?? (told === "rate_limited" || told === "auth" || told === "overloaded" || told === "model" ? told : "other")
  return { kind, message: inner.message, retryAfter: complaint.retryAfter ?? waitIn(complaint.message) }
}
