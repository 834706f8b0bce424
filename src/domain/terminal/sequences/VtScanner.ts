/**
 * A streaming tokenizer for terminal byte streams, over latin1 strings (one char a byte). Streams are UTF-8, so bytes
 * from 0x80 on are text, never C1 controls. A stream may be cut anywhere, and the tokens' raw bytes together are the
 * input.
 *
 * xterm's parser does not fit: it gives the parts of a sequence without its bytes, which leap must pass on unchanged,
 * and hides its position.
 */

export type StringKind = "DCS" | "SOS" | "PM" | "APC"

export type VtToken =
  /** Printable bytes (and, without `controls`, DEL and every C0 control but ESC). */
  | { readonly _tag: "Text"; readonly raw: string }
  /** One C0 control or DEL. */
  | { readonly _tag: "Control"; readonly raw: string }
  | { readonly _tag: "Escape"; readonly raw: string; readonly intermediates: string; readonly final: string }
  /** A control sequence. `prefix`: its private marker (`<`, `=`, `>`, `?`) or "". Only `raw` has controls inside it. */
  | {
      readonly _tag: "Csi"
      readonly raw: string
      readonly prefix: string
      readonly params: string
      readonly intermediates: string
      readonly final: string
    }
  /** An operating system command; `bell`: it was ended by BEL instead of ST. */
  | { readonly _tag: "Osc"; readonly raw: string; readonly body: string; readonly bell: boolean }
  | { readonly _tag: "String"; readonly raw: string; readonly kind: StringKind; readonly body: string }
  /** A sequence that was aborted (CAN, SUB, a new ESC) or breaks the grammar. Terminals draw nothing for it. */
  | { readonly _tag: "Malformed"; readonly raw: string }
  /** A part of a sequence that is too long to be held, or whose start was flushed. */
  | { readonly _tag: "Piece"; readonly raw: string }

type Phase = "Ground" | "Escape" | "Intermediate" | "Csi" | "Osc" | "OscEscape" | StringKind | `${StringKind}Escape`

export interface VtState {
  readonly phase: Phase
  readonly carry: string
  /** The start of the unfinished sequence was passed on; the rest follows as pieces. */
  readonly passing: boolean
}

export const start: VtState = { phase: "Ground", carry: "", passing: false }

/** The most bytes of one sequence that are held. Longer ones (images, clipboards) pass through in pieces. */
export const heldLimit = 8192

export interface ScanOptions {
  /** Give C0 controls and DEL as tokens of their own; default true. */
  readonly controls?: boolean
}

export interface Scanned {
  readonly state: VtState
  readonly tokens: ReadonlyArray<VtToken>
}

