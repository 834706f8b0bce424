import { fieldsOf, numberOf, textOf } from "../../usage/Fields.ts"
import type { Turn } from "../Conversation.ts"

/** What of the API a server turned out to know. */
export interface Dialect {
  readonly maxTokens: "max_completion_tokens" | "max_tokens"
  readonly stream: boolean
  readonly usage: boolean
}

/** That of today's OpenAI. */
export const newest: Dialect = { maxTokens: "max_completion_tokens", stream: true, usage: true }

const isOfName = /unsupported|unrecogni[sz]ed|unknown|unexpected|not (?:supported|permitted|allowed|available|recogni[sz]ed)|extra (?:inputs|fields)|invalid|does(?: not|n't) support|must be verified|not a valid/i

/** The dialect to try when a server has rejected this one, and what is to be said about it; null when that is not why. */
export const simpler = (dialect: Dialect, status: number, said: string, hasMaxTokens: boolean): { readonly dialect: Dialect; readonly why: string } | null => {
  if ((status !== 400 && status !== 404 && status !== 422 && status !== 501) || !isOfName.test(said)) return null
  if (dialect.maxTokens === "max_completion_tokens" && hasMaxTokens && said.includes("max_completion_tokens")) {
    return { dialect: { ...dialect, maxTokens: "max_tokens" }, why: "the server does not know max_completion_tokens: it is asked with max_tokens" }
  }
  if (dialect.stream && dialect.usage && /stream_options|include_usage/.test(said)) {
    return { dialect: { ...dialect, usage: false }, why: "the server does not know stream_options: it may count no tokens" }
  }
  return dialect.stream && /\bstream(?:ing)?\b/i.test(said)
    ? { dialect: { ...dialect, stream: false }, why: "the server does not stream this model: the answer comes whole" }
    : null
}

/** Messages to send, and turns that cannot be sent. */
export interface Messages {
  readonly messages: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly left: ReadonlyArray<string>
}

const callsOf = (turn: Turn): ReadonlyArray<unknown> => {
  const calls = turn.role === "assistant" ? fieldsOf(turn.extra)["tool_calls"] : undefined
  return Array.isArray(calls) ? calls : []
}

const answeredBy = (turn: Turn): string | null => turn.role === "tool" ? textOf(fieldsOf(turn.extra)["tool_call_id"]) : null

/** Ids of the tools' answers that follow a turn directly. */
const answersAfter = (turns: ReadonlyArray<Turn>, index: number): ReadonlySet<string> => {
  const after = turns.slice(index + 1)
  const end = after.findIndex(({ role }) => role !== "tool")
  return new Set((end < 0 ? after : after.slice(0, end)).flatMap((turn) => answeredBy(turn) ?? []))
}

/**
 * The stored turns, then the prompt. The system prompt comes first, once: a stored one stands for it. Calls of tools are sent again
 * only with all their answers, and answers only with their calls: an API refuses one without the other.
 */
export const messagesOf = (turns: ReadonlyArray<Turn>, systemPrompt: string | null, prompt: string): Messages => {
  const left: Array<string> = []
  const messages: Array<Readonly<Record<string, unknown>>> = []
  if (systemPrompt !== null && !turns.some(({ role }) => role === "system")) messages.push({ role: "system", content: systemPrompt })
  const open = new Set<string>()
  turns.forEach((turn, index) => {
    if (turn.role === "tool") {
      const id = answeredBy(turn)
      if (id !== null && open.delete(id)) messages.push({ role: "tool", tool_call_id: id, content: turn.text })
      else left.push("the answer of a tool that was not called")
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
    if (calls.length > 0) left.push(`calls of tools that nobody answered (${calls.length})`)
    if (turn.text === "" && turn.role === "assistant") return
    messages.push({ role: turn.role, content: turn.text })
  })
  return { messages: [...messages, { role: "user", content: prompt }], left }
}

/** The body of a request. */
export const bodyOf = (
  settings: { readonly model: string; readonly fields: Readonly<Record<string, unknown>>; readonly maxTokens: number | null },
  messages: Messages["messages"],
  dialect: Dialect
): Readonly<Record<string, unknown>> => ({
  model: settings.model,
  messages,
  ...settings.fields,
  ...settings.maxTokens === null ? {} : { [dialect.maxTokens]: settings.maxTokens },
  ...dialect.stream ? { stream: true, ...dialect.usage ? { stream_options: { include_usage: true } } : {} } : {}
})

/** Tokens of the conversation up to its last answer, where the API told them. */
export const contextOf = (turns: ReadonlyArray<Turn>): number | null => {
  const last = turns.findLast(({ role }) => role === "assistant")
  return last === undefined ? (turns.some(({ role }) => role !== "system") ? null : 0) : numberOf(fieldsOf(last.extra)["context"])
}
