import type { Call } from "../operations/calls.ts"
import type { SessionStatus } from "../../words/session/Session.ts"
import type { StyledLine } from "../tui/Paint.ts"

/** What is to be done outside. */
export type OverlayDoing =
  /** An operation of the session; what came of it is told. */
  | { readonly _tag: "Do"; readonly call: Call }
  /** One that only tells something, which is to be read. */
  | { readonly _tag: "Ask"; readonly call: Call }
  | { readonly _tag: "Send"; readonly text: string; readonly images?: ReadonlyArray<string>; readonly force: boolean }
  /** The next message that waits goes out now. */
  | { readonly _tag: "ForceNext" }
  | { readonly _tag: "Save"; readonly text: string }
  /** It was left: it can be brought back in this session. */
  | { readonly _tag: "Keep"; readonly text: string }
  /** The clipboard's picture is wanted in the message. */
  | { readonly _tag: "TakeImage" }
  /** The text that was taken out of the CLI's box goes back there. */
  | { readonly _tag: "PutBack"; readonly text: string }
  /** Bytes (latin1) that are the CLI's after all. */
  | { readonly _tag: "Type"; readonly data: string }
  /** The key itself, for the CLI. */
  | { readonly _tag: "PressCommandKey" }
  | { readonly _tag: "Detach" }
  /** The terminal is the shell's until it continues leap. */
  | { readonly _tag: "Suspend" }
  | { readonly _tag: "Next" }

export interface OverlayContext {
  readonly tag: string
  readonly cols: number
  /** Null until it is known. */
  readonly status: SessionStatus | null
  readonly readOnly: boolean
  /** Messages that were saved, and behind them those that were left, newest last. */
  readonly saved: ReadonlyArray<string>
  /** The newest of them was being written when its terminal closed, and nobody has seen it since. */
  readonly left: boolean
  /** The names of the keys, for people; null: switched off. */
  readonly names: { readonly command: string | null; readonly capture: string | null; readonly detach: string }
  /** The character that, typed twice, begins a message. */
  readonly captureKey: string | null
}

/** What a key makes of an overlay. */
export interface Turned<O> {
  /** Null: it is closed. */
  readonly overlay: O | null
  readonly doing: ReadonlyArray<OverlayDoing>
}

export interface OverlayRows {
  readonly lines: ReadonlyArray<StyledLine>
  /** Where the next character goes, in the rows; null: there is no such place. */
  readonly cursor: { readonly x: number; readonly y: number } | null
  /** Keys go on to the CLI, which has the cursor. */
  readonly beside?: true
  /** The host cannot leave them free: they lie over what the CLI has drawn there. */
  readonly over?: true
}
