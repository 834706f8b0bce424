import { Option } from "effect"
import { fieldsOf, textOf } from "../../../words/reading/Fields.ts"
import { parseJson } from "../../../words/reading/Json.ts"
import type { AgentEvent } from "../AgentEvent.ts"
import { answerLength, appendText } from "../decoderState.ts"
import { countByBytes, type CountTokens } from "../tokens.ts"
import { cutTo } from "../toolPreview.ts"
import { type ChatUsage, chatUsage } from "./ChatUsage.ts"
import { maskAnswer, maskPiece, maskReport, type Secrets } from "../Masking.ts"
import { callEvents, mergeCalls, type ToolCall } from "./ToolCalls.ts"

/** An answer as far as it has come. */
export interface Chat {
  readonly id: string | null
  readonly model: string | null
  /** Its text, up to the longest that is kept. */
  readonly text: string
  readonly count: CountTokens
  /** Tokens of all that the model wrote, kept or not, with their fraction. */
  readonly tokens: number
  /** Ends of text and thought that may be the beginning of a secret, held back. */
  readonly heldText: string
  readonly heldThought: string
  readonly calls: ReadonlyArray<ToolCall>
  readonly usage: ChatUsage | null
  readonly finish: string | null
  /** A choice has come: the model has begun to answer. */
  readonly started: boolean
  /** An event of the answer was emitted. */
  readonly emitted: boolean
  /** The server has marked the end, or has counted an answer that has ended. */
  readonly done: boolean
  /** An error that the server reported within the answer: its object. */
  readonly error: unknown
  /** Why the rest cannot be read. */
  readonly broken: string | null
  readonly notices: number
}

export const noChat: Chat = {
  id: null,
  model: null,
  text: "",
  count: countByBytes,
  tokens: 0,
  heldText: "",
  heldThought: "",
  calls: [],
  usage: null,
  finish: null,
  started: false,
  emitted: false,
  done: false,
  error: null,
  broken: null,
  notices: 0
}

export type ChatStep = readonly [Chat, ReadonlyArray<AgentEvent>]

const mostNotices = 20
const quote = (text: string, secrets: Secrets): string =>
  cutTo(
    maskReport(text.slice(0, 4_096), secrets.values)
      .replace(/[\p{Cc}\s]+/gu, " ")
      .trim(),
    200
  )

const withNotice = (chat: Chat, text: string): ChatStep =>
  chat.notices >= mostNotices ? [chat, []] : [{ ...chat, notices: chat.notices + 1 }, [{ _tag: "Notice", text }]]

/** The text of a message's content: a string, or a list of parts. */
const contentOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : Array.isArray(content)
      ? content
          .map((part) =>
            typeof part === "string" ? part : contentOf(fieldsOf(part)["text"] ?? fieldsOf(part)["refusal"])
          )
          .join("")
      : ""

/** The thoughts in a message's list of parts, as Mistral's models write them. */
const thinkingOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => contentOf(fieldsOf(part)["thinking"])).join("") : ""

/** Adds what the model says: text (a refusal is an answer too), thoughts, calls of tools. */
const readMessage = (chat: Chat, message: unknown, whole: boolean, secrets: Secrets): ChatStep => {
  const fields = fieldsOf(message)
  const thoughts = [fields["reasoning_content"], fields["reasoning"]].map(contentOf)
  const thought = [...thoughts, thinkingOf(fields["content"])].find((text) => text !== "") ?? ""
  const text = contentOf(fields["content"]) + contentOf(fields["refusal"])
  const [heldThought, thoughtOut] =
    thought === "" ? [chat.heldThought, ""] : maskPiece(chat.heldThought, thought, secrets.answers)
  const [heldText, textOut] = text === "" ? [chat.heldText, ""] : maskPiece(chat.heldText, text, secrets.answers)
  const calls = mergeCalls(
    mergeCalls(chat.calls, fields["tool_calls"]),
    fields["function_call"] ? [{ index: 0, function: fields["function_call"] }] : []
  )
  const events: ReadonlyArray<AgentEvent> = [
    ...(thoughtOut === "" ? [] : [{ _tag: "Thought" as const, text: thoughtOut, delta: !whole, agent: null }]),
    ...(textOut === "" ? [] : [{ _tag: "Text" as const, text: textOut, delta: !whole, message: chat.id, agent: null }])
  ]
  return [
    {
      ...chat,
      heldText,
      heldThought,
      calls,
      text: appendText(chat.text, textOut),
      emitted: chat.emitted || events.length > 0,
      tokens: chat.tokens + (text === "" ? 0 : chat.count(text)) + (thought === "" ? 0 : chat.count(thought))
    },
    events
  ]
}

