import { inEach, maxAnswerLength, type Step } from "../decoderState.ts"
import { type Chat, endChat, noChat, parsed, readChunk, readData } from "./Chat.ts"
import { excerptOf, type Secrets } from "../Masking.ts"
import { textOf } from "../OutputTail.ts"
import { endSse, noSse, readSse, type Sse } from "./Sse.ts"

/** The body of a response. Its first characters, not its type, show its kind: events, one answer, or neither. */
export interface ChatBody {
  readonly kind: "unknown" | "events" | "whole" | "other"
  /** The bytes of a body that is no stream. */
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly size: number
  readonly sse: Sse
  readonly chat: Chat
}

export const noBody: ChatBody = { kind: "unknown", pieces: [], size: 0, sse: noSse, chat: noChat }

/** The longest whole answer, in bytes. */
export const wholeLimit = 2 * maxAnswerLength
/** The bytes that are read of a body that is not an answer. */
export const excerptBytes = 64 << 10

type BodyStep = Step<ChatBody>

const fieldName = /^(?:data|event|id|retry|error)?:|^(?:data|event|id|retry)[\r\n]/

const kindOf = (pieces: ReadonlyArray<Uint8Array>): ChatBody["kind"] => {
  const decoder = new TextDecoder()
  // the last character may be cut, and a byte order mark too
  const text = pieces
    .map((piece) => decoder.decode(piece, { stream: true }))
    .join("")
    .trimStart()
  // the name of a field may be cut
  if (
    text === "" ||
    (text.length < 6 && ["data:", "event:", "id:", "retry:", "error:"].some((name) => name.startsWith(text)))
  )
    return "unknown"
  return fieldName.test(text) ? "events" : /^[{[]/.test(text) ? "whole" : "other"
}

/** Whether the rest of the stream can be ignored. */
const isEnded = (chat: Chat): boolean => chat.done || chat.broken !== null || chat.error !== null

const readEvents = (body: ChatBody, chunk: Uint8Array, secrets: Secrets): BodyStep => {
  const [sse, decoded] = readSse(body.sse, chunk)
  const [chat, events] = inEach(body.chat, decoded, (chat, event) =>
    isEnded(chat)
      ? [chat, []]
      : event._tag === "Overlong"
        ? [{ ...chat, broken: `a part of the answer is longer than can be kept (${event.size} bytes)` }, []]
        : readData(chat, event.event, event.data, secrets)
  )
  return [{ ...body, sse, chat }, events]
}

/** Reads more bytes of a body. The chunk boundaries do not affect the resulting events. */
export const readBody = (body: ChatBody, chunk: Uint8Array, secrets: Secrets): BodyStep => {
  if (body.kind === "events") return readEvents(body, chunk, secrets)
  const size = body.size + chunk.length
  const limit = body.kind === "whole" ? wholeLimit : excerptBytes
  if (body.kind === "whole" && size > limit) {
    const broken = `the answer is longer than ${wholeLimit >> 20} MiB`
    return [{ ...body, size, pieces: [], chat: { ...body.chat, broken } }, []]
  }
  const pieces = body.kind === "other" && body.size >= limit ? body.pieces : [...body.pieces, chunk.slice()]
  if (body.kind !== "unknown") return [{ ...body, size, pieces }, []]
  const kind = kindOf(pieces)
  if (kind !== "events")
    return [{ ...body, kind: kind === "unknown" && size > excerptBytes ? "other" : kind, size, pieces }, []]
  const stream: ChatBody = { ...body, kind, pieces: [], size: 0 }
  return inEach(stream, pieces, (body, piece) => readEvents(body, piece, secrets))
}

/** Whether reading can stop. */
export const isReadEnough = ({ chat, kind, size }: ChatBody): boolean =>
  isEnded(chat) || (kind === "other" && size >= excerptBytes)

const wholeAnswer = (body: ChatBody, secrets: Secrets): BodyStep => {
  const chunk = parsed(textOf(body).trim())
  if (chunk === undefined) return [{ ...body, chat: { ...body.chat, broken: "the answer is no whole JSON" } }, []]
  const [chat, events] = readChunk(body.chat, Array.isArray(chunk) ? chunk[0] : chunk, secrets, true)
  return [{ ...body, chat: chat.started ? { ...chat, done: true } : chat }, events]
}

const noAnswer = (contentType: string | null, body: ChatBody, { values }: Secrets): string =>
  `the server answers ${contentType ?? "something"} which is not an answer of a model; check the base URL. ` +
  `It says: ${excerptOf(textOf(body), values, 200)}`

/** Ends a body; `cut`: the connection broke. An answer that is not complete may have `broken` or `error`. */
export const endBody = (body: ChatBody, contentType: string | null, cut: boolean, secrets: Secrets): BodyStep => {
  const [read, events] =
    body.kind === "events"
      ? endEvents(body, secrets)
      : body.kind === "whole" && body.chat.broken === null && !cut
        ? wholeAnswer(body, secrets)
        : [body, []]
  const { chat } = read
  const why =
    chat.broken ??
    (read.kind === "other"
      ? noAnswer(contentType, read, secrets)
      : chat.error === null && !chat.started && (chat.done || (read.kind === "whole" && !cut))
        ? "the answer has no choices"
        : null)
  const [ended, last] = endChat({ ...chat, broken: why }, secrets, cut)
  return [{ ...read, chat: ended }, [...events, ...last]]
}

/** Reads the last event even without its closing blank line; drops it if it is not valid JSON: it was cut off. */
const endEvents = (body: ChatBody, secrets: Secrets): BodyStep => {
  if (isEnded(body.chat)) return [body, []]
  return inEach(body, endSse(body.sse), (body, event) => {
    if (event._tag === "Overlong") return [body, []]
    const [chat, events] = readData(body.chat, event.event, event.data, secrets)
    return chat.broken === null ? [{ ...body, chat }, events] : [body, []]
  })
}
