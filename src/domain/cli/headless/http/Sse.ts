/**
 * Reads server-sent events without Effect's `encoding/Sse`, which loses its place after an event that is too long: with
 * a limit of 100 it returned the third line of an event of three lines (90, 90 and a few bytes) as a whole event.
 */

import { lineLimit } from "../../../words/text/ByteLines.ts"
import { concat } from "../../../words/text/Bytes.ts"

/** A server-sent event, or the length of one that exceeded the limit. */
export type SseEvent =
  | { readonly _tag: "Event"; readonly event: string; readonly data: string }
  | { readonly _tag: "Overlong"; readonly size: number }

export interface Sse {
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly lineSize: number
  /** No line has ended yet: a byte order mark may precede it. */
  readonly atStart: boolean
  /** The last byte was a carriage return: a newline right after it ends no further line. */
  readonly afterReturn: boolean
  readonly event: string
  /** Null: the event has no data yet. */
  readonly data: string | null
  /** Bytes of the event's data lines so far, kept or not. */
  readonly size: number
}

export const noSse: Sse = { pieces: [], lineSize: 0, atStart: true, afterReturn: false, event: "", data: null, size: 0 }

const newline = 10
const carriageReturn = 13

const textOfLine = (pieces: ReadonlyArray<Uint8Array>, size: number): string => {
  const [first] = pieces
  const whole = pieces.length === 1 && first !== undefined ? first : concat(pieces, size)
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole)
}

const dispatched = (sse: Sse, limit: number): readonly [Sse, SseEvent | null] => [
  { ...sse, event: "", data: null, size: 0 },
  sse.size > limit
    ? { _tag: "Overlong", size: sse.size }
    : sse.data === null
      ? null
      : { _tag: "Event", event: sse.event, data: sse.data }
]

/** Adds a line to an event. `error: …` is no field of the standard: llama.cpp wrote errors this way. */
const line = (sse: Sse, text: string, size: number): Sse => {
  const colon = text.indexOf(":")
  const name = colon < 0 ? text : text.slice(0, colon)
  const value = colon < 0 ? "" : text.slice(text[colon + 1] === " " ? colon + 2 : colon + 1)
  return name === "data" || name === "error"
    ? {
        ...sse,
        event: name === "error" ? name : sse.event,
        data: sse.data === null ? value : `${sse.data}\n${value}`,
        size: sse.size + size
      }
    : name === "event"
      ? { ...sse, event: value }
      : sse
}

const ended = (sse: Sse, piece: Uint8Array, limit: number): readonly [Sse, SseEvent | null] => {
  const size = sse.lineSize + piece.length
  if (size === 0) return dispatched({ ...sse, atStart: false }, limit)
  const next = { ...sse, pieces: [], lineSize: 0, atStart: false }
  if (sse.size + size > limit) return [{ ...next, data: null, size: sse.size + size }, null]
  const whole = textOfLine(piece.length === 0 ? sse.pieces : [...sse.pieces, piece], size)
  const text = sse.atStart && whole.startsWith("\ufeff") ? whole.slice(1) : whole
  return text === "" ? dispatched(next, limit) : [line(next, text, size), null]
}

/** Reads server-sent events, whatever the chunks, with any line end; the stored part of one never exceeds the limit. */
export const readSse = (state: Sse, chunk: Uint8Array, limit = lineLimit): readonly [Sse, ReadonlyArray<SseEvent>] => {
  const events: Array<SseEvent> = []
  let sse = state
  let { afterReturn } = state
  let from = 0
  for (let at = 0; at < chunk.length; at++) {
    const isReturn = chunk[at] === carriageReturn
    const isNewline = chunk[at] === newline
    if (isReturn || (isNewline && !afterReturn)) {
      const [next, event] = ended(sse, chunk.subarray(from, at), limit)
      sse = next
      if (event !== null) events.push(event)
    }
    if (isReturn || isNewline) from = at + 1
    afterReturn = isReturn
  }
  sse = { ...sse, afterReturn }
  if (from >= chunk.length) return [sse, events]
  const lineSize = sse.lineSize + chunk.length - from
  return [{ ...sse, lineSize, pieces: sse.size + lineSize > limit ? [] : [...sse.pieces, chunk.slice(from)] }, events]
}

/** Ends the stream: an event without its blank line counts too, whole or not. */
export const endSse = (state: Sse, limit = lineLimit): ReadonlyArray<SseEvent> => {
  const sse = state.lineSize === 0 ? state : ended(state, new Uint8Array(0), limit)[0]
  const event = dispatched(sse, limit)[1]
  return event === null ? [] : [event]
}