const nameIn = (value: unknown, secrets: Secrets): string | null => {
  const name = textOf(value)
  return name === null ? null : maskAnswer(name.slice(0, 200), secrets.answers)
}

/** Reads one chunk of an answer, or a `whole` answer. Total. */
export const readChunk = (chat: Chat, chunk: unknown, secrets: Secrets, whole = false): ChatStep => {
  const fields = fieldsOf(chunk)
  const error = fields["error"]
  if (error !== undefined && error !== null && error !== "") return [{ ...chat, error }, []]
  const counts = chatUsage(fields["usage"]) ?? chatUsage(fieldsOf(fields["x_groq"])["usage"])
  const usage = counts ?? chat.usage
  const described = {
    ...chat,
    usage,
    // its tokens are counted last of all: nothing more is to come
    done: chat.done || (chat.finish !== null && counts !== null),
    id: chat.id ?? nameIn(fields["id"], secrets),
    model: chat.model ?? nameIn(fields["model"], secrets)
  }
  const choices = fields["choices"]
  if (!Array.isArray(choices)) {
    const known = fields["usage"] !== undefined || fields["object"] !== undefined || fields["x_groq"] !== undefined
    return known
      ? [described, []]
      : withNotice(
          described,
          `the server sent what is no part of an answer: ${quote(JSON.stringify(chunk) ?? "", secrets)}`
        )
  }
  const choice = fieldsOf(
    choices.find((choice) => fieldsOf(choice)["index"] === 0) ??
      choices.find((choice) => fieldsOf(choice)["index"] === undefined)
  )
  if (Object.keys(choice).length === 0) return [described, []]
  if (choice["error"]) return [{ ...described, error: choice["error"] }, []]
  // a stream may end with the whole message again: it counts only where no deltas came before it
  const delta = choice["delta"] ?? (whole || !described.emitted ? choice["message"] : undefined)
  const [next, events] = readMessage(
    { ...described, started: true },
    delta,
    whole || choice["delta"] === undefined,
    secrets
  )
  const finish = nameIn(choice["finish_reason"], secrets) ?? next.finish
  return [{ ...next, finish, done: next.done || (finish !== null && counts !== null) }, events]
}

/** Reads the data of one event of a stream. */
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
export const parsed = (text: string): unknown => Option.getOrUndefined(parseJson(text))

const tooLong =
  `the answer is longer than ${answerLength >> 20} Mi characters: ` +
  "its end was given out as it came, and is not kept"

/** Ends an answer: emits what was held back and, where the answer was not cut, its tools and tokens. */
export const endChat = (chat: Chat, secrets: Secrets): ChatStep => {
  const { heldText, heldThought } = chat
  const finished = chat.finish !== null || chat.done
  const tokens = chat.tokens + chat.calls.reduce((sum, call) => sum + chat.count(call.arguments), 0)
  const text = appendText(chat.text, heldText)
  const events: ReadonlyArray<AgentEvent> = [
    ...(heldThought === "" ? [] : [{ _tag: "Thought" as const, text: heldThought, delta: true, agent: null }]),
    ...(heldText === "" ? [] : [{ _tag: "Text" as const, text: heldText, delta: true, message: chat.id, agent: null }]),
    ...(text.length < answerLength
      ? []
      : [
          {
            _tag: "Notice" as const,
            text: tooLong
          }
        ]),
    ...(finished ? maskedCalls(chat, secrets).flatMap(callEvents) : []),
    ...(finished && chat.usage !== null ? [{ _tag: "Used" as const, tokens: chat.usage.tokens }] : [])
  ]
  return [{ ...chat, tokens, text, heldText: "", heldThought: "" }, events]
}

/** The calls of tools without secrets. */
export const maskedCalls = (chat: Chat, secrets: Secrets): ReadonlyArray<ToolCall> =>
  chat.calls.map((call) => ({
    ...call,
    id: call.id === null ? null : maskAnswer(call.id, secrets.answers),
    name: maskAnswer(call.name, secrets.answers),
    arguments: maskAnswer(call.arguments, secrets.answers)
  }))
