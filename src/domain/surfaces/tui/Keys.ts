import { stripControls } from "../../engine/queue/MessageText.ts"
import * as InputBytes from "../../terminal/sequences/InputBytes.ts"
import * as InputTokens from "../../terminal/sequences/InputTokens.ts"
import { latinOf } from "../../terminal/sequences/keyLayouts.ts"
import * as KeyReport from "../../terminal/sequences/KeyReport.ts"
import { cutCharacter, latin1ToText } from "../../words/text/Bytes.ts"

/** One action. Keys are named by their labels, modifiers in the order ctrl, alt, shift: `alt+shift+up`. */
export type Key =
  | { readonly key: string }
  /** Typed text has no control characters, a paste none but line breaks and tabs. A paste comes as one key. */
  | { readonly key: "text" | "paste"; readonly text: string }
  /** A mouse action at a position of the screen, counted from 0, from terminals with `pointerOn`. */
  | { readonly key: "click" | "wheel-up" | "wheel-down"; readonly x: number; readonly y: number }

export const pointerOn = "\x1b[?1000h\x1b[?1006h"
export const pointerOff = "\x1b[?1006l\x1b[?1000l"

/** A key as a command: its letter (the US one on non-Latin layouts), else its name. A paste is not a command. */
export const commandOf = (key: Key): string => (key.key === "text" && "text" in key ? latinOf(key.text) : key.key)

/** A key's name without modifiers, if it has a name: Shift+Enter is Enter in a text of one line. */
export const bareOf = ({ key }: Key): string => key.replace(/^(?:(?:ctrl|alt|shift)\+)+(?=[^+]{2,}$)/, "")

const controls: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "ctrl+j",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x1b": "escape",
  "\x00": "ctrl+space",
  "\x1f": "ctrl+_"
}
const finals: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  M: "enter",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4"
}
const numbered: Readonly<Record<string, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "page-up",
  6: "page-down",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4"
}
const coded: Readonly<Record<number, string>> = {
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
  8: "backspace",
  57414: "enter"
}
const { alt, command, ctrl, shift } = KeyReport

const prefixes = [
  [ctrl, "ctrl+"],
  [alt, "alt+"],
  [shift, "shift+"]
] as const

/** A name with its modifiers; null without a name, and for modifiers of the desktop. */
const modified = (name: string | undefined, bits: number): Key | null =>
  name === undefined || (bits & command) !== 0
    ? null
    : { key: prefixes.map(([bit, prefix]) => ((bits & bit) === 0 ? "" : prefix)).join("") + name }

/** Text without characters that a terminal would execute. The result for a character depends on it alone. */
const typed = (text: string): Key | null => {
  const kept = text.replace(/[\p{Cc}\p{Cs}\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufffd]/gu, "")
  return kept === "" ? null : { key: "text", text: kept }
}

const control = (char: string): string | undefined => {
  const code = char.charCodeAt(0)
  return controls[char] ?? (code >= 1 && code <= 26 ? `ctrl+${String.fromCharCode(code + 0x60)}` : undefined)
}

const withAlt = (char: string): Key | null =>
  char.length !== 1 ? null : modified(/^[!-~]$/.test(char) ? char.toLowerCase() : control(char), alt)

const encoded = (report: Extract<KeyReport.KeyReport, { readonly _tag: "Coded" }>): Key | null => {
  const { code, modifiers } = report
  const name = coded[code]
  if (name !== undefined) return modified(name, modifiers)
  // Codes that kitty gives to keys without a character.
  if (code < 0x20 || (code >= 0xe000 && code <= 0xf8ff)) return null
  // Shift alone gives another character, which is the typed text.
  if ((modifiers & (alt | ctrl | command)) === 0) {
    const text = KeyReport.typedCode(report)
    return text === null ? null : typed(String.fromCodePoint(text))
  }
  return modified(String.fromCodePoint(KeyReport.shortcutCode(report)).toLowerCase(), modifiers & ~shift)
}

/** One control character, character with Alt, or control sequence; null if it is not a key. */
const pressed = (data: string): Key | null => {
  if (!data.startsWith("\x1b") || /^\x1b+$/.test(data)) return modified(control(data.charAt(0)), 0)
  const report = KeyReport.keyReport(data)
  switch (report?._tag) {
    case undefined:
      return withAlt(latinOf(latin1ToText(data.replace(/^\x1b+/, ""))))
    case "Coded":
      return encoded(report)
    case "Keypad":
      return typed(KeyReport.keypadText(report.final))
    case "Numbered":
      return modified(numbered[report.number], report.modifiers)
    case "Lettered":
      return report.final === "Z" ? { key: "shift+tab" } : modified(finals[report.final], report.modifiers)
  }
}

