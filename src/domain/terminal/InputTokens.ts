import * as InputBytes from "./InputBytes.ts"

/**
 * The bytes of a user's terminal as whole tokens: keys, sequences, pastes, replies. Unlike {@link InputBytes}, which
 * gives out at once what could be a key by itself, this waits a moment for its rest, so that the same bytes are the
 * same tokens however they are cut. The data of all tokens together are the input.
 */
export interface TokenState {
  readonly scan: InputBytes.InputState
  /** What could be a key by itself (Escape, Alt+[), until time says that it is. */
  readonly held: string
}

export interface Tokens {
  readonly state: TokenState
  readonly tokens: ReadonlyArray<InputBytes.InputPart>
}

export const start: TokenState = { scan: InputBytes.start, held: "" }

/** How long an Escape waits for the rest of a sequence: less than a CLI itself waits, and than anybody notices. */
export const escapeHoldMs = 25

/** An Escape, two of them (Alt with a sequence), or Alt with what begins sequences. */
const undecided = /\x1b(?:[[\]OP_]|\x1b[[O]?)?$/

/** Takes the next bytes (latin1) and gives the tokens that they complete. */
export const take = ({ held, scan }: TokenState, chunk: string, now: number): Tokens => {
  const text = held + chunk
  const cut = undecided.exec(text)?.index ?? text.length
  if (cut === 0) return { state: { held: text, scan }, tokens: [] }
  const { parts, state } = InputBytes.classify(scan, text.slice(0, cut), now)
  return { state: { scan: state, held: text.slice(cut) }, tokens: parts }
}

/** How long (milliseconds) what is pending waits for its rest; null for as long as it takes, or for nothing. */
export const patience = ({ held, scan }: TokenState): number | null =>
  held !== ""
    ? escapeHoldMs
    : scan.paste || scan.reply || scan.pending.length <= scan.given
      ? null
      : InputBytes.sequenceMs

/** Nothing more came in that time: what is pending is what it looks like. */
export const settle = ({ held, scan }: TokenState, now: number): Tokens => {
  const { parts, state } = InputBytes.classify(scan, held, held === "" ? Number.POSITIVE_INFINITY : now)
  return { state: { scan: state, held: "" }, tokens: parts }
}
