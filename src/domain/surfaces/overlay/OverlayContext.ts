import type { Call } from "../operations/calls.ts"
import type { SessionStatus } from "../../words/session/Session.ts"
import { type StyledLine, fitLine, span } from "../tui/Paint.ts"
import { clean, shorten, width } from "../tui/Cells.ts"
import { stateLine } from "../../words/wording/StateLine.ts"

export type OverlayDoing =
  /** An operation of the session. Its outcome is shown as a note. */
  | { readonly _tag: "Do"; readonly call: Call }
  /** An operation whose result is shown as a text. */
  | { readonly _tag: "Ask"; readonly call: Call }
  | { readonly _tag: "Send"; readonly text: string; readonly images?: ReadonlyArray<string>; readonly force: boolean }
  | { readonly _tag: "ForceNext" }
  | { readonly _tag: "Save"; readonly text: string }
  /** An unfinished message, which can be recalled in this session. */
  | { readonly _tag: "Keep"; readonly text: string }
  | { readonly _tag: "TakeImage" }
  | { readonly _tag: "PutBack"; readonly text: string }
  /** Bytes (latin1) for the CLI. */
  | { readonly _tag: "Type"; readonly data: string }
  | { readonly _tag: "PressCommandKey" }
  | { readonly _tag: "Detach" }
  /** Returns the terminal to the shell until it continues leap. */
  | { readonly _tag: "Suspend" }
  | { readonly _tag: "Next" }

export interface OverlayContext {
  readonly tag: string
  readonly cols: number
  readonly status: SessionStatus | null
  readonly readOnly: boolean
  /** Saved messages, then unfinished ones, newest last. */
  readonly saved: ReadonlyArray<string>
  /** The newest was not sent by its user (a terminal closed, or the CLI's box lost it) and has not been shown yet. */
  readonly left: boolean
  /** The names of the keys, for people; null: switched off. */
  readonly names: {
    readonly command: string | null
    readonly capture: string | null
    readonly detach: string
    readonly suspend: string | null
  }
  readonly captureKey: string | null
}

export interface Turned<O> {
  /** Null: it is closed. */
  readonly overlay: O | null
  readonly doing: ReadonlyArray<OverlayDoing>
}

export interface OverlayRows {
  readonly lines: ReadonlyArray<StyledLine>
  /** The position of the next character in the rows; null for no cursor. */
  readonly cursor: { readonly x: number; readonly y: number } | null
  /** Keys and the cursor stay with the CLI. */
  readonly beside?: true
  /** The host cannot reserve the rows, so they cover the CLI's drawing. */
  readonly over?: true
}

export const header = (title: string, { status, tag }: OverlayContext, cols: number): StyledLine => {
  const state = status === null ? "" : ` ${clean(stateLine(status, false))} `
  const line = fitLine([span("── ", "faint"), span(`${title} `, "accent", true), span(clean(tag), "plain", true)], cols)
  const used = line.reduce((sum, { text }) => sum + width(text), 0)
  const rest = shorten(state, Math.max(0, cols - used - 2))
  return fitLine([...line, span(rest === "" ? " " : ` ${rest.trim()} `), span("─".repeat(cols), "faint")], cols)
}
