import { latinOf, latinsOf } from "./keyLayouts.ts"

/** A key in a control sequence: kitty's CSI u, xterm's modifyOtherKeys, cursor and function keys. */
export type KeyReport = ReportedKey & {
  /** Bits: see below. An Escape before the sequence is Alt. */
  readonly modifiers: number
  readonly event: "press" | "repeat" | "release"
}
type ReportedKey =
  | {
      readonly _tag: "Coded"
      /** Code points: of the key without Shift, of the key with it, of the key in its place on a US keyboard. */
      readonly code: number
      readonly shifted: number | null
      readonly base: number | null
      /** The first character of the text that it types, if the terminal reports it. */
      readonly text: number | null
    }
  | { readonly _tag: "Numbered"; readonly number: string }
  | { readonly _tag: "Lettered"; readonly final: string }
  | { readonly _tag: "Keypad"; readonly final: string }

export const [shift, alt, ctrl] = [1, 2, 4] as const
/** Super, Hyper, Meta. */
export const command = 8 | 16 | 32
/** All modifiers except lock keys. */
const held = shift | alt | ctrl | command

const isPrivate = (code: number): boolean => code >= 0xe000 && code <= 0xf8ff

const codePoint = (field: string | undefined): number | null =>
  field !== undefined && /^\d{1,7}$/.test(field) && Number(field) <= 0x10ffff ? Number(field) : null

/** The key of a control sequence without private marker; null if the parameters belong to no key. */
export const keyOfSequence = (params: string, final: string): KeyReport | null => {
  const fields = params.split(";").map((field) => field.split(":"))
  const [bits = "", kind = ""] = fields[1] ?? []
  const how = {
    modifiers: Math.max(1, Number(bits || "1")) - 1,
    event: kind === "3" ? "release" : kind === "2" ? "repeat" : "press"
  } as const
  if (final === "u") {
    const [code, shifted, base] = fields[0] ?? []
    const point = codePoint(code)
    if (point === null) return null
    const [text] = fields[2] ?? []
    return {
      _tag: "Coded",
      code: point,
      shifted: codePoint(shifted),
      base: codePoint(base),
      text: codePoint(text) || null,
      ...how
    }
  }
  if (final === "~") {
    const [number = ""] = fields[0] ?? []
    if (number !== "27" || fields.length !== 3) return { _tag: "Numbered", number, ...how }
    const code = codePoint(fields[2]?.[0])
    return code === null ? null : { _tag: "Coded", code, shifted: null, base: null, text: null, ...how }
  }
  return { _tag: "Lettered", final, ...how }
}

const shape = /^(\x1b+)([O[])([\d;:]*)([A-Za-z~])$/

/** The key of one complete sequence, including Escapes before it; null if it is not a key. */
export const keyReport = (data: string): KeyReport | null => {
  // Most typed input is this short.
  if (data.length < 3) return null
  const [, escapes = "", introducer, params = "", final = ""] = shape.exec(data) ?? []
  if (final === "") return null
  if (introducer === "O" && params === "" && final >= "j" && final <= "y")
    return { _tag: "Keypad", final, modifiers: escapes.length > 1 ? alt : 0, event: "press" }
  const key = keyOfSequence(params, final)
  return key === null || escapes.length < 2 ? key : { ...key, modifiers: key.modifiers | alt }
}

type Coded = Extract<KeyReport, { readonly _tag: "Coded" }>

/**
 * The code point that a shortcut with this key means: the key's own on a Latin layout; otherwise that of its place on
 * the keyboard, as the terminal reports it, or as the usual layouts have it.
 */
export const shortcutCode = ({ base, code }: Coded): number => {
  if (code < 0x80 || isPrivate(code)) return code
  return base ?? latinOf(String.fromCodePoint(code)).codePointAt(0) ?? code
}

export const typedCode = ({ code, modifiers, shifted, text }: Coded): number | null => {
  if (text !== null) return isPrivate(text) ? null : text
  if (isPrivate(code)) return null
  if ((modifiers & shift) === 0) return code
  const upper = String.fromCodePoint(code).toUpperCase()
  return shifted ?? (upper.length > 1 ? code : (upper.codePointAt(0) ?? code))
}

/** The character of the application keypad: * + , - . / and digits. */
export const keypadText = (final: string): string => String.fromCharCode(final.charCodeAt(0) - 0x40)

/** The control character of a key with this code point, pressed with Ctrl, and with Shift if the character needs it. */
const controlOf = (key: Coded, code: number): string | null => {
  const { modifiers } = key
  // On many keyboards `@`, `^` and `_` need Shift.
  if ((modifiers & held) === (ctrl | shift)) {
    const shifted = key.shifted ?? code
    return shifted >= 0x40 && shifted < 0x60 && (shifted < 0x41 || shifted > 0x5a)
      ? String.fromCharCode(shifted & 0x1f)
      : null
  }
  if ((modifiers & held) !== ctrl) return null
  return code >= 0x40 && code < 0x7f ? String.fromCharCode(code & 0x1f) : null
}

/** As {@link shortcutCode}, for each key on which usual layouts have a character whose place is not reported. */
const shortcutCodes = (key: Coded): ReadonlyArray<number> =>
  key.code < 0x80 || isPrivate(key.code) || key.base !== null
    ? [shortcutCode(key)]
    : latinsOf(String.fromCodePoint(key.code)).map((char) => char.codePointAt(0) ?? key.code)

/**
 * Whether this is a press of the control character. A letter whose place is not reported counts on each key on which
 * usual layouts have it.
 */
export const isControl = (data: string, control: string): boolean => {
  const key = keyReport(data)
  return (
    key?._tag === "Coded" &&
    key.event === "press" &&
    shortcutCodes(key).some((code) => controlOf(key, code) === control)
  )
}
