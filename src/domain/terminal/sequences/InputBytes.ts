import { altKind, controlKind, csiKey, ss3Key } from "./KeyCode.ts"
import type { KeyKind } from "../../words/session/SessionEvent.ts"
import { heldLimit } from "./VtScanner.ts"

/** A part of a user's terminal input (latin1). All parts and the pending bytes together are the input. */
export type InputPart =
  | {
      readonly _tag: "Keys"
      readonly kind: KeyKind
      readonly data: string
      /** Its first bytes were passed on earlier as an Escape or Alt key, but belong to this sequence. */
      readonly continues?: true
    }
  /** A reply to a query, or a report of the same form: sent by the terminal, never typed. */
  | { readonly _tag: "Reply"; readonly data: string; readonly continues?: true }
  | { readonly _tag: "Focus"; readonly data: string; readonly continues?: true }
  | { readonly _tag: "Mouse"; readonly data: string; readonly continues?: true }
  /** A released key, or a pressed modifier or lock key: bytes for the CLI, but not a key press. */
  | { readonly _tag: "NoKey"; readonly data: string; readonly continues?: true }

export interface InputState {
  readonly pending: string
  /** The number of pending bytes that were passed on already. */
  readonly given: number
  /** When the last of the pending bytes came, in milliseconds. */
  readonly since: number
  readonly paste: boolean
  /** The bytes are inside a reply that is too long to be held. */
  readonly reply: boolean
}

export interface ClassifiedInput {
  readonly state: InputState
  readonly parts: ReadonlyArray<InputPart>
}

export const start: InputState = { pending: "", given: 0, since: 0, paste: false, reply: false }

/** Milliseconds after which an ESC at a chunk's end is the Escape key, and ESC [ is Alt+[. */
export const escapeMs = 150
/** Milliseconds after which a longer start of a sequence counts as keys (Alt+[ and text). */
export const sequenceMs = 1000

const pasteStart = "\x1b[200~"
const pasteEnd = "\x1b[201~"

