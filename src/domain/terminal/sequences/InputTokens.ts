import * as InputBytes from "./InputBytes.ts"

/**
 * The bytes of a user's terminal as complete tokens: keys, sequences, pastes, replies. Unlike {@link InputBytes}, this
 * waits a moment with bytes that could be a key, so the tokens do not depend on the chunks. The data of all tokens
 * together are the input.
 */
export interface TokenState {
  readonly scan: InputBytes.InputState
  /** Bytes that may be a key (Escape, Alt+[), until time decides. */
  readonly held: string
  /** When they came, in milliseconds. */
  readonly since: number
}

export interface Tokens {
  readonly state: TokenState
  readonly tokens: ReadonlyArray<InputBytes.InputPart>
}

export const start: TokenState = { scan: InputBytes.start, held: "", since: 0 }

/** Milliseconds that an Escape waits for the rest of a sequence: less than a CLI waits, and too short to notice. */
export const escapeHoldMs = 25

/** How long a start waits for its rest. `awaiting`: replies are due, and parts of them must not become keys. */
const timeouts = {
  typing: { held: escapeHoldMs, begun: InputBytes.sequenceMs },
  awaiting: { held: 1_000, begun: 5_000 }
} as const
const timeoutsOf = (awaiting: boolean) => (awaiting ? timeouts.awaiting : timeouts.typing)

/** An Escape, two of them (Alt with a sequence), or Alt with a character that begins sequences. */
const undecided = /\x1b(?:[[\]OP_]|\x1b[[O]?)?$/
/** How a terminal's reply continues after an Escape: a control sequence, or a string. */
const goesOn = /^[[\]]/

export const take = (state: TokenState, chunk: string, now: number, awaiting = false): Tokens => {
  // An Escape that waited longer than usual is a key, unless a reply follows.
  if (awaiting && state.held === "\x1b" && now - state.since > escapeHoldMs && !goesOn.test(chunk)) {
    const alone = flushHeld(state, now)
    const rest = take(alone.state, chunk, now, awaiting)
    return { state: rest.state, tokens: [...alone.tokens, ...rest.tokens] }
  }
  const { held, scan } = state
  const text = held + chunk
  const cut = undecided.exec(text)?.index ?? text.length
  if (cut === 0) return { state: { held: text, scan, since: now }, tokens: [] }
  const classified = InputBytes.classify(scan, text.slice(0, cut), now, timeoutsOf(awaiting).begun)
  return { state: { scan: classified.state, held: text.slice(cut), since: now }, tokens: classified.parts }
}

/** Milliseconds that the pending bytes wait for their rest; null: without a bound, or nothing is pending. */
export const timeout = ({ held, scan }: TokenState, awaiting = false): number | null =>
  held !== ""
    ? timeoutsOf(awaiting).held
    : scan.paste || scan.reply || scan.pending.length <= scan.given
      ? null
      : timeoutsOf(awaiting).begun

/** Nothing more came in time, so the pending bytes are what they look like. */
export const flushHeld = ({ held, scan, since }: TokenState, now: number): Tokens => {
  const { parts, state } = InputBytes.classify(scan, held, held === "" ? Number.POSITIVE_INFINITY : now)
  return { state: { scan: state, held: "", since }, tokens: parts }
}
