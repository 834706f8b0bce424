import { fieldsOf, numberOf, textOf } from "../reading/Fields.ts"
import { jsonOf } from "../formats/Json.ts"
import type { ProblemKind } from "../session/Session.ts"

/** Services' and CLIs' names for failures, by their meaning. Names without a clear meaning are absent. */
const names: Readonly<Partial<Record<ProblemKind, string>>> = {
  context:
    "context_length_exceeded context_window_exceeded model_context_window_exceeded ContextOverflowError " +
    "request_too_large",
  refused:
    "content_policy content_policy_violation content_filter invalid_prompt safety_stop cyber_policy bio_policy " +
    "misalignment_policy_violation string_above_max_length refusal image_safety prohibited_content blocklist spii " +
    "recitation",
  auth:
    "authentication_error authentication_failed permission_error billing_error oauth_org_not_allowed account_on_hold " +
    "verification_required cloud_credential_error invalid_api_key api_key_invalid token_expired account_deactivated " +
    "unauthorized unauthenticated permission_denied insufficient_permissions payment_required usage_not_included " +
    "unsupported_country_region_territory workspace_access_denied access_program_not_enabled ProviderAuthError",
  rate_limited:
    "rate_limit rate_limit_error rate_limit_exceeded rate_limited insufficient_quota quota_exceeded " +
    "usage_limit_reached usage_limit_exceeded session_budget_exceeded resource_exhausted too_many_requests quota",
  overloaded: "overloaded overloaded_error server_overloaded server_is_overloaded slow_down unavailable timeout_error",
  model:
    "model_not_found not_found_error ProviderModelNotFoundError invalid_function_parameters unsupported_parameter " +
    "unsupported_value unsupported_model model_not_supported",
  network:
    "ECONNREFUSED ECONNRESET ECONNABORTED ENOTFOUND EAI_AGAIN ETIMEDOUT EPIPE EHOSTUNREACH ENETUNREACH " +
    "response_stream_connection_failed response_stream_disconnected responseStreamConnectionFailed " +
    "responseStreamDisconnected"
}

const kindOfName: ReadonlyMap<string, ProblemKind> = new Map(
  Object.entries(names).flatMap(([kind, list]) =>
    list.split(" ").map((name) => [name.toLowerCase(), kind as ProblemKind] as const)
  )
)

/** The kind of problem of a failure's name; null if the name is unknown, or too general. */
export const kindOfCode = (code: string): ProblemKind | null => kindOfName.get(code.trim().toLowerCase()) ?? null

/** The kind of an HTTP status by itself; null if it may mean any failure. */
export const kindOfStatus = (status: number): ProblemKind | null => {
  switch (status) {
    case 401:
    case 402:
    case 403:
    case 407:
      return "auth"
    case 404:
      return "model"
    case 408:
    case 499:
      return "overloaded"
    case 413:
      return "context"
    case 429:
      return "rate_limited"
    default:
      return status >= 500 && status <= 599 ? "overloaded" : null
  }
}

export interface ErrorReply {
  readonly message: string | null
  /** The failure's names, the most specific one first. */
  readonly codes: ReadonlyArray<string>
  readonly status: number | null
}

/** The reply of a service that a text quotes as JSON, whatever surrounds it; null if there is none. */
export const errorReplyIn = (text: string): ErrorReply | null => {
  const from = text.indexOf("{")
  const to = text.lastIndexOf("}")
  if (from < 0 || to < from) return null
  const fields = fieldsOf(jsonOf(text.slice(from, to + 1)))
  const inner = Object.keys(fieldsOf(fields["error"])).length > 0 ? fieldsOf(fields["error"]) : fields
  const details = inner["details"]
  const reasons = Array.isArray(details) ? details.map((detail) => textOf(fieldsOf(detail)["reason"])) : []
  const codes = [...reasons, textOf(inner["code"]), textOf(inner["status"]), textOf(inner["type"])].filter(
    (code) => code !== null
  )
  const message = textOf(inner["message"])
  const status = numberOf(inner["code"]) ?? numberOf(inner["statusCode"]) ?? numberOf(inner["status"])
  if (message === null && codes.length === 0 && status === null) return null
  // A message may quote the reply of a service behind this one.
  const within = message === null ? null : errorReplyIn(message)
  return {
    message: within?.message ?? message,
    codes: [...(within?.codes ?? []), ...codes],
    status: within?.status ?? status
  }
}
