import type { ProblemKind } from "../../../src/domain/words/session/Session.ts"
import { events, type Kind, rowsOf, status } from "./Kind.ts"

const failed = (
  name: string,
  right: ProblemKind,
  code: number,
  type: string,
  error: string | null,
  message: string,
  headers?: Readonly<Record<string, string>>
) => status(name, right, code, { error: { message, type, param: null, code: error } }, headers)

/** A row a failure: its name, its kind, the status, the type, the error and the message. */
const failedRows = (table: string) =>
  rowsOf(table).map(([[name = "", right, code, type = "", error = "-"], message]) =>
    failed(name, right as ProblemKind, Number(code), type, error === "-" ? null : error, message)
  )

const response = {
  id: "resp_fake",
  object: "response",
  created_at: 1_700_000_000,
  status: "in_progress",
  model: "fake",
  output: [],
  error: null,
  usage: null
}

const failedEvent = (name: string, right: ProblemKind, code: string, message: string) =>
  events(name, right, [
    ["response.created", { type: "response.created", sequence_number: 0, response }],
    [
      "response.failed",
      {
        type: "response.failed",
        sequence_number: 1,
        response: { ...response, status: "failed", error: { code, message } }
      }
    ]
  ])

/** A row a failure: its name, its kind, the error and the message. */
const failedEventRows = (table: string) =>
  rowsOf(table).map(([[name = "", right, code = ""], message]) =>
    failedEvent(name, right as ProblemKind, code, message)
  )

const item = { id: "msg_fake", type: "message", status: "completed", role: "assistant" }

/** What the Responses API tells in its stream. */
const responsesKinds: ReadonlyArray<Kind> = [
  ...failedEventRows(String.raw`
    context-event context context_length_exceeded | Your input exceeds the context window of this model. Please adjust your input and try again.
    policy-event refused invalid_prompt | Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt: https://platform.openai.com/docs/guides/reasoning#advice-on-prompting
    cyber-event refused cyber_policy | This request has been flagged for potentially high-risk cyber activity.
    rate-event rate_limited rate_limit_exceeded | Rate limit reached for gpt-6.1-sol in organization org-fake on tokens per min (TPM): Limit 30000, Used 22999, Requested 12528. Please try again in 11.054s.
    quota-event rate_limited insufficient_quota | You exceeded your current quota, please check your plan and billing details.
    server-event overloaded server_error | The server had an error while processing your request. Sorry about that!
    overloaded-event overloaded server_is_overloaded | Our servers are currently overloaded. Please try again later.
  `),
  events("incomplete-filter", "refused", [
    ["response.created", { type: "response.created", sequence_number: 0, response }],
    [
      "response.output_item.done",
      {
        type: "response.output_item.done",
        sequence_number: 1,
        output_index: 0,
        item: {
          ...item,
          status: "incomplete",
          content: [{ type: "output_text", text: "I will begin", annotations: [] }]
        }
      }
    ],
    [
      "response.incomplete",
      {
        type: "response.incomplete",
        sequence_number: 2,
        response: { ...response, status: "incomplete", incomplete_details: { reason: "content_filter" } }
      }
    ]
  ]),
  events("refusal", null, [
    ["response.created", { type: "response.created", sequence_number: 0, response }],
    [
      "response.output_item.done",
      {
        type: "response.output_item.done",
        sequence_number: 1,
        output_index: 0,
        item: { ...item, content: [{ type: "refusal", refusal: "I cannot help with that." }] }
      }
    ],
    [
      "response.completed",
      {
        type: "response.completed",
        sequence_number: 2,
        response: {
          ...response,
          status: "completed",
          output: [{ ...item, content: [{ type: "refusal", refusal: "I cannot help with that." }] }],
          usage: {
            input_tokens: 12,
            input_tokens_details: { cached_tokens: 0 },
            output_tokens: 2,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: 14
          }
        }
      }
    ]
  ])
]

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "chatcmpl-fake",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  model: "fake",
  choices: [{ index: 0, delta, finish_reason }]
})

/** What the Chat Completions API tells in its stream. */
const chatKinds: ReadonlyArray<Kind> = [
  events("content-filter", "refused", [
    [null, chunk({ role: "assistant", content: "I will begin" })],
    [null, chunk({}, "content_filter")]
  ]),
  events("error-in-stream", "overloaded", [
    [null, chunk({ role: "assistant", content: "It begins" })],
    [
      null,
      {
        error: {
          message: "The server had an error while processing your request. Sorry about that!",
          type: "server_error",
          param: null,
          code: null
        }
      }
    ]
  ])
]

const usageLimit = (name: string, resetsIn: number, headers: Readonly<Record<string, string>> = {}) => {
  const at = Math.floor(Date.now() / 1000) + resetsIn
  const error = {
    type: "usage_limit_reached",
    message: "The usage limit has been reached",
    plan_type: "plus",
    resets_at: at,
    resets_in_seconds: resetsIn
  }
  return status(name, "rate_limited", 429, { error }, { "x-codex-primary-reset-at": String(at), ...headers })
}

