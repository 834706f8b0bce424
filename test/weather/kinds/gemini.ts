import type { ProblemKind } from "../../../src/domain/words/session/Session.ts"
import { events, type Kind, rowsOf, status } from "./Kind.ts"

const failed = (
  name: string,
  right: ProblemKind,
  code: number,
  state: string,
  message: string,
  details: ReadonlyArray<object> = []
) =>
  status(name, right, code, { error: { code, message, status: state, ...(details.length === 0 ? {} : { details }) } })

/** A row a failure: its name, its kind, the code, the status and the message. */
const failedRows = (table: string) =>
  rowsOf(table).map(([[name = "", right, code, state = ""], message]) =>
    failed(name, right as ProblemKind, Number(code), state, message)
  )

const google = "type.googleapis.com/google.rpc"
const info = (reason: string, domain = "googleapis.com") => ({
  "@type": `${google}.ErrorInfo`,
  reason,
  domain,
  metadata: { service: "generativelanguage.googleapis.com" }
})
const retry = (delay: string) => ({ "@type": `${google}.RetryInfo`, retryDelay: delay })
const quota = (id: string, value: string) => ({
  "@type": `${google}.QuotaFailure`,
  violations: [
    {
      quotaMetric: "generativelanguage.googleapis.com/generate_content_free_tier_requests",
      quotaId: id,
      quotaDimensions: { location: "global", model: "gemini-2.5-pro" },
      quotaValue: value
    }
  ]
})

const exceeded = (limit: number, model: string, seconds: string) =>
  "You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.google.dev/gemini-api/docs/rate-limits. To monitor your current usage, head to: https://ai.dev/rate-limit. \n" +
  `* Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: ${limit}, model: ${model}\nPlease retry in ${seconds}.`

const ended = (name: string, right: ProblemKind | null, candidate: object | null, more: object = {}) =>
  events(name, right, [
    [
      null,
      {
        ...(candidate === null ? {} : { candidates: [{ index: 0, ...candidate }] }),
        usageMetadata: { promptTokenCount: 1200, totalTokenCount: 1200 },
        modelVersion: "gemini-2.5-pro",
        responseId: "fake",
        ...more
      }
    ]
  ])

