import { latin1ToText } from "../Bytes.ts"
import * as InputBytes from "../InputBytes.ts"
import { stripControls } from "../MessageText.ts"

/** Keys that the lists and prompts of leap know, by what they do there. */
export type KeyName =
  | "enter" | "escape" | "tab" | "backspace" | "delete-word" | "clear" | "up" | "down" | "page-up" | "page-down" | "home"
  | "end" | "cancel" | "redraw"

/** One thing that a user did at the terminal. */
export type Key =
  | { readonly key: KeyName }
  /** Typed text has no controls; a paste has none but line breaks and tabs, and comes as one. */
  | { readonly key: "text" | "paste"; readonly text: string }

/** What is not decided yet of the bytes (latin1) that came. */
export interface KeyState {
  /** Bytes whose meaning depends on what follows. */
  readonly pending: string
  /** Inside a paste: what it holds so far. */
  readonly paste: string | null
  /** Inside an overlong answer of the terminal to a query. */
  readonly reply: boolean
}

/** The keys that some bytes complete. */
export interface Decoded {
  readonly state: KeyState
  readonly keys: ReadonlyArray<Key>
}

export const start: KeyState = { pending: "", paste: null, reply: false }

/** Of a paste no more is kept; nobody searches for a novel. */
const pasteLimit = 65_536
const pasteStart = "\x1b[200~"
const pasteEnd = "\x1b[201~"

const named: Readonly<Record<string, KeyName>> = {
  "\r": "enter", "\x1bOM": "enter", "\t": "tab", "\x7f": "backspace", "\b": "backspace", "\x15": "clear", "\x17": "delete-word",
  "\x1b\x7f": "delete-word", "\x1b\b": "delete-word", "\x10": "up", "\x0b": "up", "\x0e": "down",
  // Ctrl+J, as in other pickers; where a paste comes without brackets, its line breaks pick nothing
  "\n": "down",
  "\x03": "cancel", "\x04": "cancel", "\x1b": "escape", "\x0c": "redraw"
}
const finals: Readonly<Record<string, KeyName>> = { A: "up", B: "down", H: "home", F: "end", Z: "tab" }
const numbered: Readonly<Record<string, KeyName>> = { 1: "home", 7: "home", 4: "end", 8: "end", 5: "page-up", 6: "page-down" }

const shape = /^\x1b+(?:O|\[)([\d;:]*)([A-Za-z~])$/
/** Alt, Ctrl, Super, Hyper, Meta. */
const commanding = 2 | 4 | 8 | 16 | 32
const ctrl = 4

/** A character that came by its code point and modifiers (kitty, modifyOtherKeys). */
const encoded = (code: number, modifiers: number): Key | null => {
  // the private use area is where kitty numbers keys without a character
  if (!(code <= 0x10ffff) || (code >= 0xe000 && code <= 0xf8ff)) return null
  if ((modifiers & ctrl) !== 0 && code >= 0x40 && code < 0x7f) return plain(String.fromCharCode(code & 0x1f))
  if (code < 0x20 || code === 0x7f) return plain(String.fromCharCode(code))
  return (modifiers & commanding) === 0 ? typed(String.fromCodePoint(code)) : null
}

const plain = (data: string): Key | null => {
  const key = named[data]
  return key === undefined ? null : { key }
}

/** Text without what has no shape of its own; no character's meaning depends on its neighbours here. */
const typed = (text: string): Key | null => {
  const kept = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\ufffd]/gu, "")
  return kept === "" ? null : { key: "text", text: kept }
}

