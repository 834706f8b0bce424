import * as Pen from "./Pen.ts"
import * as VtScanner from "./VtScanner.ts"

export interface Region {
  readonly top: number
  readonly bottom: number
}

export interface ScreenModes {
  /** Scroll region (DECSTBM), 1-based rows as asked; null for the whole screen. */
  readonly region: Region | null
  /** Kitty keyboard flags: the base, then what was pushed. The last one is in force. */
  readonly kitty: ReadonlyArray<number>
  /** The pen saved with the cursor (DECSC). */
  readonly savedPen: Pen.Pen
}

/** A program's changes to its terminal, apart from what is drawn. Strings are latin1. */
export interface TerminalModes {
  readonly vt: VtScanner.VtState
  /** DEC private modes that differ from their initial state, in the order of their changes. */
  readonly dec: ReadonlyArray<number>
  readonly ansi: ReadonlyArray<number>
  /** DEC private modes that some terminals leave on where others turn them off. */
  readonly doubtful: ReadonlyArray<number>
  /** Saved modes (XTSAVE), and whether each was on then. */
  readonly aside: ReadonlyMap<number, boolean>
  /** The mode that switched to the alternate screen; null on the main one. */
  readonly alternate: 47 | 1047 | 1049 | null
  readonly main: ScreenModes
  readonly alt: ScreenModes
  readonly applicationKeypad: boolean
  /** DECSCUSR; 0 is the terminal's own. */
  readonly cursorStyle: number
  /** Values of XTMODKEYS by resource (4: modifyOtherKeys). */
  readonly keyOptions: ReadonlyMap<number, number>
  readonly pen: Pen.Pen
  /** Designated character sets G0 to G3 ("B" is ASCII) and the one shifted in. */
  readonly charsets: readonly [string, string, string, string]
  readonly shift: number
  readonly title: string
  readonly icon: string
  readonly titled: boolean
  /** Titles pushed (XTWINOPS 22), and how many more were popped than pushed. */
  readonly titles: ReadonlyArray<{ readonly title: string; readonly icon: string }>
  readonly overPopped: number
  /** Colours set, by "code" or "4;index". */
  readonly colors: ReadonlyMap<string, string>
  /** Parameters and address of the open hyperlink (OSC 8). */
  readonly link: string
  /** OSC 9;4. */
  readonly progress: string
  /** Mouse pointer shape (OSC 22), "" for the terminal's own. */
  readonly pointer: string
  /** Program-status reports were shown and must be cleared. */
  readonly reported: boolean
}

export type Draft = { -readonly [K in keyof TerminalModes]: TerminalModes[K] }

const screen: ScreenModes = { region: null, kitty: [0], savedPen: Pen.plain }

export const start: TerminalModes = {
  vt: VtScanner.start,
  dec: [],
  ansi: [],
  doubtful: [],
  aside: new Map(),
  alternate: null,
  main: screen,
  alt: screen,
  applicationKeypad: false,
  cursorStyle: 0,
  keyOptions: new Map(),
  pen: Pen.plain,
  charsets: ["B", "B", "B", "B"],
  shift: 0,
  title: "",
  icon: "",
  titled: false,
  titles: [],
  overPopped: 0,
  colors: new Map(),
  link: "",
  progress: "",
  pointer: "",
  reported: false
}

/** DEC private modes that are on in a fresh terminal: autowrap, autorepeat, visible cursor. */
export const onAtFirst: ReadonlySet<number> = new Set([7, 8, 25])
export const active = (modes: TerminalModes): "main" | "alt" => (modes.alternate === null ? "main" : "alt")

export const changedDec = (modes: TerminalModes, mode: number): boolean => modes.dec.includes(mode)

/** Whether a DEC private mode is on, judging by the program's output. */
export const isOn = (modes: TerminalModes, mode: number): boolean => {
  switch (mode) {
    case 47:
    case 1047:
    case 1049:
      return modes.alternate !== null
    case 66:
      return modes.applicationKeypad
    default:
      return changedDec(modes, mode) !== onAtFirst.has(mode)
  }
}

export const kittyFlags = (modes: TerminalModes): number => modes[active(modes)].kitty.at(-1)!
