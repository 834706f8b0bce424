import { fieldsOf, numberOf, textOf } from "../../../words/reading/Fields.ts"
import type { Picture } from "../AgentCli.ts"
import { dataUrl } from "../Picture.ts"
import { isStrict, type JsonSchema, schemaInstruction } from "../AnswerSchema.ts"
import type { Turn } from "../Conversation.ts"

/** The parts of the API that a server supports. */
export interface Dialect {
  readonly maxTokens: "max_completion_tokens" | "max_tokens"
  readonly stream: boolean
  readonly usage: boolean
  /** A JSON answer is asked for by `response_format`, not by an instruction alone. */
  readonly responseFormat: boolean
  /** `response_format` may have a JSON schema. */
  readonly jsonSchema: boolean
}

/** The dialect of today's OpenAI. */
export const newest: Dialect = {
  maxTokens: "max_completion_tokens",
  stream: true,
  usage: true,
  responseFormat: true,
  jsonSchema: true
}

/** What a prompt ends with where the answer has to be JSON. A server that has a mode for that may demand the word too. */
const jsonInstruction = "Answer with one JSON value only, without a code fence and without any other text."

/** The prompt as it is sent. */
export const promptToSend = (prompt: string, json: boolean, schema: JsonSchema | null = null): string =>
  schema !== null ? `${prompt}\n\n${schemaInstruction(schema)}` : json ? `${prompt}\n\n${jsonInstruction}` : prompt

