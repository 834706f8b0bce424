import { Option } from "effect"
import { type Fields, fieldsOf, itemsOf, textOf } from "../../../words/reading/Fields.ts"
import { parseJson } from "../../../words/reading/Json.ts"
import type { AgentEvent } from "../AgentEvent.ts"
import { answerLength, appendText, used } from "../decoderState.ts"
import { countByBytes, type CountTokens } from "../tokens.ts"
import { cutTo } from "../toolPreview.ts"
import { type ChatUsage, chatUsage } from "./ChatUsage.ts"
import { errorWithin } from "./ErrorBody.ts"
import { maskAnswer, maskPiece, maskReport, type Secrets } from "../Masking.ts"
import { endThinking, noThinking, readThinking, type Thinking, type ThinkingPiece } from "./Thinking.ts"
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
  readonly thinking: Thinking
  /** The model has refused to answer: what it says is no answer, or not all of one. */
  readonly refused: boolean
  readonly calls: ReadonlyArray<ToolCall>
  readonly usage: ChatUsage | null
  /** Why the server says that the answer ends. */
  readonly finish: string | null
  /**
   * Whether that marks an end: `clear` where a part of the answer has come without it, `unclear` where the answer went on
   * behind it. There are servers that have it in each part: only the end of the stream ends their answers.
   */
  readonly marks: "none" | "clear" | "unclear"
  /** A choice has come: the model has begun to answer. */
  readonly started: boolean
  readonly emitted: boolean
  /** The server has marked the end, or has counted an answer that has ended. */
  readonly done: boolean
  /** What came last is the count of all that was said, which servers that name no reason for an end send as its only mark. */
  readonly counted: boolean
  /** An error that the server reported within the answer: its object. */
  readonly error: unknown
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
  thinking: noThinking,
  refused: false,
  calls: [],
  usage: null,
  finish: null,
  marks: "none",
  started: false,
  emitted: false,
  done: false,
  counted: false,
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

/** The text of a message's content: a string, or a list of parts, each with its text under one of these names. */
const contentOf = (content: unknown, names: ReadonlyArray<string> = ["text", "refusal"]): string =>
  typeof content === "string"
    ? content
    : itemsOf(content)
        .map((part) => {
          const name = names.find((name) => fieldsOf(part)[name])
          return typeof part === "string" ? part : name === undefined ? "" : contentOf(fieldsOf(part)[name])
        })
        .join("")

/** Where servers have a model's thoughts, beside its text or in a list of parts (Mistral); some have them twice. */
const thoughtPlaces: ReadonlyArray<readonly [field: string, names?: ReadonlyArray<string>]> = [
  ["reasoning_content"],
  ["reasoning"],
  ["reasoning_text"],
  ["thinking"],
  ["reasoning_details", ["text", "thinking", "summary"]],
  ["thinking_blocks", ["text", "thinking", "summary"]]
]

const thoughtIn = (fields: Fields): string => {
  for (const [name, names] of thoughtPlaces) {
    const value = fields[name]
    const text = value === undefined || value === null ? "" : contentOf(value, names)
    if (text !== "") return text
  }
  const parts = itemsOf(fields["content"]).filter((part) => typeof part !== "string")
  return parts.length === 0 ? "" : contentOf(parts, ["thinking", "reasoning"])
}

const allThought = "what came so far was the model's thought, not its answer: only its closing tag says so"

/** Adds pieces of what the model says, whose ends that may be the beginning of a secret are held back. */
const say = (chat: Chat, pieces: ReadonlyArray<ThinkingPiece>, whole: boolean, secrets: Secrets): ChatStep => {
  const events: Array<AgentEvent> = []
  let said = chat
  for (const piece of pieces) {
    if (piece._tag === "AllThought") {
      const given = said.text
      if (given !== "") events.push({ _tag: "Notice", text: allThought })
      // what comes now is another message than what was given out
      const id = given === "" ? said.id : `${said.id ?? ""}#answer`
      said = { ...said, id, text: "", heldText: "", heldThought: said.heldThought + said.heldText }
    } else if (piece._tag === "Thought") {
      const [heldThought, text] = maskPiece(said.heldThought, piece.text, secrets.answers)
      said = { ...said, heldThought }
      if (text !== "") events.push({ _tag: "Thought", text, delta: !whole, agent: null })
    } else {
      const [heldText, text] = maskPiece(said.heldText, piece.text, secrets.answers)
      said = { ...said, heldText, text: appendText(said.text, text) }
      if (text !== "") events.push({ _tag: "Text", text, delta: !whole, message: said.id, agent: null })
    }
  }
  return [said, events]
}

