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

const shape = /^(\x1b+)(?:O|\[)([\d;:]*)([A-Za-z~])$/

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
  const rest = data.replace(/^\x1b+/, "")
  if (rest.length !== 1) return null
  const name = control(rest)
  return /^[!-~]$/.test(rest) ? chord(`alt+${rest.toLowerCase()}`) : name === null ? null : chord(`alt+${name}`)
}

/** A character encoded as code point and modifiers (kitty, modifyOtherKeys). */
const encoded = (code: number, bits: number): Chord | null => {
  const name = coded[code]
  if (name !== undefined) return named(modified(name, bits))
  if (!(code >= 0x20 && code <= 0x10ffff) || (code >= 0xe000 && code <= 0xf8ff)) return null
  const char = String.fromCodePoint(code)
  // Shift alone makes another character, which is what was typed
  if ((bits & 0x3e) === 0) return typed((bits & 1) !== 0 ? char.toUpperCase() : char)
  return named(modified(char.toLowerCase(), bits & ~1))
}

const sequence = (data: string): Chord | null => {
  const [, escapes = "", params = "", final = ""] = shape.exec(data) ?? []
  const fields = params.split(";").map((field) => field.split(":")[0] ?? "")
  // an Escape before a sequence is Alt
  const bits = (Math.max(1, Number(fields[1] || "1")) - 1) | (escapes.length > 1 ? 2 : 0)
  if (final === "u") return encoded(Number(fields[0] || "NaN"), bits)
  if (final === "Z") return chord("shift+tab")
  if (final === "~") {
    if (fields[0] === "27" && fields.length === 3) return encoded(Number(fields[2] || "NaN"), bits)
    const name = numbered[fields[0] ?? ""]
    return name === undefined ? null : named(modified(name, bits))
  }
  // the application keypad: * + , - . / and digits
  if (data.startsWith("\x1bO") && final >= "j" && final <= "y")
    return typed(String.fromCharCode(final.charCodeAt(0) - 0x40))
  const name = finals[final]
  return name === undefined ? null : named(modified(name, bits))
}

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
export const settle = Keys.settleWith(table)