/** The key of one control sequence; null for one that means nothing here. */
const sequence = (data: string): Key | null => {
  const [, params = "", final = ""] = shape.exec(data) ?? []
  const fields = params.split(";").map((field) => field.split(":")[0] ?? "")
  const modifiers = Math.max(1, Number(fields[1] || "1")) - 1
  if (final === "u") return encoded(Number(fields[0] || "NaN"), modifiers)
  if (final === "~") {
    if (fields[0] === "27" && fields.length === 3) return encoded(Number(fields[2] || "NaN"), modifiers)
    const key = numbered[fields[0] ?? ""]
    return key === undefined ? null : { key }
  }
  // the application keypad: * + , - . / and digits
  if (data.startsWith("\x1bO") && final >= "j" && final <= "y") return typed(String.fromCharCode(final.charCodeAt(0) - 0x40))
  const key = finals[final]
  return key === undefined ? null : { key }
}

/** Bytes at the end of which what they are depends on more: a character that is cut, or Escape before a sequence. */
const undecided = (text: string): number => {
  const escapes = /\x1b\x1b+(?:[[O][\x20-\x3f]*)?$/.exec(text)
  if (escapes !== null) return escapes[0].length
  for (let length = 1; length <= Math.min(3, text.length); length++) {
    const byte = text.charCodeAt(text.length - length)
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return length < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? length : 0
  }
  return 0
}

/** One key of those that come together as text: a sequence, a character with Alt, or a run of characters. */
const single = /\x1b+(?:\[[\d;:]*[A-Za-z~]|O[\x20-\x7e]|[\xc0-\xff][\x80-\xbf]{0,3}|[^\x1b])|[^\x1b]+/g

const pasted = (bytes: string): Key => ({ key: "paste", text: stripControls(latin1ToText(bytes).replace(/\r\n?/g, "\n")) })

/**
 * Takes the next bytes (latin1) and gives the keys that they complete, in order. Where the bytes are cut does not matter:
 * what could go on is held, and `settle` decides it when nothing more comes.
 */
export const decode = (state: KeyState, chunk: string): Decoded => {
  const text = state.pending + chunk
  const cut = text.length - undecided(text)
  const before = { ...InputBytes.start, paste: state.paste !== null, reply: state.reply }
  const { parts, state: scan } = InputBytes.classify(before, text.slice(0, cut), 0)
  const keys: Array<Key> = []
  const add = (key: Key | null): void => void (key !== null && keys.push(key))
  let paste = state.paste
  const inPaste = (data: string): void => {
    let rest = data
    while (rest !== "") {
      if (paste === null) {
        rest = rest.slice(pasteStart.length)
        paste = ""
      }
      const end = rest.indexOf(pasteEnd)
      paste = (paste + (end < 0 ? rest : rest.slice(0, end))).slice(0, pasteLimit)
      if (end < 0) return
      add(pasted(paste))
      paste = null
      rest = rest.slice(end + pasteEnd.length)
    }
  }
  // The last part is given out early where it could be a key by itself; here it waits.
  for (const part of scan.given > 0 ? parts.slice(0, -1) : parts) {
    if (part._tag !== "Keys") continue
    if (part.kind === "paste") inPaste(part.data)
    else if (part.kind !== "text") add(plain(part.data) ?? sequence(part.data))
    else for (const [data] of part.data.matchAll(single)) add(data.startsWith("\x1b") ? plain(data) ?? sequence(data) : typed(latin1ToText(data)))
  }
  return { state: { pending: scan.pending + text.slice(cut), paste, reply: scan.reply }, keys }
}

/** How long (milliseconds) to wait for the rest of what is pending; null when nothing is. */
export const patience = (state: KeyState): number | null =>
  state.paste === null && state.pending === "" && !state.reply
    ? null
    : state.paste === null && /^\x1b+$/.test(state.pending)
    ? InputBytes.escapeMs
    : InputBytes.sequenceMs

/** Decides what is pending when nothing more came: Escape is Escape, a paste whose end is missing ends, the rest is noise. */
export const settle = (state: KeyState): Decoded => ({
  state: start,
  keys: state.paste !== null
    ? [pasted(state.paste)]
    : /^\x1b+$/.test(state.pending)
    ? [...state.pending].map(() => ({ key: "escape" }))
    : []
})
