import { cutCharacter, latin1ToText } from "../../words/text/Bytes.ts"
import * as InputBytes from "../../terminal/sequences/InputBytes.ts"
import * as KeyReport from "../../terminal/sequences/KeyReport.ts"
import { stripControls } from "../../engine/queue/MessageText.ts"

/** Keys of leap's lists and prompts, by what they do there. */
export type KeyName =
  | "enter"
  | "escape"
  | "tab"
  | "backspace"
  | "delete-word"
  | "clear"
  | "up"
  | "down"
  | "page-up"
  | "page-down"
  | "home"
  | "end"
  | "cancel"
  | "redraw"

/** One action of a user at the terminal. */
export type TuiKey =
  | { readonly key: KeyName }
  /** Typed text has no control characters; a paste has only line breaks and tabs, and comes as one. */
  | { readonly key: "text" | "paste"; readonly text: string }

/** The state between chunks of bytes (latin1). */
export interface KeyState {
  /** Bytes whose meaning depends on what follows. */
  readonly pending: string
  /** Inside a paste: its content so far. */
  readonly paste: string | null
  /** Inside an overlong reply of the terminal to a query. */
  readonly reply: boolean
}

/** The keys that some bytes complete. */
export interface Decoded<K = TuiKey> {
  readonly state: KeyState
  readonly keys: ReadonlyArray<K>
}

/** What bytes mean to a program: null for nothing. */
export interface KeyTable<K> {
  /** One control character, Escape, or a character with Alt. */
  readonly plain: (data: string) => K | null
  /** One control sequence. */
  readonly sequence: (data: string) => K | null
  readonly typed: (text: string) => K | null
  readonly pasted: (text: string) => K
  readonly escape: K
  /** One report of the mouse; without it there is none. */
  readonly mouse?: (data: string) => K | null
  /** How many bytes of a paste are kept. */
  readonly pasteLimit: number
}

export const start: KeyState = { pending: "", paste: null, reply: false }

const pasteStart = "\x1b[200~"
const pasteEnd = "\x1b[201~"

const named: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\x1bOM": "enter",
  "\t": "tab",
  "\x7f": "backspace",
  "\b": "backspace",
  "\x15": "clear",
  "\x17": "delete-word",
  "\x1b\x7f": "delete-word",
  "\x1b\b": "delete-word",
  "\x10": "up",
  "\x0b": "up",
  "\x0e": "down",
  // Ctrl+J moves down as in other pickers; line breaks of a paste without brackets therefore pick nothing
  "\n": "down",
  "\x03": "cancel",
  "\x04": "cancel",
  "\x1b": "escape",
  "\x0c": "redraw"
}
const finals: Readonly<Record<string, KeyName>> = { A: "up", B: "down", H: "home", F: "end", Z: "tab" }
const numbered: Readonly<Record<string, KeyName>> = {
  1: "home",
  7: "home",
  4: "end",
  8: "end",
  5: "page-up",
  6: "page-down"
}

/** Alt, Ctrl, Super, Hyper, Meta. */
const commanding = KeyReport.alt | KeyReport.ctrl | KeyReport.command

/** A key that is reported by its code point. */
const encoded = (report: Extract<KeyReport.KeyReport, { readonly _tag: "Coded" }>): TuiKey | null => {
  const { code, modifiers } = report
  // where kitty numbers keys without a character
  if (code >= 0xe000 && code <= 0xf8ff) return null
  const shortcut = KeyReport.shortcutCode(report)
  if ((modifiers & KeyReport.ctrl) !== 0 && shortcut >= 0x40 && shortcut < 0x7f)
    return plain(String.fromCharCode(shortcut & 0x1f))
  if (code < 0x20 || code === 0x7f) return plain(String.fromCharCode(code))
  const text = KeyReport.typedCode(report)
  return (modifiers & commanding) === 0 && text !== null ? typed(String.fromCodePoint(text)) : null
}

const plain = (data: string): TuiKey | null => {
  const key = named[data]
  return key === undefined ? null : { key }
}

/** Text without invisible characters; the result for a character does not depend on its neighbours. */
const typed = (text: string): TuiKey | null => {
  const kept = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\ufffd]/gu, "")
  return kept === "" ? null : { key: "text", text: kept }
}