/** Adds what a message says: text (a refusal has one too), thoughts, calls of tools. */
const readMessage = (chat: Chat, message: unknown, whole: boolean, secrets: Secrets): ChatStep => {
  const fields = fieldsOf(message)
  const thought = thoughtIn(fields)
  const refusal = contentOf(fields["refusal"]) || contentOf(itemsOf(fields["content"]), ["refusal"])
  const text = contentOf(fields["content"]) + contentOf(fields["refusal"])
  const [thinking, pieces] = text === "" ? [chat.thinking, []] : readThinking(chat.thinking, text, chat.text)
  const [said, events] = say(
    { ...chat, thinking },
    [...(thought === "" ? [] : [{ _tag: "Thought" as const, text: thought }]), ...pieces],
    whole,
    secrets
  )
  const calls = mergeCalls(
    mergeCalls(chat.calls, fields["tool_calls"]),
    fields["function_call"] ? [{ index: 0, function: fields["function_call"] }] : []
  )
  return [
    {
      ...said,
      calls,
      refused: chat.refused || refusal !== "",
      emitted: chat.emitted || events.length > 0,
      tokens: chat.tokens + (text === "" ? 0 : chat.count(text)) + (thought === "" ? 0 : chat.count(thought))
    },
    events
  ]
}

/** Some servers write that there is no name. */
const noName = /^(?:null|none|undefined)$/i

const nameIn = (value: unknown, secrets: Secrets): string | null => {
  const name = textOf(value)
  return name === null || noName.test(name) ? null : maskAnswer(name.slice(0, 200), secrets.answers)
}

/** Whether the server has said why the answer ends, in a way that marks its end. */
export const isFinished = ({ finish, marks }: Chat): boolean => finish !== null && marks === "clear"

/** Whether an answer has come whole. `cut`: its stream did not come to its end. */
export const isComplete = (chat: Chat, cut: boolean): boolean =>
  isFinished(chat) || (chat.broken === null && (chat.done || ((chat.finish !== null || chat.counted) && !cut)))

/** What a part says of the end, and whether that can be relied on. */
const withFinish = (before: Chat, chat: Chat, finish: string | null, saysMore: boolean): Chat => ({
  ...chat,
  finish: finish ?? chat.finish,
  marks:
    before.finish !== null && saysMore
      ? "unclear"
      : finish === null && saysMore && before.marks === "none"
        ? "clear"
        : before.marks
})