const mouseShape = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/
const mouseKeys: Readonly<Record<number, "click" | "wheel-up" | "wheel-down">> = {
  0: "click",
  64: "wheel-up",
  65: "wheel-down"
}
/** Shift, Alt and Ctrl held during the action. */
const mouseModifiers = 4 | 8 | 16

/** A report in the SGR form; null for releases, drags and other buttons. */
const pointed = (data: string): Key | null => {
  const [, button = "", column = "", row = "", end = ""] = mouseShape.exec(data) ?? []
  const key = mouseKeys[Number(button) & ~mouseModifiers]
  const [x, y] = [Number(column) - 1, Number(row) - 1]
  return end !== "M" || key === undefined || x < 0 || y < 0 ? null : { key, x, y }
}

const pasteStart = "\x1b[200~"
const pasteEnd = "\x1b[201~"
/** The most bytes of a paste that are kept: more than any message may have, in UTF-8. */
const pasteLimit = 4_000_000

const pasted = (bytes: string): Key => ({
  key: "paste",
  text: stripControls(latin1ToText(bytes).replace(/\r\n?/g, "\n"))
})

/** One key in a part: a sequence, a character with Alt, or a run of characters. */
const single = /\x1b+(?:\[[\d;:]*[A-Za-z~]|O[\x20-\x7e]|[\xc0-\xff][\x80-\xbf]{0,3}|[^\x1b])|\x1b+|[^\x1b]+/g

/** The state between chunks of the input (latin1): the paste so far, and the start of a character that was cut. */
export interface PartState {
  readonly paste: string | null
  readonly partial: string
}

export const keysIn = (
  state: PartState,
  part: InputBytes.InputPart
): { readonly state: PartState; readonly keys: ReadonlyArray<Key> } => {
  const keys: Array<Key> = []
  const add = (key: Key | null): void => void (key !== null && keys.push(key))
  if (part._tag === "Mouse") add(pointed(part.data))
  if (part._tag !== "Keys") return { state, keys }
  if (part.kind === "paste") {
    let { paste } = state
    let rest = part.data
    while (rest !== "") {
      if (paste === null) {
        // Another reader may have received the start sequence.
        if (rest.startsWith(pasteStart)) rest = rest.slice(pasteStart.length)
        paste = ""
      }
      const end = rest.indexOf(pasteEnd)
      paste = (paste + (end < 0 ? rest : rest.slice(0, end))).slice(0, pasteLimit)
      if (end < 0) break
      add(pasted(paste))
      paste = null
      rest = rest.slice(end + pasteEnd.length)
    }
    return { state: { paste, partial: "" }, keys }
  }
  if (part.kind !== "text") {
    add(pressed(part.data))
    return { state: { paste: null, partial: "" }, keys }
  }
  const text = state.partial + part.data
  const whole = text.slice(0, text.length - cutCharacter(text))
  // The Escape before a cut character belongs to it: it is Alt.
  const cut = whole.length < text.length ? whole.replace(/\x1b+$/, "").length : text.length
  for (const [data] of text.slice(0, cut).matchAll(single))
    add(data.startsWith("\x1b") ? pressed(data) : typed(latin1ToText(data)))
  return { state: { paste: null, partial: text.slice(cut) }, keys }
}

export interface KeyState extends PartState {
  readonly tokens: InputTokens.TokenState
}

export interface Decoded {
  readonly state: KeyState
  readonly keys: ReadonlyArray<Key>
}

export const start: KeyState = { paste: null, partial: "", tokens: InputTokens.start }

/** The keys that the bytes (latin1) complete. An incomplete end is held (see `flushHeld`). */
export const decode = (before: KeyState, chunk: string): Decoded => {
  const { state, tokens } = InputTokens.take(before.tokens, chunk, 0)
  const keys: Array<Key> = []
  let between: PartState = before
  for (const token of tokens) {
    const found = keysIn(between, token)
    between = found.state
    keys.push(...found.keys)
  }
  return { state: { ...between, tokens: state }, keys }
}

const isEscape = /^\x1b+$/

/** Milliseconds to wait for the rest of a pending key; null if none is pending. */
export const timeout = ({ partial, paste, tokens: { held, scan } }: KeyState): number | null =>
  paste === null && isEscape.test(held)
    ? InputBytes.escapeMs
    : paste !== null || scan.reply || held + scan.pending.slice(scan.given) + partial !== ""
      ? InputBytes.sequenceMs
      : null

/** Resolves the pending input when nothing more came: Escape is Escape, an open paste ends, the rest is dropped. */
export const flushHeld = ({ paste, tokens: { held } }: KeyState): Decoded => ({
  state: start,
  keys: paste !== null ? [pasted(paste)] : isEscape.test(held) ? Array.from(held, () => ({ key: "escape" })) : []
})
