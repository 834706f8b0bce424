import type { ProblemKind } from "../../../src/domain/words/session/Session.ts"
import { events, type Kind, rowsOf, status } from "./Kind.ts"

const told = (type: string, message: string) => ({
  type: "error",
  error: { type, message },
  request_id: "req_011CSHoEeqs5C35K2UUqR7Fy"
})

const failed = (
  name: string,
  right: ProblemKind,
  code: number,
  type: string,
  message: string,
  headers?: Readonly<Record<string, string>>
) => status(name, right, code, told(type, message), headers)

/** A row a failure: its name, its kind, the status, the type and the message. */
const failedRows = (table: string) =>
  rowsOf(table).map(([[name = "", right, code, type = ""], message]) =>
    failed(name, right as ProblemKind, Number(code), type, message)
  )

const messageStart: readonly [string, object] = [
  "message_start",
  {
    type: "message_start",
    message: {
      id: "msg_fake",
      type: "message",
      role: "assistant",
      model: "claude",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 200, output_tokens: 1 }
    }
  }
]

const inStream = (name: string, right: ProblemKind, code: number, type: string, message: string) =>
  events(name, right, [messageStart, ["error", told(type, message)]], { status: code, body: told(type, message) })

const stopped = (name: string, right: ProblemKind, reason: string, text: string) =>
  events(name, right, [
    messageStart,
    ["content_block_start", { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }],
    ["content_block_delta", { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }],
    ["content_block_stop", { type: "content_block_stop", index: 0 }],
    [
      "message_delta",
      { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 20 } }
    ],
    ["message_stop", { type: "message_stop" }]
  ])

/** Seconds since the epoch, some hours ahead. */
const soon = () => String(Math.floor(Date.now() / 1000) + 3 * 3600)

const perMinute = () => ({
  "retry-after": "43",
  "anthropic-ratelimit-requests-limit": "4000",
  "anthropic-ratelimit-requests-remaining": "3999",
  "anthropic-ratelimit-requests-reset": new Date(Date.now() + 1000).toISOString(),
  "anthropic-ratelimit-input-tokens-limit": "400000",
  "anthropic-ratelimit-input-tokens-remaining": "0",
  "anthropic-ratelimit-input-tokens-reset": new Date(Date.now() + 43_000).toISOString(),
  "x-should-retry": "false"
})

/** The headers with which a subscription's limit is told. */
export const subscription = (claim: "five_hour" | "seven_day", overage: "rejected" | "allowed", reset = soon()) => ({
  "anthropic-ratelimit-unified-status": "rejected",
  "anthropic-ratelimit-unified-reset": reset,
  "anthropic-ratelimit-unified-representative-claim": claim,
  [`anthropic-ratelimit-unified-${claim === "five_hour" ? "5h" : "7d"}-status`]: "rejected",
  [`anthropic-ratelimit-unified-${claim === "five_hour" ? "5h" : "7d"}-reset`]: reset,
  [`anthropic-ratelimit-unified-${claim === "five_hour" ? "5h" : "7d"}-utilization`]: "1.0",
  "anthropic-ratelimit-unified-fallback-percentage": "0.5",
  "anthropic-ratelimit-unified-overage-status": overage,
  "anthropic-ratelimit-unified-overage-disabled-reason": "org_level_disabled",
  "retry-after": String(3 * 3600),
  "x-should-retry": "false"
})

const limited = (name: string, headers: Readonly<Record<string, string>>) =>
  failed(
    name,
    "rate_limited",
    429,
    "rate_limit_error",
    "This request would exceed your account's rate limit. Please try again later.",
    { "x-should-retry": "false", ...headers }
  )

const day = 86_400
const secondsFromNow = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds)

/** Limits as servers tell them whose clocks are wrong, and limits whose ends are long past or far ahead. */
const clocks: ReadonlyArray<Kind> = [
  limited("limit-past", subscription("five_hour", "rejected", secondsFromNow(-3 * 3600))),
  limited("limit-just-past", subscription("five_hour", "rejected", secondsFromNow(-20))),
  limited("limit-far", subscription("seven_day", "rejected", secondsFromNow(400 * day))),
  limited("limit-other-clock", {
    ...subscription("five_hour", "rejected"),
    date: new Date(Date.now() + 20 * day * 1000).toUTCString()
  }),
  limited("retry-past", { "retry-after": new Date(Date.now() - 3_600_000).toUTCString() }),
  limited("retry-date", { "retry-after": new Date(Date.now() + 7_200_000).toUTCString() }),
  limited("retry-far", { "retry-after": String(360 * day) }),
  limited("retry-negative", { "retry-after": "-5" })
]

