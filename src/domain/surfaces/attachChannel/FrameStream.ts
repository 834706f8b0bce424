import { concat } from "../../words/text/Bytes.ts"

/** One frame of a byte stream: four bytes of the body's length (big-endian), one of the kind, the body. */
export interface RawFrame {
  readonly kind: number
  readonly body: Uint8Array
}

export interface StreamState {
  /** Bytes that wait for the rest, in pieces of falling length, so that even single bytes are joined quickly. */
  readonly held: ReadonlyArray<Uint8Array>
  readonly size: number
  /** The number of bytes needed for the next step. */
  readonly needs: number
  readonly opened: boolean
  readonly problem: string | null
}

export interface Decoded {
  readonly state: StreamState
  readonly frames: ReadonlyArray<RawFrame>
}

const headSize = 5
/** The most bytes in the body of one frame. */
export const bodyLimit = 128 << 10

/** A viewer's first bytes: zero (no JSON begins with it), `leap`, and the version of the frames. */
export const preamble: Uint8Array = Uint8Array.of(0x00, 0x6c, 0x65, 0x61, 0x70, 0x01)

const fresh = { held: [], size: 0, problem: null }
export const frames: StreamState = { ...fresh, needs: headSize, opened: true }
/** A stream that begins with the {@link preamble}. */
export const introduced: StreamState = { ...fresh, needs: preamble.length, opened: false }

export const encode = (kind: number, body: Uint8Array): Uint8Array => {
  const whole = new Uint8Array(headSize + body.length)
  new DataView(whole.buffer).setUint32(0, body.length)
  whole[4] = kind
  whole.set(body, headSize)
  return whole
}

/** Appends a piece; each kept piece is longer than the next one. */
const appended = (held: ReadonlyArray<Uint8Array>, chunk: Uint8Array): ReadonlyArray<Uint8Array> => {
  const pieces = [...held]
  let last = chunk
  for (let before = pieces.at(-1); before !== undefined && before.length <= last.length; before = pieces.at(-1)) {
    pieces.pop()
    last = concat([before, last], before.length + last.length)
  }
  return [...pieces, last]
}

/** The frames that new bytes complete. After a problem no frame is read. */
export const decode = (state: StreamState, chunk: Uint8Array): Decoded => {
  if (state.problem !== null || chunk.length === 0) return { state, frames: [] }
  const size = state.size + chunk.length
  if (size < state.needs) return { state: { ...state, held: appended(state.held, chunk), size }, frames: [] }
  const bytes = state.size === 0 ? chunk : concat([...state.held, chunk], size)
  const broken = (problem: string): StreamState => ({ ...frames, opened: state.opened, problem })
  const found: Array<RawFrame> = []
  let at = 0
  if (!state.opened) {
    for (; at < preamble.length; at++)
      if (bytes[at] !== preamble[at]) return { state: broken("this is no attach channel of version 1"), frames: [] }
  }
  let needs = headSize
  while (bytes.length - at >= headSize) {
    const length = bytes[at]! * 0x100_0000 + (bytes[at + 1]! << 16) + (bytes[at + 2]! << 8) + bytes[at + 3]!
    if (length > bodyLimit) return { state: broken(`a frame of ${length} bytes is too long`), frames: found }
    needs = headSize + length
    if (bytes.length - at < needs) break
    found.push({ kind: bytes[at + 4]!, body: bytes.subarray(at + headSize, at + needs) })
    at += needs
    needs = headSize
  }
  const rest = bytes.length - at
  return {
    state: { held: rest === 0 ? [] : [bytes.subarray(at)], size: rest, needs, opened: true, problem: null },
    frames: found
  }
}
