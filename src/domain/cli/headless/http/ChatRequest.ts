import { Array } from "effect"
import { fieldsOf, itemsOf, numberOf, textOf } from "../../../words/reading/Fields.ts"
import { type Picture, dataUrl } from "../AgentCli.ts"
import { isStrict, type JsonSchema, schemaInstruction } from "../AnswerSchema.ts"
import type { Turn } from "../Conversation.ts"
import { withoutSystem } from "../turns.ts"
import type { Dialect } from "./Dialect.ts"
import type { HttpSettings } from "./HttpSettings.ts"

/** The end of a prompt for a JSON answer. With JSON mode, some servers require the word 'JSON' in the prompt. */
const jsonInstruction = "Answer with one JSON value only, without a code fence and without any other text."

export const promptToSend = (prompt: string, json: boolean, schema: JsonSchema | null = null): string =>
  schema !== null ? `${prompt}\n\n${schemaInstruction(schema)}` : json ? `${prompt}\n\n${jsonInstruction}` : prompt

export interface Messages {
  readonly messages: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly leftOut: ReadonlyArray<string>
}

const callsOf = (turn: Turn): ReadonlyArray<unknown> =>
  turn.role === "assistant" ? itemsOf(fieldsOf(turn.extra)["tool_calls"]) : []

const answeredCallId = (turn: Turn): string | null =>
  turn.role === "tool" ? textOf(fieldsOf(turn.extra)["tool_call_id"]) : null

const answeredCallIdsAfter = (turns: ReadonlyArray<Turn>, index: number): ReadonlySet<string> => {
  const answers = Array.takeWhile(turns.slice(index + 1), ({ role }) => role === "tool")
  return new Set(answers.flatMap((turn) => answeredCallId(turn) ?? []))
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
  return { messages: [...messages, { role: "user", content }], leftOut }
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
