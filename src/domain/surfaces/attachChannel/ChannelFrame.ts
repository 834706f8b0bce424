import { Option, Schema } from "effect"
import { Notice } from "../notify/Notice.ts"
import { ExitStatus } from "../../words/session/Session.ts"
import * as FrameStream from "./FrameStream.ts"

const side = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2000 }))

export const ViewerRequest = Schema.Struct({
  viewer: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(200)),
  cols: side,
  rows: side,
  readOnly: Schema.Boolean,
  programStatus: Schema.Boolean,
  notices: Schema.Boolean,
  /** Places of the viewer's login, by their variables (`session/login.ts`). */
  login: Schema.optionalKey(Schema.Record(Schema.String, Schema.String.check(Schema.isMaxLength(4096))))
})
export type ViewerRequest = typeof ViewerRequest.Type

export type ViewerFrame =
  /** Draws the whole screen except the reserved rows at its bottom, and replaces all earlier output. */
  | { readonly _tag: "Repaint"; readonly reserved: number; readonly data: Uint8Array }
  | { readonly _tag: "Output"; readonly data: Uint8Array }
  | { readonly _tag: "Notice"; readonly notice: Notice }
  | { readonly _tag: "Exited"; readonly exit: ExitStatus }

export type ChannelFrame =
  | ViewerFrame
  /** The beginning of a repaint, whose last bytes are in a `Repaint`. */
  | { readonly _tag: "Part"; readonly data: Uint8Array }
  /** The host shows nothing (more), for this reason. */
  | { readonly _tag: "Refused"; readonly why: string }
  | { readonly _tag: "Attach"; readonly request: ViewerRequest }
  | { readonly _tag: "Input"; readonly data: Uint8Array }
  /** The size of the viewer's terminal. Its last `reserved` rows are left to the viewer's own program. */
  | { readonly _tag: "Resize"; readonly cols: number; readonly rows: number; readonly reserved: number }
  /** The viewer's terminal reads program status, which an `Attach` without `programStatus` did not know yet. */
  | { readonly _tag: "ReadsStatus" }
  /** How many more bytes of data the other side may send (`Credit.ts`). */
  | { readonly _tag: "Credit"; readonly bytes: number }

const kinds = {
  Attach: 1,
  Input: 2,
  Resize: 3,
  Credit: 4,
  ReadsStatus: 5,
  Part: 16,
  Repaint: 17,
  Output: 18,
  Notice: 19,
  Exited: 20,
  Refused: 21
} as const satisfies Record<ChannelFrame["_tag"], number>

const json = <S extends Schema.ConstraintCodec<unknown, unknown>>(schema: S) => {
  const text = Schema.fromJsonString(schema)
  const encode = Schema.encodeSync(text)
  const decode = Schema.decodeUnknownOption(text)
  return {
    encode: (value: S["Type"]) => new TextEncoder().encode(encode(value)),
    decode: (body: Uint8Array): S["Type"] | null => Option.getOrNull(decode(new TextDecoder().decode(body)))
  }
}
const request = json(ViewerRequest)
const notice = json(Notice)
const exit = json(ExitStatus)
const refusal = json(Schema.Struct({ why: Schema.String }))

const words = (...values: ReadonlyArray<number>): Uint8Array =>
  Uint8Array.from(values.flatMap((value) => [(value >>> 8) & 0xff, value & 0xff]))
const word = (body: Uint8Array, at: number): number => (body[at]! << 8) + body[at + 1]!

export const dataOf = (frame: ChannelFrame): number => {
  switch (frame._tag) {
    case "Input":
    case "Part":
    case "Repaint":
    case "Output":
      return frame.data.length
    default:
      return 0
  }
}

