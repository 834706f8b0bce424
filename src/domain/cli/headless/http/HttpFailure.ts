import { fieldsOf, itemsOf, textOf } from "../../../words/reading/Fields.ts"
import type { ProviderProblem } from "../AgentEvent.ts"
import { withResetTime, providerProblemOf, isRetriable, kindByStatus } from "../ProviderProblem.ts"
import { parsed } from "./Chat.ts"
import { errorBody } from "./ErrorBody.ts"
import { excerptOf, maskReport } from "../Masking.ts"
import { cutTo } from "../toolPreview.ts"

/** A response that is no answer. Header names are in lower case; `now`: milliseconds since the epoch. */
export interface HttpRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  readonly now: number
}

export interface HttpFailure {
  readonly problem: ProviderProblem
  readonly retriable: boolean
  /** The server is loading its model. */
  readonly loading: boolean
  /** The server's own words and codes, masked. */
  readonly serverText: string
  /** The rejected fields of the request, as paths. */
  readonly fields: ReadonlyArray<string>
}

const excerptLength = 300
const longestWait = 30 * 24 * 3_600_000

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `6m0s`, `1.5s`, `20ms`, or a bare number of seconds. */
const durationOf = (text: string): number | null => {
  if (/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) return Number(text) * 1_000
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h|d)){1,5}$/.test(text)) return null
  return [...text.matchAll(/([\d.]+)(ms|s|m|h|d)/g)].reduce(
    (sum, [, number, unit]) => sum + Number(number) * (units[unit ?? ""] ?? 0),
    0
  )
}

/** Milliseconds to wait: by a duration, or until a date, or until seconds or milliseconds since the epoch. */
const waitOf = (value: string | undefined, now: number): number | null => {
  const text = value?.trim() ?? ""
  const number = /^\d{10,16}$/.test(text) ? Number(text) : null
  const moment =
    number !== null ? (number > 1e11 ? number : number * 1_000) : /[a-z]{3}|\d-\d/i.test(text) ? Date.parse(text) : NaN
  const wait = Number.isFinite(moment) ? moment - now : durationOf(text)
  return wait === null ? null : Math.min(longestWait, Math.max(0, Math.ceil(wait)))
}

