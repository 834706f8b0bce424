import { stripControls } from "../../engine/queue/MessageText.ts"
import type { InputPart } from "../../terminal/sequences/InputBytes.ts"
import { latinOf } from "../../terminal/sequences/keyLayouts.ts"
import * as KeyReport from "../../terminal/sequences/KeyReport.ts"
import { cutCharacter, latin1ToText } from "../../words/text/Bytes.ts"

/** Keys of what lies over the screen, by what they do there. */
export type OverlayKeyName =
  | "enter"
  | "newline"
  | "escape"
  | "cancel"
  | "tab"
  | "backspace"
  | "delete"
  | "delete-word"
  | "clear"
  | "left"
  | "right"
  | "word-left"
  | "word-right"
  | "up"
  | "down"
  | "home"
  | "end"
  | "page-up"
  | "page-down"
  | "picture"

/** One action of the user's. `text`: characters without control characters; `paste` has only line breaks and tabs. */
export type OverlayKey = { readonly key: OverlayKeyName } | { readonly key: "text" | "paste"; readonly text: string }

export interface OverlayKeyState {
  /** The paste under way. */
  readonly paste: string | null
  /** The beginning of a character that was cut. */
  readonly partial: string
}

export interface DecodedKeys {
  readonly state: OverlayKeyState
  readonly keys: ReadonlyArray<OverlayKey>
}

export const start: OverlayKeyState = { paste: null, partial: "" }

const named: Readonly<Record<string, OverlayKeyName>> = {
  "\r": "enter",
  "\n": "newline",
  "\x1b\r": "newline",
  "\x1b\n": "newline",
  "\x1bOM": "enter",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x17": "delete-word",
  "\x1b\x7f": "delete-word",
  "\x1b\b": "delete-word",
  "\x15": "clear",
  "\x04": "delete",
  "\x01": "home",
  "\x05": "end",
  "\x02": "left",
  "\x06": "right",
  "\x1bb": "word-left",
  "\x1bf": "word-right",
  "\x10": "up",
  "\x0e": "down",
  "\x16": "picture",
  "\x1b": "escape",
  "\x1b\x1b": "escape",
  "\x03": "cancel"
}
const finals: Readonly<Record<string, OverlayKeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end"
}
const numbered: Readonly<Record<string, OverlayKeyName>> = {
  1: "home",
  7: "home",
  4: "end",
  8: "end",
  3: "delete",
  5: "page-up",
  6: "page-down"
}
const { alt, command, ctrl, shift } = KeyReport

const key = (name: OverlayKeyName | undefined): OverlayKey | null => (name === undefined ? null : { key: name })
const typed = (text: string): OverlayKey | null => {
  const kept = text.replace(/[\p{Cc}\p{Cs}\ufffd]/gu, "")
  return kept === "" ? null : { key: "text", text: kept }
}

/** Alt with a character, on any layout. */
const withAlt = (char: string): OverlayKey | null => key(named[`\x1b${latinOf(char)}`])

/** A key that is reported by its code point. */
const encoded = (report: Extract<KeyReport.KeyReport, { readonly _tag: "Coded" }>): OverlayKey | null => {
  const { code, modifiers } = report
  if (code === 13 || code === 57414) return key((modifiers & (shift | alt | ctrl)) === 0 ? "enter" : "newline")
  if (code === 127 || code === 8) return key((modifiers & (alt | ctrl)) === 0 ? "backspace" : "delete-word")
  if (code < 32) return key(named[String.fromCharCode(code)])
  const shortcut = KeyReport.shortcutCode(report)
  if ((modifiers & ctrl) !== 0 && shortcut >= 0x40 && shortcut < 0x7f)
    return key(named[String.fromCharCode(shortcut & 0x1f)])
  if ((modifiers & alt) !== 0) return withAlt(String.fromCodePoint(shortcut))
  const text = KeyReport.typedCode(report)
  if ((modifiers & (ctrl | command)) !== 0 || text === null) return null
  return typed(String.fromCodePoint(text))
}

/** The key of one sequence, or of a character with Alt; null for one without a meaning here. */
const sequence = (data: string): OverlayKey | null => {
  const report = KeyReport.keyReport(data)
  if (report === null) {
    const char = latin1ToText(data.replace(/^\x1b+/, ""))
    return data.startsWith("\x1b") && [...char].length === 1 ? withAlt(char) : null
  }
  switch (report._tag) {
    case "Coded":
      return encoded(report)
    case "Numbered":
      return key(numbered[report.number])
    case "Keypad":
      return typed(KeyReport.keypadText(report.final))
    case "Lettered": {
      const name = finals[report.final]
      const isWord = (report.modifiers & (alt | ctrl)) !== 0
      return key(isWord && name === "left" ? "word-left" : isWord && name === "right" ? "word-right" : name)
    }
  }
}

/** One key in a token: a sequence, a character with Alt, or a run of characters. */
const single = /\x1b+(?:\[[\d;:]*[A-Za-z~]|O[\x20-\x7e]|[\xc0-\xff][\x80-\xbf]{0,3}|[^\x1b])|\x1b+|[^\x1b]+/g
const [pasteStart, pasteEnd] = ["\x1b[200~", "\x1b[201~"]

const pasted = (bytes: string): OverlayKey => ({
  key: "paste",
  text: stripControls(latin1ToText(bytes).replace(/\r\n?/g, "\n"))
})

/** The keys that a whole token completes. */
export const decode = (state: OverlayKeyState, token: InputPart): DecodedKeys => {
  if (token._tag !== "Keys") return { state, keys: [] }
  const keys: Array<OverlayKey> = []
  const add = (found: OverlayKey | null): void => void (found !== null && keys.push(found))
  if (token.kind === "paste") {
    let { paste } = state
    let rest = token.data
    while (rest !== "") {
      if (paste === null) {
        rest = rest.startsWith(pasteStart) ? rest.slice(pasteStart.length) : rest
        paste = ""
      }
      const end = rest.indexOf(pasteEnd)
      paste += end < 0 ? rest : rest.slice(0, end)
      if (end < 0) break
      add(pasted(paste))
      paste = null
      rest = rest.slice(end + pasteEnd.length)
    }
    return { state: { paste, partial: "" }, keys }
  }
  if (token.kind !== "text") {
    add(key(named[token.data]) ?? sequence(token.data))
    return { state: start, keys }
  }
  const text = state.partial + token.data
  const cut = text.length - cutCharacter(text)
  for (const [data] of text.slice(0, cut).matchAll(single))
    add(data.startsWith("\x1b") ? (key(named[data]) ?? sequence(data)) : typed(latin1ToText(data)))
  return { state: { paste: null, partial: text.slice(cut) }, keys }
}