/** Reads one chunk of an answer, or a `whole` answer. Total. */
export const readChunk = (chat: Chat, chunk: unknown, secrets: Secrets, whole = false): ChatStep => {
  const fields = fieldsOf(chunk)
  const error = errorWithin(chunk, whole)
  if (error !== undefined) return [{ ...chat, error }, []]
  const counts = chatUsage(fields["usage"]) ?? chatUsage(fieldsOf(fields["x_groq"])["usage"])
  const usage = counts ?? chat.usage
  const described = {
    ...chat,
    usage,
    // its tokens are counted last of all: nothing more is to come
    done: chat.done || (isFinished(chat) && counts !== null),
    counted: false,
    id: chat.id ?? nameIn(fields["id"], secrets),
    model: chat.model ?? nameIn(fields["model"], secrets)
  }
  const choices = fields["choices"]
  if (!Array.isArray(choices)) {
    const known = fields["usage"] !== undefined || fields["object"] !== undefined || fields["x_groq"] !== undefined
    return known ? [described, []] : strange(described, JSON.stringify(chunk) ?? "", secrets)
  }
  const choice = fieldsOf(
    choices.find((choice) => fieldsOf(choice)["index"] === 0) ??
      choices.find((choice) => fieldsOf(choice)["index"] === undefined)
  )
  if (Object.keys(choice).length === 0)
    return [{ ...described, counted: chat.counted || (chat.emitted && (counts?.tokens.output ?? 0) > 0) }, []]
  if (choice["error"]) return [{ ...described, error: choice["error"] }, []]
  // a stream may end with the whole message again: it counts only where no deltas came before it
  const message = choice["delta"] ?? (whole || !described.emitted ? choice["message"] : undefined)
  // the older API has the text alone
  const older = message === undefined && typeof choice["text"] === "string" ? { content: choice["text"] } : undefined
  const isWhole = whole || (choice["delta"] === undefined && older === undefined)
  const [said, events] = readMessage({ ...described, started: true }, older ?? message, isWhole, secrets)
  const saysMore = events.length > 0 || said.tokens !== chat.tokens || said.calls !== chat.calls
  const next = withFinish(chat, said, nameIn(choice["finish_reason"], secrets), saysMore)
  return [{ ...next, done: next.done || (isFinished(next) && counts !== null) }, events]
}

const strange = (chat: Chat, said: string, secrets: Secrets): ChatStep =>
  withNotice(chat, `the server sent what is no part of an answer: ${quote(said, secrets)}`)

/** Reads the data of one event of a stream. What is no JSON and no piece of any is a remark, such as a sign of life. */
export const readData = (chat: Chat, event: string, data: string, secrets: Secrets): ChatStep => {
  const bare = data.trim()
  if (bare === "") return [chat, []]
  if (bare === "[DONE]") return [{ ...chat, done: true }, []]
  const chunk = parsed(bare)
  if (event === "error") return [{ ...chat, error: errorWithin(chunk, true) ?? chunk ?? bare }, []]
  if (chunk !== undefined) return readChunk(chat, chunk, secrets)
  return /^[{[]/.test(bare)
    ? [{ ...chat, broken: `a part of the answer is no JSON: ${quote(bare, secrets)}` }, []]
    : strange(chat, bare, secrets)
}

/** The value of a JSON text; undefined where it is none. */
export const parsed = (text: string): unknown => Option.getOrUndefined(parseJson(text))

const tooLong =
  `the answer is longer than ${answerLength >> 20} Mi characters: ` +
  "its end was given out as it came, and is not kept"

/** Ends an answer: emits what was held back and, where the answer was not cut, its tools and tokens. */
export const endChat = (given: Chat, secrets: Secrets, cut: boolean): ChatStep => {
  const [chat, last] = say(given, endThinking(given.thinking), false, secrets)
  const { heldText, heldThought } = chat
  const finished = isComplete(chat, cut)
  const tokens = chat.tokens + chat.calls.reduce((sum, call) => sum + chat.count(call.arguments), 0)
  const text = appendText(chat.text, heldText)
  const events: ReadonlyArray<AgentEvent> = [
    ...last,
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
    ...(finished ? ended(chat) : [])
  ]
  return [{ ...chat, tokens, text, heldText: "", heldThought: "", thinking: noThinking }, events]
}

/** The end of the request, and what it used. */
const ended = ({ finish, usage }: Chat): ReadonlyArray<AgentEvent> => {
  const { reasoning, tokens } = usage ?? { reasoning: null, tokens: null }
  return [{ _tag: "RequestEnded", tokens, reasoning, stopReason: finish, agent: null }, ...used(tokens, reasoning)]
}

/** The calls of tools without secrets. */
export const maskedCalls = (chat: Chat, secrets: Secrets): ReadonlyArray<ToolCall> =>
  chat.calls.map((call) => ({
    ...call,
    id: call.id === null ? null : maskAnswer(call.id, secrets.answers),
    name: maskAnswer(call.name, secrets.answers),
    arguments: maskAnswer(call.arguments, secrets.answers)
  }))
