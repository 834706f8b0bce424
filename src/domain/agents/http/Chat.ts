import { fieldsOf, textOf } from "../../usage/Fields.ts"
import type { AgentEvent } from "../AgentEvent.ts"
import { answerLength, more } from "../cli/heard.ts"
import { cutTo } from "../cli/preview.ts"
import { bytesOf, type ChatUsage, chatUsage } from "./ChatUsage.ts"
import { maskAnswer, maskPiece, maskReport } from "../Masking.ts"
import { callEvents, mergeCalls, type ToolCall } from "./ToolCalls.ts"

/** What is kept out of everything that is given out. `values` in reports of failures, `answers` in what the model says. */
export interface Secrets {
  readonly values: ReadonlyArray<string>
  readonly answers: ReadonlyArray<string>
}

/** What an answer has told so far. */
export interface Chat {
  readonly id: string | null
  readonly model: string | null
  /** As far as it is kept. */
  readonly text: string
  /** UTF-8 bytes of all that the model wrote, kept or not. */
  readonly bytes: number
  readonly heldText: string
  readonly heldThought: string
  readonly calls: ReadonlyArray<ToolCall>
  readonly usage: ChatUsage | null
  readonly finish: string | null
  /** A choice was seen: the answer has begun. */
  readonly begun: boolean
  /** Something of the answer was given out. */
  readonly given: boolean
  /** The server said that nothing more comes. */
  readonly done: boolean
  /** An error that the server told in the middle: its object. */
  readonly error: unknown
  /** Why the rest cannot be read. */
  readonly broken: string | null
  readonly notices: number
}

export const noChat: Chat = {
  id: null, model: null, text: "", bytes: 0, heldText: "", heldThought: "", calls: [], usage: null, finish: null, begun: false, given: false,
  done: false, error: null, broken: null, notices: 0
}

export type ChatStep = readonly [Chat, ReadonlyArray<AgentEvent>]

const mostNotices = 20
const quote = (text: string, secrets: Secrets): string => cutTo(maskReport(text.slice(0, 4_096), secrets.values).replace(/[\p{Cc}\s]+/gu, " ").trim(), 200)

const noticed = (chat: Chat, text: string): ChatStep =>
  chat.notices >= mostNotices ? [chat, []] : [{ ...chat, notices: chat.notices + 1 }, [{ _tag: "Notice", text }]]

/** The text of a message's content: a string, or a list of parts. */
const contentOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
    ? content.map((part) => typeof part === "string" ? part : contentOf(fieldsOf(part)["text"] ?? fieldsOf(part)["refusal"])).join("")
    : ""

/** What the model says: text (a refusal is an answer too), thoughts, calls of tools. */
const said = (chat: Chat, message: unknown, whole: boolean, secrets: Secrets): ChatStep => {
  const fields = fieldsOf(message)
  const thought = [fields["reasoning_content"], fields["reasoning"]].map(contentOf).find((text) => text !== "") ?? ""
  const text = contentOf(fields["content"]) + contentOf(fields["refusal"])
  const [heldThought, thoughtOut] = thought === "" ? [chat.heldThought, ""] : maskPiece(chat.heldThought, thought, secrets.answers)
  const [heldText, textOut] = text === "" ? [chat.heldText, ""] : maskPiece(chat.heldText, text, secrets.answers)
  const calls = mergeCalls(mergeCalls(chat.calls, fields["tool_calls"]), fields["function_call"] ? [{ index: 0, function: fields["function_call"] }] : [])
  const events: ReadonlyArray<AgentEvent> = [
    ...thoughtOut === "" ? [] : [{ _tag: "Thought" as const, text: thoughtOut, delta: !whole, agent: null }],
    ...textOut === "" ? [] : [{ _tag: "Text" as const, text: textOut, delta: !whole, message: chat.id, agent: null }]
  ]
  return [
    {
      ...chat, heldText, heldThought, calls, text: more(chat.text, textOut), given: chat.given || events.length > 0,
      bytes: chat.bytes + (text === "" ? 0 : bytesOf(text)) + (thought === "" ? 0 : bytesOf(thought))
    },
    events
  ]
}