const control = /[\x00-\x1f\x7f]/g
const controlsInside = /[\x00-\x1a\x1c-\x1f\x7f]/g
const stringStop = /[\x07\x18\x1a\x1b]/g
const wholeCsi = /\x1b\[([<=>?]?)([0-9:;]*)([ -/]*)([@-~])/y
const csiShape = /^\x1b\[([<=>?]?)([0-9:;]*)([ -/]*)([@-~])$/

const stringKinds: Readonly<Record<string, StringKind>> = { P: "DCS", X: "SOS", "^": "PM", _: "APC" }

const csiToken = (raw: string): VtToken => {
  const match = csiShape.exec(raw) ?? csiShape.exec(raw.replace(controlsInside, ""))
  return match === null
    ? { _tag: "Malformed", raw }
    : { _tag: "Csi", raw, prefix: match[1]!, params: match[2]!, intermediates: match[3]!, final: match[4]! }
}

/** An ESC that does not begin a whole, plain control sequence that moves, erases or colours. */
const notDrawing = /\x1b(?!\[[\d;:]{0,64}[A-HJKLMPSTXZ@abdefgm`])/

/** Whether a chunk from the ground state is only text and drawing sequences: cheaper than a token for each. */
export const drawsOnly = (chunk: string): boolean => !notDrawing.test(chunk)

export const scan = (state: VtState, chunk: string, options?: ScanOptions): Scanned => {
  const controls = options?.controls ?? true
  const tokens: Array<VtToken> = []
  let { carry, passing, phase } = state
  let from = 0
  let i = 0

  const text = (to: number): void => {
    if (to > from) tokens.push({ _tag: "Text", raw: chunk.slice(from, to) })
    from = to
  }
  const end = (to: number, token: (raw: string) => VtToken): void => {
    const raw = carry + chunk.slice(from, to)
    if (raw !== "") tokens.push(passing || raw.length > heldLimit ? { _tag: "Piece", raw } : token(raw))
    carry = ""
    passing = false
    phase = "Ground"
    from = to
  }
  const malformed = (raw: string): VtToken => ({ _tag: "Malformed", raw })

  while (i < chunk.length) {
    switch (phase) {
      case "Ground": {
        if (!controls) {
          i = chunk.indexOf("\x1b", i)
          if (i < 0) i = chunk.length
        } else {
          control.lastIndex = i
          const found = control.exec(chunk)
          i = found === null ? chunk.length : found.index
        }
        text(i)
        if (i === chunk.length) break
        if (chunk.charCodeAt(i) === 0x1b) {
          // Most sequences are control sequences that are complete in the chunk.
          wholeCsi.lastIndex = i
          const match = wholeCsi.exec(chunk)
          if (match !== null && match[0].length <= heldLimit) {
            const [raw, prefix, params, intermediates, final] = match as unknown as [
              string,
              string,
              string,
              string,
              string
            ]
            tokens.push({ _tag: "Csi", raw, prefix, params, intermediates, final })
            i += raw.length
            from = i
            break
          }
          phase = "Escape"
          i++
        } else {
          i++
          tokens.push({ _tag: "Control", raw: chunk.slice(from, i) })
          from = i
        }
        break
      }
      case "Escape":
      case "Intermediate":
      case "Csi": {
        const code = chunk.charCodeAt(i)
        if (code === 0x1b) {
          end(i, malformed)
          phase = "Escape"
          i++
        } else if (code === 0x18 || code === 0x1a) {
          end(++i, malformed)
        } else if (code >= 0x80) {
          end(i, malformed)
        } else if (code < 0x20 || code === 0x7f) {
          i++
        } else if (phase === "Csi") {
          i++
          if (code >= 0x40) end(i, csiToken)
        } else if (code < 0x30) {
          phase = "Intermediate"
          i++
        } else if (phase === "Escape" && code === 0x5b) {
          phase = "Csi"
          i++
        } else if (phase === "Escape" && code === 0x5d) {
          phase = "Osc"
          i++
        } else if (phase === "Escape" && stringKinds[chunk[i]!] !== undefined) {
          phase = stringKinds[chunk[i]!]!
          i++
        } else {
          i++
          end(i, (raw) => {
            const plain = raw.replace(controlsInside, "")
            return { _tag: "Escape", raw, intermediates: plain.slice(1, -1), final: plain.slice(-1) }
          })
        }
        break
      }
      case "Osc":
      case "DCS":
      case "SOS":
      case "PM":
      case "APC": {
        stringStop.lastIndex = i
        const found = stringStop.exec(chunk)
        if (found === null) {
          i = chunk.length
          break
        }
        i = found.index + 1
        const code = chunk.charCodeAt(found.index)
        if (code === 0x1b) phase = `${phase === "Osc" ? "Osc" : phase}Escape`
        else if (code !== 0x07) end(i, malformed)
        else if (phase === "Osc") end(i, (raw) => ({ _tag: "Osc", raw, body: stringBody(raw, 1), bell: true }))
        break
      }
      default: {
        // The byte after an ESC inside a string: ST ends the string, anything else aborts it and begins a sequence with
        // that ESC.
        if (chunk.charCodeAt(i) === 0x5c) {
          const kind = phase
          end(++i, (raw) =>
            kind === "OscEscape"
              ? { _tag: "Osc", raw, body: stringBody(raw, 2), bell: false }
              : { _tag: "String", raw, kind: kind.slice(0, -6) as StringKind, body: stringBody(raw, 2) }
          )
          break
        }
        const held = carry + chunk.slice(from, i)
        if (held.length > 1) {
          tokens.push({ _tag: passing || held.length - 1 > heldLimit ? "Piece" : "Malformed", raw: held.slice(0, -1) })
        }
        // If that ESC was flushed already, the new sequence has no start.
        passing = held === ""
        carry = held.slice(-1)
        from = i
        phase = "Escape"
      }
    }
  }

  if (phase === "Ground") return { state: start, tokens }
  carry += chunk.slice(from)
  const keep = phase.endsWith("Escape") && phase !== "Escape" ? 1 : 0
  // A lone ESC inside a string may begin the string's end or another sequence, so it is held back.
  if (carry.length > keep && (passing || carry.length - keep > heldLimit)) {
    tokens.push({ _tag: "Piece", raw: carry.slice(0, carry.length - keep) })
    return { state: { phase, carry: carry.slice(carry.length - keep), passing: true }, tokens }
  }
  return { state: { phase, carry, passing }, tokens }
}

const stringBody = (raw: string, tail: number): string => {
  // The terminal executed controls between ESC and the introducer; the string begins after the introducer.
  const head = raw.charCodeAt(1) < 0x20 || raw.charCodeAt(1) === 0x7f ? raw.search(/[\]PX^_]/) + 1 : 2
  return raw.slice(head, raw.length - tail)
}

/** Passes on the held bytes as a piece. The rest of that sequence follows as pieces. */
export const flush = (state: VtState): Scanned =>
  state.carry === ""
    ? { state, tokens: [] }
    : {
        state: { phase: state.phase, carry: "", passing: true },
        tokens: [{ _tag: "Piece", raw: state.carry }]
      }

/** Numeric parameters of a control sequence; an empty one is `fallback`. Sub-parameters (after a colon) are dropped. */
export const numbers = (params: string, fallback = 0): ReadonlyArray<number> =>
  params.split(";").map((param) => {
    const digits = param.split(":", 1)[0]!
    return digits === "" ? fallback : Math.min(Number(digits), 0xffff_ffff)
  })
