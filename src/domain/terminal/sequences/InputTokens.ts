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
  /** When that came, in milliseconds. */
  readonly since: number
}

export interface Tokens {
  readonly state: TokenState
  readonly tokens: ReadonlyArray<InputBytes.InputPart>
}

export const start: TokenState = { scan: InputBytes.start, held: "", since: 0 }

/** How long an Escape waits for the rest of a sequence: less than a CLI itself waits, and than anybody notices. */
export const escapeHoldMs = 25

/**
 * How long a beginning waits for its rest. `awaiting`: the terminal is about to send what nobody typed. Its bytes may
 * come apart, and are not to be taken for keys.
 */
const patient = {
  typing: { held: escapeHoldMs, begun: InputBytes.sequenceMs },
  awaiting: { held: 1_000, begun: 5_000 }
} as const
const patienceOf = (awaiting: boolean) => (awaiting ? patient.awaiting : patient.typing)

/** An Escape, two of them (Alt with a sequence), or Alt with what begins sequences. */
const undecided = /\x1b(?:[[\]OP_]|\x1b[[O]?)?$/
/** What an Escape may be the first byte of, where the terminal answers: a control sequence, or a string. */
const goesOn = /^[[\]]/

/** Takes the next bytes (latin1) and gives the tokens that they complete. */
export const take = (state: TokenState, chunk: string, now: number, awaiting = false): Tokens => {
  // an Escape that waits longer than usual is a key if what comes is no answer
  if (awaiting && state.held === "\x1b" && now - state.since > escapeHoldMs && !goesOn.test(chunk)) {
    const alone = flushHeld(state, now)
    const rest = take(alone.state, chunk, now, awaiting)
    return { state: rest.state, tokens: [...alone.tokens, ...rest.tokens] }
  }
  const { held, scan } = state
  const text = held + chunk
  const cut = undecided.exec(text)?.index ?? text.length
  if (cut === 0) return { state: { held: text, scan, since: now }, tokens: [] }
  const classified = InputBytes.classify(scan, text.slice(0, cut), now, patienceOf(awaiting).begun)
  return { state: { scan: classified.state, held: text.slice(cut), since: now }, tokens: classified.parts }
}

/** How long (milliseconds) what is pending waits for its rest; null for as long as it takes, or for nothing. */
export const patience = ({ held, scan }: TokenState, awaiting = false): number | null =>
  held !== ""
    ? patienceOf(awaiting).held
    : scan.paste || scan.reply || scan.pending.length <= scan.given
      ? null
      : patienceOf(awaiting).begun

/** Nothing more came in that time: what is pending is what it looks like. */
export const flushHeld = ({ held, scan, since }: TokenState, now: number): Tokens => {
  const { parts, state } = InputBytes.classify(scan, held, held === "" ? Number.POSITIVE_INFINITY : now)
  return { state: { scan: state, held: "", since }, tokens: parts }
}