const nameIn = (value: unknown, secrets: Secrets): string | null => {
  const name = textOf(value)
  return name === null ? null : maskAnswer(name.slice(0, 200), secrets.answers)
}

/** One chunk of an answer, or a `whole` one. Total. */
export const readChunk = (chat: Chat, chunk: unknown, secrets: Secrets, whole = false): ChatStep => {
  const fields = fieldsOf(chunk)
  const error = fields["error"]
  if (error !== undefined && error !== null && error !== "") return [{ ...chat, error }, []]
  const usage = chatUsage(fields["usage"]) ?? chatUsage(fieldsOf(fields["x_groq"])["usage"]) ?? chat.usage
  const named = { ...chat, usage, id: chat.id ?? nameIn(fields["id"], secrets), model: chat.model ?? nameIn(fields["model"], secrets) }
  const choices = fields["choices"]
  if (!Array.isArray(choices)) {
    const known = fields["usage"] !== undefined || fields["object"] !== undefined || fields["x_groq"] !== undefined
    return known ? [named, []] : noticed(named, `the server sent what is no part of an answer: ${quote(JSON.stringify(chunk) ?? "", secrets)}`)
  }
  const choice = fieldsOf(choices.find((choice) => fieldsOf(choice)["index"] === 0) ?? choices.find((choice) => fieldsOf(choice)["index"] === undefined))
  if (Object.keys(choice).length === 0) return [named, []]
  if (choice["error"]) return [{ ...named, error: choice["error"] }, []]
  // a stream may end with a whole message, once more: only what has no deltas before it counts
  const delta = choice["delta"] ?? (whole || !named.given ? choice["message"] : undefined)
  const [next, events] = said({ ...named, begun: true }, delta, whole || choice["delta"] === undefined, secrets)
  return [{ ...next, finish: nameIn(choice["finish_reason"], secrets) ?? next.finish }, events]
}

/** The data of one event of a stream. */
export const readData = (chat: Chat, event: string, data: string, secrets: Secrets): ChatStep => {
  const bare = data.trim()
  if (bare === "") return [chat, []]
  if (bare === "[DONE]") return [{ ...chat, done: true }, []]
  const chunk = parsed(bare)
  if (chunk === undefined) return [{ ...chat, broken: `a part of the answer is no JSON: ${quote(bare, secrets)}` }, []]
  if (event === "error" && fieldsOf(chunk)["error"] === undefined) return [{ ...chat, error: chunk }, []]
  return readChunk(chat, chunk, secrets)
}

/** The value of a JSON text; undefined where it is none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The answer has ended, or was cut: what was held back, and where it ended properly the tools and the tokens. */
export const endChat = (chat: Chat, secrets: Secrets): ChatStep => {
  const { heldText, heldThought } = chat
  const finished = chat.finish !== null || chat.done
  const bytes = chat.bytes + chat.calls.reduce((sum, call) => sum + bytesOf(call.arguments), 0)
  const text = more(chat.text, heldText)
  const events: ReadonlyArray<AgentEvent> = [
    ...heldThought === "" ? [] : [{ _tag: "Thought" as const, text: heldThought, delta: true, agent: null }],
    ...heldText === "" ? [] : [{ _tag: "Text" as const, text: heldText, delta: true, message: chat.id, agent: null }],
    ...text.length < answerLength ? [] : [{ _tag: "Notice" as const, text: `the answer is longer than ${answerLength >> 20} Mi characters: its end was given out as it came, and is not kept` }],
    ...finished ? maskedCalls(chat, secrets).flatMap(callEvents) : [],
    ...finished && chat.usage !== null ? [{ _tag: "Used" as const, tokens: chat.usage.tokens }] : []
  ]
  return [{ ...chat, bytes, text, heldText: "", heldThought: "" }, events]
}

/** The calls without secrets. */
export const maskedCalls = (chat: Chat, secrets: Secrets): ReadonlyArray<ToolCall> =>
  chat.calls.map((call) => ({ ...call, id: call.id === null ? null : maskAnswer(call.id, secrets.answers), name: maskAnswer(call.name, secrets.answers), arguments: maskAnswer(call.arguments, secrets.answers) }))