const slowDown = (name: string, wait: string, headers: Readonly<Record<string, string>>) =>
  failed(
    name,
    "rate_limited",
    429,
    "tokens",
    "rate_limit_exceeded",
    `Rate limit reached for gpt-6.1-sol in organization org-fake on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in ${wait}.`,
    headers
  )

const day = 86_400

/** Limits as servers tell them whose clocks are wrong, and limits whose ends are long past or far ahead. */
const clocks: ReadonlyArray<Kind> = [
  usageLimit("limit-past", -3 * 3600),
  usageLimit("limit-just-past", -20),
  usageLimit("limit-far", 400 * day),
  usageLimit("limit-other-clock", 3 * 3600, { date: new Date(Date.now() + 20 * day * 1000).toUTCString() }),
  slowDown("retry-past", "0s", { "retry-after": new Date(Date.now() - 3_600_000).toUTCString() }),
  slowDown("retry-date", "2h0m0s", { "retry-after": new Date(Date.now() + 7_200_000).toUTCString() }),
  slowDown("retry-far", "8640h0m0s", { "retry-after": String(360 * day) }),
  slowDown("retry-negative", "-5s", { "retry-after": "-5" })
]

/** What OpenAI's API, and what speaks like it, answers with. */
export const openaiKinds = (chat: boolean): ReadonlyArray<Kind> => [
  ...failedRows(String.raw`
    context-length context 400 invalid_request_error context_length_exceeded | This model's maximum context length is 272000 tokens. However, your messages resulted in 310231 tokens. Please reduce the length of the messages.
    context-window context 400 invalid_request_error context_length_exceeded | Your input exceeds the context window of this model. Please adjust your input and try again.
    text-too-long refused 400 invalid_request_error string_above_max_length | Invalid 'input[3].content[0].text': string too long. Expected a string with maximum length 10485760, but got a string with length 11534336 instead.
    content-policy refused 400 invalid_request_error content_policy_violation | Your request was rejected as a result of our safety system.
    invalid-prompt refused 400 invalid_request_error invalid_prompt | Invalid prompt: your prompt was flagged as potentially violating our usage policy. Please try again with a different prompt: https://platform.openai.com/docs/guides/reasoning#advice-on-prompting
    azure-filter refused 400 invalid_request_error content_filter | The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.
    bad-request unknown 400 invalid_request_error - | Invalid value for 'input[2]': expected another one.
    tool-schema model 400 invalid_request_error invalid_function_parameters | Invalid schema for function 'exec': In context=(), object schema missing properties.
    unsupported-parameter model 400 invalid_request_error unsupported_parameter | Unsupported parameter: 'reasoning.effort' is not supported with this model.
    invalid-key auth 401 invalid_request_error invalid_api_key | Incorrect API key provided: sk-fake. You can find your API key at https://platform.openai.com/account/api-keys.
    token-expired auth 401 invalid_request_error token_expired | Provided authentication token is expired. Please try signing in again.
    deactivated auth 401 invalid_request_error account_deactivated | Your account has been deactivated, please check your email for more information.
    payment auth 402 invalid_request_error payment_required | Payment required: insufficient credits. Add more at https://vendor.example/credits.
    region auth 403 request_forbidden unsupported_country_region_territory | Country, region, or territory not supported
    no-access auth 403 invalid_request_error insufficient_permissions | You have insufficient permissions for this operation. Missing scopes: model.request.
  `),
  failed(
    "model-not-found",
    "model",
    404,
    "invalid_request_error",
    "model_not_found",
    "The model `gpt-9` does not exist or you do not have access to it."
  ),
  failed(
    "rate-limit",
    "rate_limited",
    429,
    "tokens",
    "rate_limit_exceeded",
    "Rate limit reached for gpt-6.1-sol in organization org-fake on tokens per min (TPM): Limit 30000, Used 22999, Requested 12528. Please try again in 11.054s.",
    { "retry-after": "11" }
  ),
  failed(
    "quota",
    "rate_limited",
    429,
    "insufficient_quota",
    "insufficient_quota",
    "You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors."
  ),
  status(
    "usage-limit",
    "rate_limited",
    429,
    {
      error: {
        type: "usage_limit_reached",
        message: "The usage limit has been reached",
        plan_type: "plus",
        resets_at: Math.floor(Date.now() / 1000) + 9000,
        resets_in_seconds: 9000
      }
    },
    {
      "x-codex-primary-used-percent": "100.0",
      "x-codex-primary-window-minutes": "300",
      "x-codex-primary-reset-at": String(Math.floor(Date.now() / 1000) + 9000)
    }
  ),
  status("usage-not-included", "auth", 429, { error: { type: "usage_not_included", message: "Usage not included" } }),
  ...clocks,
  ...failedRows(String.raw`
    conflict-409 unknown 409 invalid_request_error - | The request conflicts with another one.
    unprocessable-422 unknown 422 invalid_request_error - | Unprocessable entity
    server-error overloaded 500 server_error - | The server had an error while processing your request. Sorry about that!
    overloaded overloaded 503 service_unavailable_error server_is_overloaded | Our servers are currently overloaded. Please try again later.
  `),
  ...(chat ? chatKinds : responsesKinds)
]