/** How long the server asks to wait, in milliseconds; null: not said. */
export const retryAfterOf = (headers: HttpRefusal["headers"], now: number): number | null => {
  const inMs = (headers["retry-after-ms"] ?? headers["x-ms-retry-after-ms"])?.trim() ?? ""
  if (/^\d{1,12}(?:\.\d{1,9})?$/.test(inMs)) return Math.min(longestWait, Math.ceil(Number(inMs)))
  const after = waitOf(headers["retry-after"], now)
  if (after !== null) return after
  const spent = ["requests", "tokens"].flatMap((what) =>
    headers[`x-ratelimit-remaining-${what}`]?.trim() === "0"
      ? [waitOf(headers[`x-ratelimit-reset-${what}`], now) ?? 0]
      : []
  )
  if (spent.some((wait) => wait > 0)) return Math.max(...spent)
  return headers["x-ratelimit-remaining"]?.trim() === "0" || headers["ratelimit-remaining"]?.trim() === "0"
    ? waitOf(headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"], now)
    : null
}

const excerpt = (text: string, secrets: ReadonlyArray<string>): string => excerptOf(text, secrets, excerptLength)

const statusWords = (status: number, retryAfter: number | null): string => {
  if (status === 401 || status === 403 || status === 407) return "authentication failed"
  if (status === 429)
    return retryAfter === null ? "rate limited" : `rate limited, retry after ${Math.ceil(retryAfter / 1_000)} s`
  if (status === 418 || status < 400) return "unexpected status"
  return status >= 500 ? "server error" : "bad request"
}

/** While they load a model, llama.cpp, its proxies, Hugging Face, Ollama and text-generation-inference say this. */
const loadingModel = new RegExp(
  String.raw`\bloading (?:the )?model|model (?:\S+ )?(?:is )?(?:still |currently |not )*(?:loading|loaded|ready)\b` +
    String.raw`|warming up|(?:is|still) (?:starting|loading)\b`,
  "i"
)

/** The wait in a response's body, in milliseconds: Google's `RetryInfo`. */
const waitWithin = (body: unknown): number | null => {
  const error = fieldsOf(fieldsOf(Array.isArray(body) ? body[0] : body)["error"])
  const delay = itemsOf(error["details"]).flatMap((detail) => textOf(fieldsOf(detail)["retryDelay"]) ?? [])[0]
  return delay === undefined ? null : waitOf(delay, 0)
}

/** What an error says, and the problem that its words name. */
const errorIn = (error: unknown, whole: string, secrets: ReadonlyArray<string>) => {
  const { codes, message, ...others } = errorBody(error)
  const text = excerpt(message ?? whole, secrets)
  const all = [text, ...codes.map((code) => excerpt(code, secrets))].join(" ")
  return { ...others, codes, text, all, fromText: providerProblemOf({ message: all }) }
}

/** Reads a response that is no answer. Total; the result contains no secrets. */
export const responseFailure = (
  { body, headers, now, status }: HttpRefusal,
  secrets: ReadonlyArray<string>,
  url: string | null = null
): HttpFailure => {
  const json = parsed(body)
  const { all, fields, fromText, text } = errorIn(json ?? body, body, secrets)
  const retryAfter = retryAfterOf(headers, now) ?? waitWithin(json)
  const asked = headers["x-should-retry"]?.trim().toLowerCase()
  const kind = kindByStatus(status, fromText.kind)
  // A server names a missing model. For a missing path it may say anything.
  const isWrongPlace = (status === 404 && !/model|deployment|engine/i.test(all)) || status === 405
  const detail =
    status >= 300 && status < 400 && headers["location"] !== undefined
      ? `it redirects to ${excerpt(headers["location"], secrets)}`
      : text
  return {
    problem: {
      kind,
      message:
        `${statusWords(status, retryAfter)} (HTTP ${status})${detail === "" ? "" : `: ${detail}`}` +
        (isWrongPlace ? `; is the base URL right?${url === null ? "" : ` It asked ${url}`}` : ""),
      // The server's time zone is unknown.
      retryAfter: withResetTime({ kind, message: all, retryAfter: retryAfter ?? fromText.retryAfter }, now, null)
        .retryAfter
    },
    retriable:
      (asked === "true" || (asked !== "false" && isRetriable(status))) && kind !== "quota" && kind !== "context",
    loading: asked !== "false" && isRetriable(status) && status >= 500 && loadingModel.test(all),
    serverText: all,
    fields
  }
}

/** Reads an error within an answer. Only the status in the error itself counts: the response's is a success. */
export const streamFailure = (error: unknown, now: number, secrets: ReadonlyArray<string>): HttpFailure => {
  const { all, codes, fields, fromText, status, text } = errorIn(error, JSON.stringify(error) ?? "", secrets)
  if (status !== null && status >= 400 && status < 600) {
    return responseFailure(
      { status, headers: {}, body: JSON.stringify(typeof error === "string" ? { error } : error), now },
      secrets
    )
  }
  return {
    problem: { ...withResetTime(fromText, now, null), message: text === "" ? "the server reports an error" : text },
    retriable:
      fromText.kind === "overloaded" ||
      fromText.kind === "rate_limited" ||
      /server_error|internal|timeout/i.test(codes.join(" ")),
    loading: false,
    serverText: all,
    fields
  }
}

export interface TransportFault {
  readonly why: string
  readonly retriable: boolean
}

const known: Readonly<Record<string, TransportFault>> = {
  ECONNREFUSED: { why: "the connection was refused; does the server run?", retriable: true },
  ECONNRESET: { why: "the connection was cut", retriable: true },
  EPIPE: { why: "the connection was cut", retriable: true },
  ETIMEDOUT: { why: "the server cannot be reached", retriable: true },
  EHOSTUNREACH: { why: "the server cannot be reached", retriable: true },
  ENETUNREACH: { why: "the network cannot be reached", retriable: true },
  EAI_AGAIN: { why: "the name of the server cannot be resolved at present", retriable: true },
  ENOTFOUND: { why: "there is no server of that name", retriable: false }
}

/** Reads a platform error by its code, else by its message, without secrets. */
export const transportFault = (cause: unknown, values: ReadonlyArray<string>): TransportFault => {
  const fields = fieldsOf(cause)
  const inner = fields["cause"] ?? (Array.isArray(fields["errors"]) ? fields["errors"][0] : undefined)
  const code = textOf(fields["code"]) ?? textOf(fieldsOf(inner)["code"]) ?? ""
  const message = textOf(fields["message"]) ?? textOf(fieldsOf(inner)["message"]) ?? code
  return (
    (Object.hasOwn(known, code) ? known[code] : undefined) ?? {
      why: cutTo(maskReport(message, values), 200),
      retriable: false
    }
  )
}
