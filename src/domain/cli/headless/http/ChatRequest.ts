import { fieldsOf, numberOf, textOf } from "../../../words/reading/Fields.ts"
import { type Picture, dataUrl } from "../AgentCli.ts"
import { isStrict, type JsonSchema, schemaInstruction } from "../AnswerSchema.ts"
import type { Turn, Conversation } from "../Conversation.ts"
import { withoutSystem, addTurn, withSystemPrompt } from "../turns.ts"
import type { Dialect } from "./Dialect.ts"
import { Option, Result } from "effect"
import type { AgentResult } from "../AgentResult.ts"
import { jsonIn, quotedStart } from "../jsonAnswer.ts"
import { maskAnswer } from "../Masking.ts"
import type { RunFailure } from "../RunFailure.ts"
import { stopReasonOf } from "../StopReason.ts"
import { countAll, type CountTokens } from "../tokens.ts"
import { runTokens } from "./ChatUsage.ts"
import type { HttpAnswer } from "./HttpAttempt.ts"
import type { HttpSettings } from "./HttpSettings.ts"
import { callsToSend } from "./ToolCalls.ts"

/** The end of a prompt for a JSON answer. With JSON mode, some servers require the word 'JSON' in the prompt. */
const jsonInstruction = "Answer with one JSON value only, without a code fence and without any other text."

export const promptToSend = (prompt: string, json: boolean, schema: JsonSchema | null = null): string =>
  schema !== null ? `${prompt}\n\n${schemaInstruction(schema)}` : json ? `${prompt}\n\n${jsonInstruction}` : prompt

export interface Messages {
  readonly messages: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly leftOut: ReadonlyArray<string>
}

const callsOf = (turn: Turn): ReadonlyArray<unknown> => {
  const calls = turn.role === "assistant" ? fieldsOf(turn.extra)["tool_calls"] : undefined
  return Array.isArray(calls) ? calls : []
}

const answeredCallId = (turn: Turn): string | null =>
  turn.role === "tool" ? textOf(fieldsOf(turn.extra)["tool_call_id"]) : null

const answeredCallIdsAfter = (turns: ReadonlyArray<Turn>, index: number): ReadonlySet<string> => {
  const after = turns.slice(index + 1)
  const end = after.findIndex(({ role }) => role !== "tool")
  return new Set((end < 0 ? after : after.slice(0, end)).flatMap((turn) => answeredCallId(turn) ?? []))
}

/**
 * The stored turns, then the prompt. Tool calls are sent only with all their answers, because APIs reject calls without
 * answers, and answers without calls.
 */
export const messagesOf = (
  stored: ReadonlyArray<Turn>,
  systemPrompt: string | null,
  prompt: string,
  pictures: ReadonlyArray<Picture> = []
): Messages => {
  const turns = systemPrompt === null ? stored : withoutSystem(stored)
  const leftOut: Array<string> = []
  const messages: Array<Readonly<Record<string, unknown>>> = []
  if (systemPrompt !== null) messages.push({ role: "system", content: systemPrompt })
  const open = new Set<string>()
  turns.forEach((turn, index) => {
    if (turn.role === "tool") {
      const id = answeredCallId(turn)
      if (id !== null && open.delete(id)) messages.push({ role: "tool", tool_call_id: id, content: turn.text })
      else leftOut.push("the answer of a tool that was not called")
      return
    }
    open.clear()
    const calls = callsOf(turn)
    const answers = answeredCallIdsAfter(turns, index)
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

/** The format of the answer. A JSON mode without a schema allows only objects. */
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

export const bodyOf = (
  settings: Pick<HttpSettings, "model" | "fields" | "maxTokens"> & Partial<Pick<HttpSettings, "json" | "schema">>,
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

/**
 * The tokens of the conversation up to its last answer. Zero before the first prompt. Null if the API has not counted.
 */
export const contextOf = (turns: ReadonlyArray<Turn>): number | null => {
  const last = turns.findLast(({ role }) => role === "assistant")
  if (last !== undefined) return numberOf(fieldsOf(last.extra)["context"])
  return turns.some(({ role }) => role !== "system") ? null : 0
}

export interface ChatTurn {
  readonly settings: HttpSettings
  readonly messages: Messages
  readonly count: CountTokens
  readonly sentTokens: number
}

export const chatTurnOf = (
  count: CountTokens,
  settings: HttpSettings,
  turns: ReadonlyArray<Turn>,
  prompt: string,
  pictures: ReadonlyArray<Picture> = []
): ChatTurn => {
  const sent = promptToSend(prompt, settings.json, settings.schema)
  const messages = messagesOf(turns, settings.systemPrompt, sent, pictures)
  const texts = messages.messages.map(({ content }) => (typeof content === "string" ? content : sent))
  return { settings, messages, count, sentTokens: countAll(count, texts) }
}

/** The answer as a result; fails if it is not JSON though the options demand that. */
export const chatResult = (
  provider: string,
  turn: ChatTurn,
  answer: HttpAnswer,
  time: Pick<AgentResult, "startedAt" | "completedAt">
): Result.Result<AgentResult, RunFailure> => {
  const json = turn.settings.json ? jsonIn(answer.text) : Option.some(null)
  if (Option.isNone(json)) {
    const isEmpty = answer.text.trim() === ""
    const instead = `not the one JSON value that was asked for${quotedStart(answer.text)}`
    const why = `the answer is ${isEmpty ? "empty, and should be JSON" : instead}`
    return Result.fail({
      reason: { _tag: "NotUnderstood", why },
      partial: { sessionId: null, text: answer.text, stderr: "" }
    })
  }
  const usd = answer.usage?.usd ?? null
  return Result.succeed({
    provider,
    text: answer.text,
    answers: [answer.text],
    json: json.value,
    sessionId: null,
    model: answer.model,
    tokens: runTokens(answer.usage, turn.sentTokens, answer.tokens),
    reasoning: answer.usage?.reasoning ?? null,
    models: null,
    cost: usd === null ? null : { usd, estimated: false },
    turns: 1,
    refused: [],
    stopReason: answer.refused ? "refusal" : stopReasonOf(answer.finish),
    ...time
  })
}

/** The conversation after this turn. The API counts the history with each turn; here it counts once. */
export const afterChatTurn = (
  conversation: Conversation,
  prompt: string,
  turn: ChatTurn,
  answer: HttpAnswer,
  result: AgentResult
): Conversation => {
  const { settings } = turn
  const before = contextOf(conversation.turns)
  const { usage } = answer
  const { secrets, systemPrompt } = settings
  const stored = withSystemPrompt(
    conversation,
    systemPrompt === null ? null : maskAnswer(systemPrompt, secrets.answers)
  )
  const user =
    usage === null
      ? Math.floor(turn.count(prompt))
      : before === null
        ? null
        : Math.max(0, usage.total - usage.tokens.output - before)
  const extra = {
    ...(usage === null ? {} : { context: usage.context }),
    ...(answer.calls.length === 0 ? {} : { tool_calls: callsToSend(answer.calls) })
  }
  const turns: ReadonlyArray<Turn> = [
    { role: "user", text: maskAnswer(prompt, settings.secrets.answers), tokens: user },
    {
      role: "assistant",
      text: answer.text,
      tokens: result.tokens.output,
      ...(Object.keys(extra).length === 0 ? {} : { extra })
    }
  ]
  return { ...turns.reduce(addTurn, stored), model: settings.model, stoppedBy: null }
}