const bodyOf = (frame: ChannelFrame): Uint8Array => {
  switch (frame._tag) {
    case "Input":
    case "Part":
    case "Output":
      return frame.data
    case "Repaint": {
      const body = new Uint8Array(2 + frame.data.length)
      body.set(words(frame.reserved))
      body.set(frame.data, 2)
      return body
    }
    case "Attach":
      return request.encode(frame.request)
    case "Notice":
      return notice.encode(frame.notice)
    case "Exited":
      return exit.encode(frame.exit)
    case "Refused":
      return refusal.encode({ why: frame.why })
    case "Resize":
      return words(frame.cols, frame.rows, frame.reserved)
    case "Credit":
      return words(frame.bytes >>> 16, frame.bytes)
    case "ReadsStatus":
      return new Uint8Array()
  }
}

export const encode = (frame: ChannelFrame): Uint8Array => FrameStream.encode(kinds[frame._tag], bodyOf(frame))

const isSide = (value: number): boolean => value >= 1 && value <= 2000

/** The frame with the value that was read from its body; null for a body that cannot be read. */
const framed = <A>(value: A | null, frame: (value: A) => ChannelFrame): ChannelFrame | null =>
  value === null ? null : frame(value)

export const decode = ({ body, kind }: FrameStream.RawFrame): ChannelFrame | null => {
  switch (kind) {
    case kinds.Input:
      return { _tag: "Input", data: body }
    case kinds.Output:
      return { _tag: "Output", data: body }
    case kinds.Part:
      return { _tag: "Part", data: body }
    case kinds.Repaint:
      return body.length < 2 ? null : { _tag: "Repaint", reserved: word(body, 0), data: body.subarray(2) }
    case kinds.Credit: {
      const bytes = body.length === 4 ? word(body, 0) * 0x1_0000 + word(body, 2) : 0
      return bytes === 0 ? null : { _tag: "Credit", bytes }
    }
    case kinds.Resize: {
      if (body.length !== 6) return null
      const [cols, rows, reserved] = [word(body, 0), word(body, 2), word(body, 4)]
      return isSide(cols) && isSide(rows) ? { _tag: "Resize", cols, rows, reserved } : null
    }
    case kinds.ReadsStatus:
      return body.length === 0 ? { _tag: "ReadsStatus" } : null
    case kinds.Attach:
      return framed(request.decode(body), (request) => ({ _tag: "Attach", request }))
    case kinds.Notice:
      return framed(notice.decode(body), (notice) => ({ _tag: "Notice", notice }))
    case kinds.Exited:
      return framed(exit.decode(body), (exit) => ({ _tag: "Exited", exit }))
    case kinds.Refused:
      return framed(refusal.decode(body), ({ why }) => ({ _tag: "Refused", why }))
    default:
      return null
  }
}

/** The frames that new bytes complete. `problem`: why the rest of the stream is unreadable. */
export const read = (
  state: FrameStream.StreamState,
  chunk: Uint8Array
): {
  readonly state: FrameStream.StreamState
  readonly frames: ReadonlyArray<ChannelFrame>
  readonly problem: string | null
} => {
  const raw = FrameStream.decode(state, chunk)
  const frames: Array<ChannelFrame> = []
  for (const one of raw.frames) {
    const frame = decode(one)
    if (frame === null) {
      const problem = `a frame of kind ${one.kind} with ${one.body.length} bytes is none that is known`
      return { state: { ...raw.state, problem }, frames, problem }
    }
    frames.push(frame)
  }
  return { state: raw.state, frames, problem: raw.state.problem }
}

/** Passes each complete frame to `take`. `problem`: why `take` wants no more, or why the rest is unreadable. */
export const takeIn = (
  state: FrameStream.StreamState,
  chunk: Uint8Array,
  take: (frame: ChannelFrame) => string | null
): { readonly state: FrameStream.StreamState; readonly problem: string | null } => {
  const { frames, problem, state: after } = read(state, chunk)
  for (const frame of frames) {
    const refusal = take(frame)
    if (refusal !== null) return { state: after, problem: refusal }
  }
  return { state: after, problem }
}

/** The most bytes of data in one frame. */
export const dataLimit = 64 << 10