/** Messages of a server that rejects an option by its name. */
const rejections = [
  /unsupported|unrecogni[sz]ed|unknown|unexpected|not (?:supported|permitted|allowed|available|recogni[sz]ed)/i,
  /extra (?:inputs|fields)|invalid|does(?: not|n't) support|must be verified|not a valid/i
]
/** Statuses with which servers do that. */
const rejectionStatuses: ReadonlySet<number> = new Set([400, 404, 422, 501])

/** Messages about a demand for JSON; the last one is of a server that checks the answer itself. */
const aboutFormat = /response_?format|json_(?:object|schema|mode)|json.?mode|json_validate_failed/i

/**
 * The dialect to try after a server has rejected a request, and a notice of why; null where it was not for the dialect.
 */
export const simplerDialect = (
  dialect: Dialect,
  status: number,
  message: string,
  hasMaxTokens: boolean,
  wantsJson = false,
  wantsSchema = false
): { readonly dialect: Dialect; readonly why: string } | null => {
  // whatever a server says of it: it is not needed
  const isAboutFormat = rejectionStatuses.has(status) && dialect.responseFormat && aboutFormat.test(message)
  if (isAboutFormat && wantsSchema && dialect.jsonSchema) {
    return {
      dialect: { ...dialect, jsonSchema: false },
      why: "the server takes no such JSON schema for this model: the model is only asked to keep to it"
    }
  }
  if (isAboutFormat && (wantsJson || wantsSchema)) {
    return {
      dialect: { ...dialect, responseFormat: false },
      why: "the server has no response_format for this model: JSON is only asked for"
    }
  }
  if (!rejectionStatuses.has(status) || !rejections.some((pattern) => pattern.test(message))) return null
  if (dialect.maxTokens === "max_completion_tokens" && hasMaxTokens && message.includes("max_completion_tokens")) {
    return {
      dialect: { ...dialect, maxTokens: "max_tokens" },
      why: "the server does not know max_completion_tokens: it is asked with max_tokens"
    }
  }
  if (dialect.stream && dialect.usage && /stream_options|include_usage/.test(message)) {
    return {
      dialect: { ...dialect, usage: false },
      why: "the server does not know stream_options: it may count no tokens"
    }
  }
  return dialect.stream && /\bstream(?:ing)?\b/i.test(message)
    ? { dialect: { ...dialect, stream: false }, why: "the server does not stream this model: the answer comes whole" }
    : null
}

/** Messages to send, and what of the turns cannot be sent. */
export interface Messages {
  readonly messages: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly leftOut: ReadonlyArray<string>
}

const callsOf = (turn: Turn): ReadonlyArray<unknown> => {
  const calls = turn.role === "assistant" ? fieldsOf(turn.extra)["tool_calls"] : undefined
  return Array.isArray(calls) ? calls : []
}

const answeredBy = (turn: Turn): string | null =>
  turn.role === "tool" ? textOf(fieldsOf(turn.extra)["tool_call_id"]) : null

/** The ids of the tool answers that directly follow a turn. */
const answersAfter = (turns: ReadonlyArray<Turn>, index: number): ReadonlySet<string> => {
  const after = turns.slice(index + 1)
  const end = after.findIndex(({ role }) => role !== "tool")
  return new Set((end < 0 ? after : after.slice(0, end)).flatMap((turn) => answeredBy(turn) ?? []))
}

/**
 * The stored turns, then the prompt. The system prompt comes first, unless one is stored. Calls of tools are sent again
 * only with all their answers, and answers only with their calls: an API refuses one without the other.
 */
export const messagesOf = (
  turns: ReadonlyArray<Turn>,
  systemPrompt: string | null,
  prompt: string,
  pictures: ReadonlyArray<Picture> = []
): Messages => {
  const leftOut: Array<string> = []
  const messages: Array<Readonly<Record<string, unknown>>> = []
  if (systemPrompt !== null && !turns.some(({ role }) => role === "system"))
    messages.push({ role: "system", content: systemPrompt })
  const open = new Set<string>()
  turns.forEach((turn, index) => {
    if (turn.role === "tool") {
      const id = answeredBy(turn)
      if (id !== null && open.delete(id)) messages.push({ role: "tool", tool_call_id: id, content: turn.text })
      else leftOut.push("the answer of a tool that was not called")
      return
    }
    open.clear()
    const calls = callsOf(turn)
    const answers = answersAfter(turns, index)
    const ids = calls.map((call) => textOf(fieldsOf(call)["id"]))
    if (calls.length > 0 && ids.every((id) => id !== null && answers.has(id))) {
      for (const id of ids) if (id !== null) open.add(id)
      messages.push({ role: "assistant", content: turn.text === "" ? null : turn.text, tool_calls: calls })
      return
    }
    if (calls.length > 0) leftOut.push(`calls of tools that nobody answered (${calls.length})`)
    if (turn.text === "" && turn.role === "assistant") return
    messages.push({ role: turn.role, content: turn.text })
  })
  const images = pictures.map((picture) => ({ type: "image_url", image_url: { url: dataUrl(picture) } }))
  const content = images.length === 0 ? prompt : [{ type: "text", text: prompt }, ...images]
  return { messages: [...messages, { role: "user", content }], leftOut: leftOut }
}

/** What the answer is to be. A JSON mode without a schema knows objects only. */
const responseFormatOf = (
  { json = false, schema = null }: { readonly json?: boolean; readonly schema?: JsonSchema | null },
  dialect: Dialect
): Readonly<Record<string, unknown>> => {
  if (!dialect.responseFormat) return {}
  if (schema !== null && dialect.jsonSchema) {
    const json_schema = { name: "answer", schema, strict: isStrict(schema) }
    return { response_format: { type: "json_schema", json_schema } }
  }
  return json || schema?.["type"] === "object" ? { response_format: { type: "json_object" } } : {}
}

/** The body of a request. */
export const bodyOf = (
  settings: {
    readonly model: string
    readonly fields: Readonly<Record<string, unknown>>
    readonly maxTokens: number | null
    readonly json?: boolean
    readonly schema?: JsonSchema | null
  },
  messages: Messages["messages"],
  dialect: Dialect
): Readonly<Record<string, unknown>> => ({
  model: settings.model,
  messages,
  ...settings.fields,
  ...(settings.maxTokens === null ? {} : { [dialect.maxTokens]: settings.maxTokens }),
  ...responseFormatOf(settings, dialect),
  ...(dialect.stream ? { stream: true, ...(dialect.usage ? { stream_options: { include_usage: true } } : {}) } : {})
})

/** The tokens of the conversation up to its last answer, where the API has counted them. */
export const contextOf = (turns: ReadonlyArray<Turn>): number | null => {
  const last = turns.findLast(({ role }) => role === "assistant")
  return last === undefined
    ? turns.some(({ role }) => role !== "system")
      ? null
      : 0
    : numberOf(fieldsOf(last.extra)["context"])
}
