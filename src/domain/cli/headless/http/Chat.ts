import { Option } from "effect"
import { type Fields, fieldsOf, itemsOf, textOf } from "../../../words/reading/Fields.ts"
import { parseJson } from "../../../words/formats/Json.ts"
import type { AgentEvent } from "../AgentEvent.ts"
import { appendText, maxAnswerLength, notice, used } from "../decoderState.ts"
import { countByBytes, type CountTokens } from "../tokens.ts"
import { cutTo } from "../toolPreview.ts"
import { type ChatUsage, chatUsage } from "./ChatUsage.ts"
import { errorWithin } from "./ErrorBody.ts"
import { maskAnswer, maskPiece, maskReport, type Secrets } from "../Masking.ts"
import { endThinking, initialThinking, readThinking, type Thinking, type ThinkingPiece } from "./Thinking.ts"
import { callEvents, mergeCalls, type ToolCall } from "./ToolCalls.ts"

export interface Chat {
  readonly id: string | null
  readonly model: string | null
  readonly text: string
  readonly count: CountTokens
  /** Tokens of all that the model wrote, kept or not, unrounded. */
  readonly tokens: number
  /** Held-back ends of text and thought, which may begin a secret. */
  readonly heldText: string
  readonly heldThought: string
  readonly thinking: Thinking
  /** The model refused: its text is no answer, or not a whole one. */
  readonly refused: boolean
  readonly calls: ReadonlyArray<ToolCall>
  readonly usage: ChatUsage | null
  readonly finish: string | null
  /**
   * Whether `finish` marks the end: `clear` if a part of the answer came without it, `unclear` if the answer went on
   * after it. Some servers send it in each part: only the end of the stream ends their answers.
   */
  readonly marks: "none" | "clear" | "unclear"
  /** A choice has come: the model has begun to answer. */
  readonly started: boolean
  readonly emitted: boolean
  /** The server has marked the end, or has counted an ended answer. */
  readonly done: boolean
  /** The last part was the usage count, the only mark of the end from servers that send no `finish`. */
  readonly counted: boolean
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
  thinking: initialThinking,
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

/** The text of a message's content: a string, or a list of parts with their text under one of these names. */
const contentOf = (content: unknown, names: ReadonlyArray<string> = ["text", "refusal"]): string =>
  typeof content === "string"
    ? content
    : itemsOf(content)
        .map((part) => {
          const name = names.find((name) => fieldsOf(part)[name])
          return typeof part === "string" ? part : name === undefined ? "" : contentOf(fieldsOf(part)[name])
        })
        .join("")

/** The fields of a model's thoughts, beside its text or in a list of parts (Mistral); some servers send them twice. */
const thoughtPlaces: ReadonlyArray<readonly [field: string, names?: ReadonlyArray<string>]> = [
  ["reasoning_content"],
  ["reasoning"],
  ["reasoning_text"],
  ["thinking"],
  ["reasoning_details", ["text", "thinking", "summary"]],
  ["thinking_blocks", ["text", "thinking", "summary"]]
]

const thoughtIn = (fields: Fields): string => {
  const parts = itemsOf(fields["content"]).filter((part) => typeof part !== "string")
  const texts = thoughtPlaces.map(([name, names]) => contentOf(fields[name], names))
  return texts.find((text) => text !== "") ?? contentOf(parts, ["thinking", "reasoning"])
}

const allThought = "what came so far was the model's thought, not its answer: only its closing tag says so"

/** Adds pieces of the answer; ends that may begin a secret are held back. */
const say = (chat: Chat, pieces: ReadonlyArray<ThinkingPiece>, whole: boolean, secrets: Secrets): ChatStep => {
  const events: Array<AgentEvent> = []
  let said = chat
  for (const piece of pieces) {
    if (piece._tag === "AllThought") {
      const given = said.text
      if (given !== "") events.push({ _tag: "Notice", text: allThought })
      // The next text belongs to another message than what was emitted.
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

/** Some servers write one of these for a missing name. */
const noName = /^(?:null|none|undefined)$/i

const nameIn = (value: unknown, secrets: Secrets): string | null => {
  const name = textOf(value)
  return name === null || noName.test(name) ? null : maskAnswer(name.slice(0, 200), secrets.answers)
}

/** Whether the server gave a reason for the end (`finish`), and only at the end. */
export const isFinished = ({ finish, marks }: Chat): boolean => finish !== null && marks === "clear"

/** Whether an answer is whole. `cut`: its stream was cut off. */
export const isComplete = (chat: Chat, cut: boolean): boolean =>
  isFinished(chat) || (chat.broken === null && (chat.done || ((chat.finish !== null || chat.counted) && !cut)))

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
    // The tokens are counted last: nothing follows.
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
  // A stream may end with the whole message again: it counts only if no deltas came before.
  const message = choice["delta"] ?? (whole || !described.emitted ? choice["message"] : undefined)
  // The older API sends the text alone.
  const older = message === undefined && typeof choice["text"] === "string" ? { content: choice["text"] } : undefined
  const isWhole = whole || (choice["delta"] === undefined && older === undefined)
  const [said, events] = readMessage({ ...described, started: true }, older ?? message, isWhole, secrets)
  const saysMore = events.length > 0 || said.tokens !== chat.tokens || said.calls !== chat.calls
  const next = withFinish(chat, said, nameIn(choice["finish_reason"], secrets), saysMore)
  return [{ ...next, done: next.done || (isFinished(next) && counts !== null) }, events]
}

const strange = (chat: Chat, said: string, secrets: Secrets): ChatStep => {
  if (chat.notices >= mostNotices) return [chat, []]
  const text = `the server sent what is no part of an answer: ${quote(said, secrets)}`
  return [{ ...chat, notices: chat.notices + 1 }, [{ _tag: "Notice", text }]]
}

/** Reads the data of one event. Text that is no JSON, nor a piece of it, is a remark, such as a keep-alive. */
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

export const parsed = (text: string): unknown => Option.getOrUndefined(parseJson(text))

const tooLong =
  `the answer is longer than ${maxAnswerLength >> 20} Mi characters: ` +
  "its end was given out as it came, and is not kept"

/** Ends an answer: emits the held-back text and, if the answer is complete, its tools and tokens. */
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
    ...(text.length < maxAnswerLength ? [] : notice(tooLong)),
    ...(finished ? maskedCalls(chat, secrets).flatMap(callEvents) : []),
    ...(finished ? ended(chat) : [])
  ]
  return [{ ...chat, tokens, text, heldText: "", heldThought: "", thinking: initialThinking }, events]
}

const ended = ({ finish, usage }: Chat): ReadonlyArray<AgentEvent> => {
  const { reasoning, tokens } = usage ?? { reasoning: null, tokens: null }
  return [{ _tag: "RequestEnded", tokens, reasoning, stopReason: finish, agent: null }, ...used(tokens, reasoning)]
}

export const maskedCalls = (chat: Chat, secrets: Secrets): ReadonlyArray<ToolCall> =>
  chat.calls.map((call) => ({
    ...call,
    id: call.id === null ? null : maskAnswer(call.id, secrets.answers),
    name: maskAnswer(call.name, secrets.answers),
    arguments: maskAnswer(call.arguments, secrets.answers)
  }))
