export interface Dialect {
  readonly maxTokens: "max_completion_tokens" | "max_tokens"
  readonly stream: boolean
  readonly usage: boolean
  /** A JSON answer is requested by `response_format`, not only by an instruction. */
  readonly responseFormat: boolean
  readonly jsonSchema: boolean
}

export const newest: Dialect = {
  maxTokens: "max_completion_tokens",
  stream: true,
  usage: true,
  responseFormat: true,
  jsonSchema: true
}

const rejections = [
  /unsupported|unrecogni[sz]ed|unknown|unexpected|not (?:supported|permitted|allowed|available|recogni[sz]ed)/i,
  /extra (?:inputs|fields|parameters)|extra_forbidden|invalid|does(?: not|n't) (?:support|exist)|must be verified/i,
  /no (?:such|longer supported)|cannot find|deprecated|not a valid|use '?max_tokens/i
]
/** The server accepts the field and rejects its value. */
const aboutValue =
  /\b(?:too|exceeds?|greater|less|at (?:most|least)|maximum|minimum|between|range|positive)\b|(?:max|min)_value/i
/** HTTP statuses of a rejected field. A library that enforces a schema may also fail with 500. */
const rejectionStatuses: ReadonlySet<number> = new Set([400, 404, 422, 501])
const formatStatuses: ReadonlySet<number> = new Set([...rejectionStatuses, 500])

/** Names of the JSON format. `json_validate_failed` is from a server that checks the answer itself. */
const formatName = /response_?(?:format|schema)|json[_ -]?(?:object|schema|mode)|json_validate_failed|text\.format/i
/** Texts of servers that name no field: grammar libraries that enforce a schema, and OpenRouter. */
const formatWords = new RegExp(
  String.raw`\bschemas?\b|structured[_ -]?(?:output|generation|decoding|response)|guided|gramm[ae]r|constrained` +
    String.raw`|outlines|llguidance|regex|\bjson\b.*(?:support|format|mode|output)|output_?(?:format|config)` +
    String.raw`|handle the requested parameters|support the requested parameters|generated json`,
  "i"
)

/** Fields besides `response_format` that leap adds to a request. */
const ownFields = /max_completion_tokens|stream_options|include_usage/

export interface Rejection {
  readonly status: number
  readonly text: string
  /** The fields of the request that the server names, as paths. */
  readonly fields: ReadonlyArray<string>
}

/** The features of a request that have an alternative form in another dialect. */
export interface Wanted {
  readonly maxTokens: boolean
  readonly json: boolean
  readonly schema: boolean
}

/** The rejected field that leap added by itself; null: another field, or none is named. */
const fieldAtFault = (
  { fields, status, text }: Rejection,
  dialect: Dialect,
  wanted: Wanted
): "response_format" | "max_completion_tokens" | "stream_options" | "stream" | null => {
  const named = fields.join(" ")
  const says = (pattern: RegExp): boolean => pattern.test(named) || pattern.test(text)
  const isUnknown = rejections.some((pattern) => pattern.test(text))
  const mayBeFormat = formatStatuses.has(status) && dialect.responseFormat && (wanted.json || wanted.schema)
  // Any error that names the format drops it. The instruction in the prompt still requests JSON.
  if (mayBeFormat && says(formatName)) return "response_format"
  if (named === "" && mayBeFormat && formatWords.test(text) && !ownFields.test(text)) return "response_format"
  if (!rejectionStatuses.has(status)) return null
  if (
    dialect.stream &&
    dialect.usage &&
    (/stream_options/.test(named) || (isUnknown && says(/stream_options|include_usage/)))
  )
    return "stream_options"
  if (
    wanted.maxTokens &&
    dialect.maxTokens === "max_completion_tokens" &&
    says(/max_completion_tokens/) &&
    (isUnknown || /max_completion_tokens/.test(named)) &&
    !aboutValue.test(text)
  )
    return "max_completion_tokens"
  return dialect.stream && isUnknown && says(/\bstream(?:ing)?\b/i) ? "stream" : null
}

/** What another dialect does about a rejected field, and the notice of it. */
const remedies = {
  json_schema: [
    { jsonSchema: false },
    "the server does not support this JSON schema for this model: only the prompt requests it"
  ],
  response_format: [
    { responseFormat: false },
    "the server does not support response_format for this model: only the prompt requests JSON"
  ],
  max_completion_tokens: [
    { maxTokens: "max_tokens" },
    "the server does not know max_completion_tokens: max_tokens is sent instead"
  ],
  stream_options: [{ usage: false }, "the server does not know stream_options: it may count no tokens"],
  stream: [{ stream: false }, "the server does not stream this model: the answer comes whole"]
} as const satisfies Readonly<Record<string, readonly [Partial<Dialect>, string]>>

/** The dialect to try after a rejection, with a notice of the reason; null: the dialect was not the reason. */
export const simplerDialect = (
  dialect: Dialect,
  rejection: Rejection,
  wanted: Wanted
): { readonly dialect: Dialect; readonly why: string } | null => {
  const fault = fieldAtFault(rejection, dialect, wanted)
  if (fault === null) return null
  const isSchema = fault === "response_format" && wanted.schema && dialect.jsonSchema
  const [change, why] = remedies[isSchema ? "json_schema" : fault]
  return { dialect: { ...dialect, ...change }, why }
}
