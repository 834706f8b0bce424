import type { KeyKind } from "../../words/session/SessionEvent.ts"
import { alt, command, ctrl, keyOfSequence, shift, shortcutCode } from "./KeyReport.ts"

/** What one encoded key means to a CLI; null if no key was pressed (a release, a modifier, a lock). */
export type Key = KeyKind | null

const edits = new Set([0x08, 0x09, 0x0a, 0x0b, 0x15, 0x17, 0x19, 0x1f, 0x7f])
const moves = new Set([0x01, 0x02, 0x05, 0x06, 0x0e, 0x10])

/** The kind of key that a C0 control or DEL encodes. LF is Ctrl+J: it inserts a line break, unlike Enter. */
export const controlKind = (code: number): KeyKind => {
  switch (code) {
    case 0x03:
      return "ctrl-c"
    case 0x04:
      return "ctrl-d"
    case 0x0d:
      return "enter"
    case 0x1b:
      return "escape"
    default:
      return edits.has(code) ? "edit" : moves.has(code) ? "navigate" : "other"
  }
}

/** The kind of a key with Alt (Meta), as readline and the CLIs treat it. */
export const altKind = (code: number): KeyKind => {
  switch (code) {
    case 0x08:
    case 0x7f:
    case 0x0d:
    case 0x0a:
    case 0x64: // d: delete the word ahead
      return "edit"
    case 0x62: // b
    case 0x66: // f
    case 0x3c: // <
    case 0x3e: // >
      return "navigate"
    default:
      return code < 0x20 ? "other" : "text"
  }
}

/** A key by Unicode code point and modifier bits, as the kitty protocol and modifyOtherKeys encode it. */
const codeKind = (code: number, modifiers: number): Key => {
  if (code >= 57344 && code <= 63743) return functionalKind(code, modifiers)
  if (code === 27) return "escape"
  if ((modifiers & ctrl) !== 0 && code >= 0x40 && code < 0x7f) return controlKind(code & 0x1f)
  if (code === 13 || code === 10)
    return (modifiers & (shift | alt | ctrl | command)) === 0 && code === 13 ? "enter" : "edit"
  if (code < 0x20 || code === 0x7f) {
    return code === 9 && (modifiers & shift) !== 0
      ? "other"
      : (modifiers & alt) !== 0
        ? altKind(code)
        : controlKind(code)
  }
  if ((modifiers & (ctrl | command)) !== 0) return "other"
  return (modifiers & alt) !== 0 ? altKind(code) : "text"
}

/** Keys that the kitty protocol numbers in Unicode's private use area. */
const functionalKind = (code: number, modifiers: number): Key => {
  if (code >= 57441 && code <= 57454) return null // modifiers by themselves
  if (code >= 57358 && code <= 57360) return null // lock keys
  if (code >= 57376 && code <= 57398) return "navigate" // F13 to F35
  if (code === 57414) return codeKind(13, modifiers)
  if (code >= 57399 && code <= 57416) return (modifiers & (ctrl | command)) === 0 ? "text" : "other"
  if (code >= 57417 && code <= 57424) return "navigate"
  if (code === 57426) return "edit"
  return "other"
}

/** The final letters of cursor keys, and of F1 to F4. */
const navigates = /^[A-FHP-S]$/

/** The key of a control sequence without private marker: kitty (`u`), modifyOtherKeys (`27;m;c~`), xterm, VT220. */
export const csiKey = (params: string, final: string): Key => {
  const key = keyOfSequence(params, final)
  if (key === null) return "other"
  if (key.event === "release") return null
  const { modifiers } = key
  switch (key._tag) {
    case "Coded":
      return codeKind((modifiers & (alt | ctrl | command)) === 0 ? key.code : shortcutCode(key), modifiers)
    case "Numbered": {
      const number = Number(key.number)
      if (number === 3) return "edit"
      return number === 1 || (number >= 4 && number <= 34) ? "navigate" : "other"
    }
    default:
      return navigates.test(key.final) ? "navigate" : "other"
  }
}

/** The key of an SS3 sequence: cursor and function keys, and the application keypad. */
export const ss3Key = (final: string): KeyKind =>
  final === "M" ? "enter" : navigates.test(final) ? "navigate" : /[j-yIX ]/.test(final) ? "text" : "other"