/** The keys of lists and prompts. */
const tuiKeys: KeyTable<TuiKey> = {
  plain: (data) => plain(data),
  sequence: (data) => sequence(data),
  typed,
  pasted: (text) => ({ key: "paste", text }),
  escape: { key: "escape" },
  // searches are short
  pasteLimit: 65_536
}

/** The key of one control sequence; null for one without a meaning here. */
const sequence = (data: string): TuiKey | null =>
  KeyReport.readKey(data, {
    coded: encoded,
    typed,
    named: (report) => {
      const key = report._tag === "Numbered" ? numbered[report.number] : finals[report.final]
      return key === undefined ? null : { key }
    }
  })

/**
 * Bytes whose meaning depends on what follows: a cut character, or Escape before a sequence. The first of several
 * Escapes is not among them: it ends a sequence that is pending before it.
 */
const undecided = (text: string): number => {
  const escapes = /\x1b(\x1b+(?:[[O][\x20-\x3f]*)?)$/.exec(text)
  return escapes === null ? cutCharacter(text) : (escapes[1]?.length ?? 0)
}

/** One key in a chunk: a sequence, a character with Alt, or a run of characters. */
const single = /\x1b+(?:\[[\d;:]*[A-Za-z~]|O[\x20-\x7e]|[\xc0-\xff][\x80-\xbf]{0,3}|[^\x1b])|[^\x1b]+/g

const pastedText = (bytes: string): string => stripControls(latin1ToText(bytes).replace(/\r\n?/g, "\n"))

/**
 * Takes the next bytes (latin1) and returns the keys that they complete, in order. How the bytes are cut does not
 * matter: what could continue is held, and `flushHeldWith` decides it if nothing more comes.
 */
export const decodeWith =
  <K>(table: KeyTable<K>) =>
  (state: KeyState, chunk: string): Decoded<K> => {
    const text = state.pending + chunk
    const cut = text.length - undecided(text)
    const before = { ...InputBytes.start, paste: state.paste !== null, reply: state.reply }
    const { parts, state: scan } = InputBytes.classify(before, text.slice(0, cut), 0)
    const keys: Array<K> = []
    const add = (key: K | null): void => void (key !== null && keys.push(key))
    let paste = state.paste
    const inPaste = (data: string): void => {
      let rest = data
      while (rest !== "") {
        if (paste === null) {
          rest = rest.slice(pasteStart.length)
          paste = ""
        }
        const end = rest.indexOf(pasteEnd)
        paste = (paste + (end < 0 ? rest : rest.slice(0, end))).slice(0, table.pasteLimit)
        if (end < 0) return
        add(table.pasted(pastedText(paste)))
        paste = null
        rest = rest.slice(end + pasteEnd.length)
      }
    }
    // A last part that could be a key by itself is given out early there; here it waits.
    for (const part of scan.given > 0 ? parts.slice(0, -1) : parts) {
      if (part._tag === "Mouse") add(table.mouse?.(part.data) ?? null)
      if (part._tag !== "Keys") continue
      if (part.kind === "paste") inPaste(part.data)
      else if (part.kind !== "text") add(table.plain(part.data) ?? table.sequence(part.data))
      else
        for (const [data] of part.data.matchAll(single))
          add(data.startsWith("\x1b") ? (table.plain(data) ?? table.sequence(data)) : table.typed(latin1ToText(data)))
    }
    return { state: { pending: scan.pending + text.slice(cut), paste, reply: scan.reply }, keys }
  }

/** {@link decodeWith} for the keys of lists and prompts. */
export const decode = decodeWith(tuiKeys)

/** How long (milliseconds) to wait for the rest of what is pending; null if nothing is. */
export const patience = (state: KeyState): number | null =>
  state.paste === null && state.pending === "" && !state.reply
    ? null
    : state.paste === null && /^\x1b+$/.test(state.pending)
      ? InputBytes.escapeMs
      : InputBytes.sequenceMs

/**
 * Decides what is pending after nothing more came: Escape is Escape, a paste without its end ends, the rest is dropped.
 */
export const flushHeldWith =
  <K>(table: KeyTable<K>) =>
  (state: KeyState): Decoded<K> => ({
    state: start,
    keys:
      state.paste !== null
        ? [table.pasted(pastedText(state.paste))]
        : /^\x1b+$/.test(state.pending)
          ? [...state.pending].map(() => table.escape)
          : []
  })

/** {@link flushHeldWith} for the keys of lists and prompts. */
export const flushHeld = flushHeldWith(tuiKeys)