// Replies are printable: if a control character follows, ESC ] or ESC P and text were typed (Alt+], Alt+P).
const printable = "[\\x20-\\x7e\\x80-\\xff]*"
const replies = [
  // OSC number ; text, ended by ST or BEL
  {
    whole: `\\x1b\\]\\d{1,5};${printable}(?:\\x07|\\x1b\\\\)`,
    part: `\\x1b\\](?:\\d{0,5}|\\d{1,5};${printable}\\x1b?)`
  },
  // DCS: DECRPSS and XTGETTCAP (0 or 1, $ or +, r), XTVERSION (>|), DA3 (!|)
  {
    whole: `\\x1bP(?:[01][$+]r|>\\||!\\|)${printable}\\x1b\\\\`,
    part: `\\x1bP(?:[01]?[$+]?|[>!]|(?:[01][$+]r|>\\||!\\|)${printable}\\x1b?)`
  },
  // APC: kitty graphics
  { whole: `\\x1b_G${printable}\\x1b\\\\`, part: `\\x1b_(?:G${printable}\\x1b?)?` }
]
const whole = {
  x10: /\x1b\[M[\x20-\xff]{3}/y,
  csi: /\x1b\[([<=>?]?)([0-9:;]*)([ -/]*)([@-~])/y,
  linux: /\x1b\[\[[A-E]/y,
  ss3: /\x1bO([\x20-\x7e])/y,
  reply: new RegExp(replies.map((reply) => reply.whole).join("|"), "y")
}
const part = new RegExp(
  "(?:\\x1b\\[(?:[<=>?]?[0-9:;]*[ -/]*|\\[|M[\\x20-\\xff]{0,2})|\\x1bO|" +
    `${replies.map((reply) => reply.part).join("|")})$`,
  "y"
)
const control = /[\x00-\x1f\x7f]/g
const introducers = new Set("[O]P_")

const at = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index
  return pattern.exec(text)
}

type Sequence =
  | { readonly _tag: "Keys"; readonly kind: KeyKind; readonly length: number }
  | { readonly _tag: "Reply" | "Focus" | "Mouse" | "NoKey" | "PasteStart"; readonly length: number }

const sequence = (text: string, index: number): Sequence | null => {
  if (text[index + 1] === "O") {
    const found = at(whole.ss3, text, index)
    return found === null ? null : { _tag: "Keys", kind: ss3Key(found[1]!), length: 3 }
  }
  if (text[index + 1] !== "[") {
    const found = at(whole.reply, text, index)
    return found === null ? null : { _tag: "Reply", length: found[0].length }
  }
  if (text[index + 2] === "M") return at(whole.x10, text, index) === null ? null : { _tag: "Mouse", length: 6 }
  if (text[index + 2] === "[") {
    return at(whole.linux, text, index) === null ? null : { _tag: "Keys", kind: "navigate", length: 4 }
  }
  const found = at(whole.csi, text, index)
  if (found === null) return null
  const [{ length }, prefix, params, intermediates, final] = found as unknown as [
    string,
    string,
    string,
    string,
    string
  ]
  if (prefix === "<") return { _tag: "Mouse", length }
  if (prefix !== "" || intermediates !== "") return { _tag: "Reply", length }
  switch (final) {
    case "I":
    case "O":
      return { _tag: params === "" ? "Focus" : "Reply", length }
    case "M": // urxvt's mouse reports; the bare form was taken above
    case "m":
      return { _tag: "Mouse", length }
    case "R":
      // Shift+F3 looks like a cursor report from the first row; kitty's F3 has no parameters.
      return params === "" ? { _tag: "Keys", kind: "navigate", length } : { _tag: "Reply", length }
    case "n":
    case "c":
    case "t":
    case "x":
      return { _tag: "Reply", length }
    case "~":
      if (params === "200") return { _tag: "PasteStart", length }
  }
  const kind = csiKey(params, final)
  return kind === null ? { _tag: "NoKey", length } : { _tag: "Keys", kind, length }
}

/** Length of the UTF-8 character at `index`: at least 1, at most the rest of the text. */
const charLength = (text: string, index: number): number => {
  let length = 1
  if (text.charCodeAt(index) >= 0xc0) {
    while (length < 4 && text.charCodeAt(index + length) >= 0x80 && text.charCodeAt(index + length) < 0xc0) length++
  }
  return length
}

/** The number of bytes at the end of a text that may begin the marker of a paste's end. */
const pasteEndBegun = (text: string): number => {
  for (let length = Math.min(pasteEnd.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(pasteEnd.slice(0, length))) return length
  }
  return 0
}

const expire = (state: InputState, now: number, timeout: number): ClassifiedInput => {
  const rest = state.pending.slice(state.given)
  return rest === "" || state.paste || state.reply || now - state.since <= timeout
    ? { state, parts: [] }
    : { state: { ...state, pending: "", given: 0 }, parts: [{ _tag: "Keys", kind: "text", data: rest }] }
}

/** Whether the chunk is one typed ASCII character, with nothing pending before it. */
export const isTypedAlone = (state: InputState, chunk: string): boolean => {
  const code = chunk.length === 1 ? chunk.charCodeAt(0) : 0
  return code >= 0x20 && code < 0x7f && state.pending === "" && !state.paste && !state.reply
}

/**
 * Separates a user's keys from what the terminal itself sends. The result does not depend on the chunks, with one
 * exception: bytes that could be a key (ESC, or Alt with a character that begins sequences) are passed on at a chunk's
 * end, and a continuation that comes in time is marked. `timeout`: milliseconds that the start of a longer sequence
 * waits for its rest.
 */
export const classify = (state: InputState, chunk: string, now: number, timeout = sequenceMs): ClassifiedInput => {
  if (chunk === "") return expire(state, now, timeout)
  // Most typed input takes this path, and people wait for it.
  if (isTypedAlone(state, chunk)) return { state, parts: [{ _tag: "Keys", kind: "text", data: chunk }] }
  const parts: Array<InputPart> = []
  let { given, paste, reply } = state
  let text = chunk
  if (state.pending !== "") {
    const isLate = now - state.since > (state.given === state.pending.length ? escapeMs : timeout)
    const isUnrelated = state.pending === "\x1b" && state.given === 1 && !introducers.has(chunk[0]!)
    if (paste || reply || !(isLate || isUnrelated)) text = state.pending + chunk
    else {
      const rest = state.pending.slice(state.given)
      if (rest !== "") parts.push({ _tag: "Keys", kind: "text", data: rest })
      given = 0
    }
  }

  let i = 0
  const add = (tag: InputPart["_tag"], length: number, kind: KeyKind = "other", alone = false): void => {
    const data = text.slice(Math.max(i, given), i + length)
    const continues = given > i
    i += length
    if (continues && i >= given) given = 0
    if (data === "") return
    const last = parts.at(-1)
    if (
      !continues &&
      !alone &&
      last?._tag === "Keys" &&
      tag === "Keys" &&
      kind === last.kind &&
      (kind === "text" || kind === "paste")
    ) {
      parts[parts.length - 1] = { ...last, data: last.data + data }
      return
    }
    const more = continues ? { continues: true as const } : {}
    parts.push(tag === "Keys" ? { _tag: tag, kind, data, ...more } : { _tag: tag, data, ...more })
  }
  const wait = (): ClassifiedInput => ({
    state: { pending: text.slice(i), given: Math.max(0, given - i), since: now, paste, reply },
    parts
  })
  /** Passes on the rest, which could be a key, and remembers it as the possible start of a sequence. */
  const giveOut = (kind: KeyKind): ClassifiedInput => {
    const pending = text.slice(i)
    // Separate from the text before it, which stays text in any case.
    add("Keys", pending.length, kind, true)
    return { state: { pending, given: pending.length, since: now, paste, reply }, parts }
  }

  while (i < text.length) {
    if (paste) {
      const end = text.indexOf(pasteEnd, i)
      if (end < 0) {
        add("Keys", text.length - i - pasteEndBegun(text.slice(Math.max(i, text.length - pasteEnd.length))), "paste")
        break
      }
      add("Keys", end + pasteEnd.length - i, "paste")
      paste = false
      continue
    }
    if (reply) {
      control.lastIndex = i
      const stop = control.exec(text)
      if (stop === null) {
        add("Reply", text.length - i)
        break
      }
      if (stop.index === text.length - 1 && stop[0] === "\x1b") {
        add("Reply", stop.index - i)
        return wait()
      }
      reply = false
      add("Reply", stop.index - i + (stop[0] === "\x07" ? 1 : text.startsWith("\x1b\\", stop.index) ? 2 : 0))
      continue
    }
    const code = text.charCodeAt(i)
    if (code !== 0x1b) {
      if (code < 0x20 || code === 0x7f) add("Keys", 1, controlKind(code))
      else {
        control.lastIndex = i
        add("Keys", (control.exec(text)?.index ?? text.length) - i, "text")
      }
      continue
    }
    const left = text.length - i
    if (left === 1) return giveOut("escape")
    const next = text.charCodeAt(i + 1)
    const found = sequence(text, i)
    if (found !== null) {
      if (found._tag === "PasteStart") {
        paste = true
        add("Keys", pasteStart.length, "paste")
      } else if (found._tag === "Keys") add("Keys", found.length, found.kind)
      else add(found._tag, found.length)
    } else if (at(part, text, i) !== null) {
      // Alt with that character, unless more comes. After a lone ESC before it, more is likely.
      if (left === 2 && given === 0) return giveOut("text")
      if (left <= heldLimit) return wait()
      reply = true
      add("Reply", left - (text.endsWith("\x1b") ? 1 : 0))
      if (i < text.length) return wait()
    } else if (next === 0x1b) {
      // Alt with a cursor or function key on some terminals; otherwise Escape, followed by the second ESC.
      const second = left > 2 ? sequence(text, i + 1) : null
      if (second?._tag === "Keys") add("Keys", second.length + 1, second.kind)
      else if (
        left > 3 &&
        second === null &&
        (text[i + 2] === "[" || text[i + 2] === "O") &&
        at(part, text, i + 1) !== null
      )
        return wait()
      else add("Keys", 1, "escape")
    } else if (next >= 0x20 || next === 0x0d || next === 0x0a || next === 0x08) {
      add("Keys", 1 + charLength(text, i + 1), altKind(next))
    } else add("Keys", 1, "escape")
  }
  return i < text.length ? wait() : { state: { pending: "", given: 0, since: now, paste, reply }, parts }
}
