import { latinOf } from "../../terminal/sequences/keyLayouts.ts"
import * as KeyReport from "../../terminal/sequences/KeyReport.ts"
import { latin1ToText } from "../../words/text/Bytes.ts"
import * as Keys from "./Keys.ts"

/**
 * Keys of an editor by what is on them: `a` to `z` with `ctrl` or `alt`, `enter`, `left` and so on, modifiers before
 * them in the order ctrl, alt, shift: `ctrl+a`, `alt+shift+up`.
 */
export type Chord =
  | { readonly chord: string }
  /** Typed text has no control characters; a paste has only line breaks and tabs, and comes as one. */
  | { readonly chord: "text" | "paste"; readonly text: string }

export const chord = (name: string): Chord => ({ chord: name })

/**
 * A key where letters are commands: by its letter, that of a US keyboard on a layout without Latin ones, else by its
 * name; what is pasted is no key.
 */
export const commandOf = (key: { readonly chord: string; readonly text?: string }): string =>
  key.chord === "text" && key.text !== undefined ? latinOf(key.text) : key.chord

const controls: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "ctrl+j",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x1b": "escape",
  "\x00": "ctrl+space"
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

/** A name with its modifiers (bits: shift, alt, ctrl, super, hyper, meta); null for others than the first three. */
const modified = (name: string, bits: number): string | null =>
  (bits & 0x38) !== 0
    ? null
    : `${(bits & 4) !== 0 ? "ctrl+" : ""}${(bits & 2) !== 0 ? "alt+" : ""}${(bits & 1) !== 0 ? "shift+" : ""}${name}`

/** Text without what a terminal would obey; the result for a character does not depend on its neighbours. */
const typed = (text: string): Chord | null => {
  const kept = text.replace(/[\p{Cc}\p{Cs}\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufffd]/gu, "")
  return kept === "" ? null : { chord: "text", text: kept }
}

const named = (name: string | null): Chord | null => (name === null ? null : chord(name))

const control = (data: string): string | null => {
  const known = controls[data]
  if (known !== undefined) return known
  const code = data.charCodeAt(0)
  return data.length === 1 && code >= 1 && code <= 26
    ? `ctrl+${String.fromCharCode(code + 0x60)}`
    : data === "\x1f"
      ? "ctrl+_"
      : null
}

const plain = (data: string): Chord | null => {
  if (!data.startsWith("\x1b") || data === "\x1b") return named(control(data))
  const rest = latinOf(latin1ToText(data.replace(/^\x1b+/, "")))
  if (rest.length !== 1) return null
  const name = control(rest)
  return /^[!-~]$/.test(rest) ? chord(`alt+${rest.toLowerCase()}`) : name === null ? null : chord(`alt+${name}`)
}

/** A key that is reported by its code point. */
const encoded = (report: Extract<KeyReport.KeyReport, { readonly _tag: "Coded" }>): Chord | null => {
  const { code, modifiers } = report
  const name = coded[code]
  if (name !== undefined) return named(modified(name, modifiers))
  if (code < 0x20 || (code >= 0xe000 && code <= 0xf8ff)) return null
  // Shift alone makes another character, which is what was typed
  if ((modifiers & 0x3e) === 0) {
    const text = KeyReport.typedCode(report)
    return text === null ? null : typed(String.fromCodePoint(text))
  }
  const char = String.fromCodePoint(KeyReport.shortcutCode(report))
  return named(modified(char.toLowerCase(), modifiers & ~1))
}

const sequence = (data: string): Chord | null =>
  KeyReport.readKey(data, {
    coded: encoded,
    typed,
    named: (report) => {
      if (report._tag === "Lettered" && report.final === "Z") return chord("shift+tab")
      const name = report._tag === "Numbered" ? numbered[report.number] : finals[report.final]
      return name === undefined ? null : named(modified(name, report.modifiers))
    }
  })

export const table: Keys.KeyTable<Chord> = {
  plain,
  sequence,
  typed,
  pasted: (text) => ({ chord: "paste", text }),
  escape: chord("escape"),
  // more than any message may have, in UTF-8
  pasteLimit: 4_000_000
}

/** The chords of a stream of bytes (latin1), as {@link Keys.decode} gives keys. */
export const decode = Keys.decodeWith(table)
/** Decides what is pending after nothing more came. */
export const flushHeld = Keys.flushHeldWith(table)