/** What Google's Gemini API answers with. */
export const geminiKinds: ReadonlyArray<Kind> = [
  ...failedRows(String.raw`
    token-count context 400 INVALID_ARGUMENT | The input token count (1292035) exceeds the maximum number of tokens allowed (1048576).
    bad-request unknown 400 INVALID_ARGUMENT | Request contains an invalid argument.
    tool-schema model 400 INVALID_ARGUMENT | * GenerateContentRequest.tools[0].function_declarations[3].parameters.properties: should be non-empty for OBJECT type
    tool-order context 400 INVALID_ARGUMENT | Please ensure that function call turn comes immediately after a user turn or after a function response turn.
    region auth 400 FAILED_PRECONDITION | User location is not supported for the API use.
  `),
  failed("invalid-key", "auth", 400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [
    info("API_KEY_INVALID")
  ]),
  failed("expired-key", "auth", 400, "INVALID_ARGUMENT", "API key expired. Please renew the API key.", [
    info("API_KEY_INVALID")
  ]),
  failed(
    "unauthenticated",
    "auth",
    401,
    "UNAUTHENTICATED",
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential. See https://developers.google.com/identity/sign-in/web/devconsole-project."
  ),
  failed(
    "permission",
    "auth",
    403,
    "PERMISSION_DENIED",
    "Permission denied: Consumer 'api_key:AIza' has been suspended.",
    [info("CONSUMER_SUSPENDED")]
  ),
  failed(
    "service-disabled",
    "auth",
    403,
    "PERMISSION_DENIED",
    "Generative Language API has not been used in project 123456 before or it is disabled.",
    [info("SERVICE_DISABLED")]
  ),
  ...failedRows(String.raw`
    model-not-found model 404 NOT_FOUND | models/gemini-9-pro is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.
    too-large context 413 INVALID_ARGUMENT | Request payload size exceeds the limit: 20971520 bytes.
  `),
  failed("per-minute", "rate_limited", 429, "RESOURCE_EXHAUSTED", exceeded(2, "gemini-2.5-pro", "41.27s"), [
    quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "2"),
    { "@type": `${google}.Help`, links: [] },
    retry("41s")
  ]),
  failed("per-day", "rate_limited", 429, "RESOURCE_EXHAUSTED", exceeded(50, "gemini-2.5-pro", "51180.92s"), [
    quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "50"),
    retry("51180s")
  ]),
  ...failedRows(String.raw`
    quota-plain rate_limited 429 RESOURCE_EXHAUSTED | Resource has been exhausted (e.g. check quota).
    prepaid-credits auth 429 RESOURCE_EXHAUSTED | Your prepayment credits are depleted. Please go to AI Studio at https://ai.studio/projects to manage your project and billing.
  `),
  failed("retry-past", "rate_limited", 429, "RESOURCE_EXHAUSTED", exceeded(2, "gemini-2.5-pro", "0s"), [
    quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "2"),
    retry("0s")
  ]),
  failed("retry-far", "rate_limited", 429, "RESOURCE_EXHAUSTED", exceeded(2, "gemini-2.5-pro", "31104000s"), [
    quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "2"),
    retry("31104000s")
  ]),
  status(
    "limit-other-clock",
    "rate_limited",
    429,
    { error: { code: 429, message: "Resource has been exhausted (e.g. check quota).", status: "RESOURCE_EXHAUSTED" } },
    { date: new Date(Date.now() + 20 * 86_400_000).toUTCString(), "retry-after": "-5" }
  ),
  ...failedRows(String.raw`
    aborted unknown 409 ABORTED | The operation was aborted.
    out-of-range unknown 400 OUT_OF_RANGE | The specified range is invalid.
    billing-disabled auth 400 FAILED_PRECONDITION | Gemini API free tier is not available in your country. Please enable billing on your project in Google AI Studio.
    unimplemented overloaded 501 UNIMPLEMENTED | Operation is not implemented, or supported, or enabled.
    data-loss overloaded 500 DATA_LOSS | Unrecoverable data loss or corruption.
    unknown-500 overloaded 500 UNKNOWN | An unknown error has occurred.
    cancelled overloaded 499 CANCELLED | The operation was cancelled.
    internal overloaded 500 INTERNAL | An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting
    unavailable overloaded 503 UNAVAILABLE | The model is overloaded. Please try again later.
    high-demand overloaded 503 UNAVAILABLE | This model is currently experiencing high demand. Spikes in demand are usually temporary. Please try again later.
    deadline overloaded 504 DEADLINE_EXCEEDED | The request timed out. Please try again.
  `),
  ended("prompt-blocked", "refused", null, { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }),
  ended("safety", "refused", {
    content: { role: "model", parts: [] },
    finishReason: "SAFETY",
    safetyRatings: [{ category: "HARM_CATEGORY_DANGEROUS_CONTENT", probability: "HIGH", blocked: true }]
  }),
  ended("blocklist", "refused", null, { promptFeedback: { blockReason: "BLOCKLIST" } }),
  ended("spii", "refused", { finishReason: "SPII" }),
  ended("language", "unknown", { finishReason: "LANGUAGE" }),
  ended("other", "unknown", { finishReason: "OTHER" }),
  ended("too-many-calls", "unknown", { finishReason: "TOO_MANY_TOOL_CALLS" }),
  ended("recitation", "refused", { finishReason: "RECITATION" }),
  ended("malformed-call", "unknown", {
    content: {},
    finishReason: "MALFORMED_FUNCTION_CALL",
    finishMessage: "Malformed function call: print(default_api.read_file("
  }),
  ended("max-tokens", null, {
    content: { role: "model", parts: [{ text: "A reply as long as it may be" }] },
    finishReason: "MAX_TOKENS"
  }),
  ended("empty", "unknown", { content: { role: "model", parts: [] }, finishReason: "STOP" }),
  events("unavailable-in-stream", "overloaded", [
    [null, { candidates: [{ index: 0, content: { role: "model", parts: [{ text: "It begins" }] } }] }],
    [null, { error: { code: 503, message: "The model is overloaded. Please try again later.", status: "UNAVAILABLE" } }]
  ])
]