/** What Anthropic's API answers with. */
export const anthropicKinds: ReadonlyArray<Kind> = [
  failed(
    "prompt-too-long",
    "context",
    400,
    "invalid_request_error",
    "prompt is too long: 212436 tokens > 200000 maximum"
  ),
  failed(
    "input-and-output-too-long",
    "context",
    400,
    "invalid_request_error",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again"
  ),
  ...failedRows(String.raw`
    request-too-large context 413 request_too_large | Request exceeds the maximum size
    content-policy refused 400 invalid_request_error | Output blocked by content filtering policy
    bad-request unknown 400 invalid_request_error | messages.4.content.0: unexpected value in this position
    image-too-large refused 400 invalid_request_error | messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 7340032 bytes > 5242880 bytes
    tool-schema model 400 invalid_request_error | tools.12.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).
  `),
  failed(
    "tool-pairs",
    "context",
    400,
    "invalid_request_error",
    "messages.6: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. Each `tool_use` block must have a corresponding `tool_result` block in the next message."
  ),
  ...failedRows(String.raw`
    credit auth 400 invalid_request_error | Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.
    organisation auth 400 invalid_request_error | This organization has been disabled.
    spend-limit rate_limited 400 invalid_request_error | You have reached your specified API usage limits. You will regain access on 2027-01-01 at 00:00 UTC.
    invalid-key auth 401 authentication_error | invalid x-api-key
    login-expired auth 401 authentication_error | OAuth token has expired. Please obtain a new token or refresh your existing token.
    token-revoked auth 403 permission_error | OAuth token has been revoked. Please obtain a new token.
    billing auth 402 billing_error | There is an issue with your account's billing or payment information.
    permission auth 403 permission_error | Your API key does not have permission to use the specified resource.
    model-not-found model 404 not_found_error | model: claude-opus-9-20300101
  `),
  failed(
    "rate-limit",
    "rate_limited",
    429,
    "rate_limit_error",
    "This request would exceed your organization's rate limit of 400,000 input tokens per minute. For details, refer to: https://docs.claude.com/en/api/rate-limits.",
    perMinute()
  ),
  failed(
    "session-limit",
    "rate_limited",
    429,
    "rate_limit_error",
    "This request would exceed your account's rate limit. Please try again later.",
    subscription("five_hour", "rejected")
  ),
  failed(
    "week-limit",
    "rate_limited",
    429,
    "rate_limit_error",
    "This request would exceed your account's rate limit. Please try again later.",
    subscription("seven_day", "rejected")
  ),
  failed(
    "long-context-credits",
    "rate_limited",
    429,
    "rate_limit_error",
    "Extra usage is required for long context requests.",
    { "x-should-retry": "false" }
  ),
  ...clocks,
  ...failedRows(String.raw`
    timeout-408 overloaded 408 timeout_error | Request timed out.
    conflict-409 unknown 409 invalid_request_error | The request conflicts with another one.
    unprocessable-422 unknown 422 invalid_request_error | Unprocessable entity
    server-error overloaded 500 api_error | Internal server error
    timeout-504 overloaded 504 timeout_error | Request timed out.
    overloaded overloaded 529 overloaded_error | Overloaded
  `),
  inStream("overloaded-in-stream", "overloaded", 529, "overloaded_error", "Overloaded"),
  inStream("server-error-in-stream", "overloaded", 500, "api_error", "Internal server error"),
  inStream(
    "rate-limit-in-stream",
    "rate_limited",
    429,
    "rate_limit_error",
    "This request would exceed your account's rate limit. Please try again later."
  ),
  inStream("refused-in-stream", "refused", 400, "invalid_request_error", "Output blocked by content filtering policy"),
  stopped("refusal", "refused", "refusal", ""),
  stopped("refusal-after-text", "refused", "refusal", "I will begin with the first"),
  stopped("max-tokens", "refused", "max_tokens", "This reply is as long as it may be"),
  stopped("context-window-exceeded", "context", "model_context_window_exceeded", "This reply fills what is left of it")
]
