import { latin1ToText } from "./Bytes.ts"
import * as Pen from "./Pen.ts"
import * as VtScanner from "./VtScanner.ts"

export interface Region {
  readonly top: number
  readonly bottom: number
}

/** What each of the two screens keeps for itself. */
export interface ScreenModes {
  /** Scroll region (DECSTBM), 1-based rows as asked; null for the whole screen. */
  readonly region: Region | null
  /** Kitty keyboard flags: the base, then what was pushed. The last one is in force. */
  readonly kitty: ReadonlyArray<number>
  /** The pen saved with the cursor (DECSC). */
  readonly savedPen: Pen.Pen
}

/** What a program's output has changed about its terminal, apart from what is drawn. Strings are latin1. */
export interface TerminalModes {
  readonly vt: VtScanner.VtState
  /** DEC private modes that are not as they were at first, in the order they were changed. */
  readonly dec: ReadonlyArray<number>
  /** ANSI modes that are on. */
  readonly ansi: ReadonlyArray<number>
  /** DEC private modes that some terminals would have left on where others turned them off. */
  readonly doubtful: ReadonlyArray<number>
  /** Modes put aside (XTSAVE), with whether they were changed then. */
  readonly aside: ReadonlyMap<number, boolean>
  /** The mode that switched to the alternate screen, or null on the main one. */
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
  /** Whether a title was ever set. */
  readonly titled: boolean
  /** Titles pushed (XTWINOPS 22) and how many more were popped than pushed. */
  readonly titles: ReadonlyArray<{ readonly title: string; readonly icon: string }>
  readonly overPopped: number
  /** Colours set, by "code" or "4;index". */
  readonly colors: ReadonlyMap<string, string>
  /** Parameters and address of the open hyperlink (OSC 8), "" when none is open. */
  readonly link: string
  /** OSC 9;4, "" when no progress is shown. */
  readonly progress: string
  /** Mouse pointer shape (OSC 22), "" for the terminal's own. */
  readonly pointer: string
  /** Program-status reports were shown that need clearing. */
  readonly reported: boolean
}

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
const onAtFirst: ReadonlySet<number> = new Set([7, 8, 25])
/** Setting one of a group takes the place of the others. */
const groups: ReadonlyArray<ReadonlySet<number>> = [new Set([9, 1000, 1002, 1003]), new Set([1005, 1006, 1015, 1016])]
const modeLimit = 64
const stackLimit = 16
const titleLimit = 10
const colorLimit = 280

type Draft = { -readonly [K in keyof TerminalModes]: TerminalModes[K] }

const active = (modes: TerminalModes): "main" | "alt" => modes.alternate === null ? "main" : "alt"

const own = (draft: Draft, change: Partial<ScreenModes>): void => {
  const key = active(draft)
  draft[key] = { ...draft[key], ...change }
}

const without = (list: ReadonlyArray<number>, value: number): ReadonlyArray<number> =>
  list.includes(value) ? list.filter((other) => other !== value) : list

const setDec = (draft: Draft, mode: number, on: boolean): void => {
  switch (mode) {
    case 47:
    case 1047:
    case 1049:
      if (on) {
        if (mode === 1049) own(draft, { savedPen: draft.pen })
        draft.alternate = mode
      } else {
        draft.alternate = null
        if (mode === 1049) draft.pen = draft.main.savedPen
      }
      return
    case 1048:
      if (on) own(draft, { savedPen: draft.pen })
      else draft.pen = draft[active(draft)].savedPen
      return
    case 66:
      draft.applicationKeypad = on
      return
    case 3: // column mode: hosts do not let a program resize its terminal
    case 40:
      return
  }
  const changed = on !== onAtFirst.has(mode)
  const group = groups.find((members) => members.has(mode))
  draft.dec = without(draft.dec, mode)
  draft.doubtful = without(draft.doubtful, mode)
  if (group !== undefined) {
    // most terminals keep one mode of a group and forget it when any is reset; some keep them all
    const others = draft.dec.filter((other) => group.has(other))
    draft.dec = draft.dec.filter((other) => !group.has(other))
    draft.doubtful = [...draft.doubtful, ...others]
  }
  if (changed && draft.dec.length < modeLimit) draft.dec = [...draft.dec, mode]
}

const changedDec = (modes: TerminalModes, mode: number): boolean => modes.dec.includes(mode)

/** Whether a DEC private mode is on, as far as the program's output tells. */
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

/** The kitty keyboard flags in force. */
export const kittyFlags = (modes: TerminalModes): number => modes[active(modes)].kitty.at(-1)!

const reset = (draft: Draft): void => {
  // what a full reset leaves alone: titles; the rest is as at first
  const { title, titled, icon, titles, overPopped, vt } = draft
  Object.assign(draft, start, { vt, title, titled, icon, titles, overPopped })
}

const softReset = (draft: Draft): void => {
  // by the book a soft reset turns off a handful of modes, but terminals differ and some turn off all
  draft.doubtful = [...new Set([...draft.doubtful, ...draft.dec])]
  draft.dec = []
  draft.ansi = []
  draft.applicationKeypad = false
  draft.pen = Pen.plain
  draft.charsets = start.charsets
  draft.shift = 0
  own(draft, { region: null, savedPen: Pen.plain })
}

const kitty = (draft: Draft, prefix: string, params: string): void => {
  const stack = draft[active(draft)].kitty
  const [first = 0, second = 0] = VtScanner.numbers(params)
  switch (prefix) {
    case ">":
      // when the stack is full the oldest entry goes
      own(draft, { kitty: [...(stack.length >= stackLimit ? stack.slice(1) : stack), first & 31] })
      return
    case "<": {
      const left = stack.slice(0, Math.max(0, stack.length - Math.max(1, first)))
      own(draft, { kitty: left.length === 0 ? [0] : left })
      return
    }
    case "=": {
      const flags = stack.at(-1)!
      const next = second === 2 ? flags | first : second === 3 ? flags & ~first : first
      own(draft, { kitty: [...stack.slice(0, -1), next & 31] })
    }
  }
}

const pushTitle = (draft: Draft): void => {
  draft.titles = [...draft.titles.slice(-(titleLimit - 1)), { title: draft.title, icon: draft.icon }]
}

const popTitle = (draft: Draft, which: number): void => {
  const last = draft.titles.at(-1)
  if (last === undefined) {
    draft.overPopped = Math.min(draft.overPopped + 1, titleLimit)
    return
  }
  draft.titles = draft.titles.slice(0, -1)
  if (which !== 1) draft.title = last.title
  if (which !== 2) draft.icon = last.icon
}

const csi = (draft: Draft, token: Extract<VtScanner.VtToken, { _tag: "Csi" }>): void => {
  const { params, prefix } = token
  switch (prefix + token.intermediates + token.final) {
    case "m":
      draft.pen = Pen.select(draft.pen, params)
      return
    case "?h":
    case "?l":
      for (const mode of VtScanner.numbers(params)) if (mode <= 65535) setDec(draft, mode, token.final === "h")
      return
    case "h":
    case "l":
      for (const mode of VtScanner.numbers(params)) {
        if (mode !== 4 && mode !== 20) continue
        draft.ansi = without(draft.ansi, mode)
        if (token.final === "h") draft.ansi = [...draft.ansi, mode]
      }
      return
    case "?s": {
      const aside = new Map(draft.aside)
      for (const mode of VtScanner.numbers(params)) if (aside.size < modeLimit) aside.set(mode, isOn(draft, mode))
      draft.aside = aside
      return
    }
    case "?r":
      for (const mode of VtScanner.numbers(params)) {
        const was = draft.aside.get(mode)
        if (was !== undefined) setDec(draft, mode, was)
      }
      return
    case "r": {
      const [top = 0, bottom = 0] = VtScanner.numbers(params)
      own(draft, { region: top <= 1 && bottom === 0 ? null : { top: Math.max(1, top), bottom } })
      return
    }
    case "s":
      if (params === "") own(draft, { savedPen: draft.pen })
      return
    case "u":
      draft.pen = draft[active(draft)].savedPen
      return
    case ">u":
    case "<u":
    case "=u":
      return kitty(draft, prefix, params)
    case ">m": {
      const [resource = 0, value] = params === "" ? [] : VtScanner.numbers(params, -1)
      const options = new Map(draft.keyOptions)
      if (params === "") options.clear()
      else if (value === undefined || value <= 0) options.delete(resource)
      else if (resource >= 0 && resource <= 7) options.set(resource, value)
      draft.keyOptions = options
      return
    }
    case ">n": {
      const options = new Map(draft.keyOptions)
      options.delete(VtScanner.numbers(params, 2)[0]!)
      draft.keyOptions = options
      return
    }
    case " q":
      draft.cursorStyle = Math.min(VtScanner.numbers(params)[0]!, 6)
      return
    case "!p":
      return softReset(draft)
    case "t": {
      const [operation, which = 0] = VtScanner.numbers(params)
      if (operation === 22) pushTitle(draft)
      else if (operation === 23) popTitle(draft, which)
    }
  }
}

const escape = (draft: Draft, intermediates: string, final: string): void => {
  const set = "()*+".indexOf(intermediates)
  if (intermediates.length === 1 && set >= 0) {
    draft.charsets = draft.charsets.map((old, i) => i === set ? final : old) as unknown as TerminalModes["charsets"]
    return
  }
  if (intermediates !== "") return
  switch (final) {
    case "7":
      return own(draft, { savedPen: draft.pen })
    case "8":
      draft.pen = draft[active(draft)].savedPen
      return
    case "=":
      draft.applicationKeypad = true
      return
    case ">":
      draft.applicationKeypad = false
      return
    case "c":
      return reset(draft)
    case "n":
      draft.shift = 2
      return
    case "o":
      draft.shift = 3
  }
}

const osc = (draft: Draft, body: string): void => {
  const semicolon = body.indexOf(";")
  const code = semicolon < 0 ? body : body.slice(0, semicolon)
  const rest = semicolon < 0 ? "" : body.slice(semicolon + 1)
  switch (code) {
    case "0":
    case "1":
    case "2":
      if (semicolon < 0) return
      // oxlint-disable-next-line no-control-regex
      if (code !== "1") draft.title = rest.replace(/[\x00-\x1f\x7f]/g, "")
      // oxlint-disable-next-line no-control-regex
      if (code !== "2") draft.icon = rest.replace(/[\x00-\x1f\x7f]/g, "")
      draft.titled = true
      return
    case "8": {
      const at = rest.indexOf(";")
      draft.link = at < 0 || at === rest.length - 1 ? "" : rest
      return
    }
    case "9":
      if (rest === "4" || rest.startsWith("4;")) draft.progress = /^4;[1-4]/.test(rest) ? rest : ""
      return
    case "22":
      draft.pointer = /^[A-Za-z_-]*$/.test(rest) ? rest : draft.pointer
      return
    case "7501":
      if (/(^|:)state=clear(:|$)/.test(rest)) draft.reported &&= /(^|:)id=/.test(rest)
      else if (rest !== "?") draft.reported = true
      return
  }
  const number = Number(code)
  if (!/^\d{1,3}$/.test(code) || number < 4 || number > 119 || (number > 4 && number < 10)) return
  const fields = rest === "" ? [] : rest.split(";")
  const colors = new Map(draft.colors)
  const set = (key: string, value: string | undefined): void => {
    // oxlint-disable-next-line no-control-regex
    if (value === undefined || value === "?" || value === "" || value.length > 64 || /[^\x20-\x7e]/.test(value)) return
    if (colors.size < colorLimit) colors.set(key, value)
  }
  if (number === 4) {
    for (let i = 0; i + 1 < fields.length; i += 2) if (/^\d{1,3}$/.test(fields[i]!)) set(`4;${Number(fields[i])}`, fields[i + 1])
  } else if (number <= 19) fields.forEach((value, i) => number + i <= 19 ? set(`${number + i}`, value) : undefined)
  else if (number === 104) {
    for (const key of [...colors.keys()]) {
      if (key.startsWith("4;") && (fields.length === 0 || fields.includes(key.slice(2)))) colors.delete(key)
    }
  } else if (number >= 110) colors.delete(`${number - 100}`)
  draft.colors = colors
}

const wordsOnly: VtScanner.ScanOptions = { controls: false }

const shifted = (shift: number, text: string): number => {
  const out = text.lastIndexOf("\x0e")
  const back = text.lastIndexOf("\x0f")
  return out === back ? shift : out > back ? 1 : 0
}

/** The modes after further output, cut anywhere. */
export const track = (modes: TerminalModes, chunk: string): TerminalModes => {
  if (modes.vt.phase === "Ground" && !chunk.includes("\x1b")) {
    const shift = shifted(modes.shift, chunk)
    return shift === modes.shift ? modes : { ...modes, shift }
  }
  const { state, tokens } = VtScanner.scan(modes.vt, chunk, wordsOnly)
  const draft: Draft = { ...modes, vt: state }
  for (const token of tokens) {
    switch (token._tag) {
      case "Text":
        draft.shift = shifted(draft.shift, token.raw)
        break
      case "Csi":
        csi(draft, token)
        break
      case "Escape":
        escape(draft, token.intermediates, token.final)
        break
      case "Osc":
        osc(draft, token.body)
        break
    }
  }
  return draft
}

/** The modes after the terminal's size changed: scroll regions are gone. */
export const resized = (modes: TerminalModes): TerminalModes =>
  modes.main.region === null && modes.alt.region === null
    ? modes
    : { ...modes, main: { ...modes.main, region: null }, alt: { ...modes.alt, region: null } }

/** The title as text. */
export const titleText = (modes: TerminalModes): string => latin1ToText(modes.title)

const st = "\x1b\\"
const decSequence = (mode: number, on: boolean): string => `\x1b[?${mode}${on ? "h" : "l"}`
const region = ({ region }: ScreenModes): string => region === null ? "" : `\x1b[${region.top};${region.bottom === 0 ? "" : region.bottom}r`

const pushed = ({ kitty }: ScreenModes): string =>
  (kitty[0] === 0 ? "" : `\x1b[=${kitty[0]};1u`) + kitty.slice(1).map((flags) => `\x1b[>${flags}u`).join("")

const popped = ({ kitty }: ScreenModes): string =>
  (kitty.length > 1 ? `\x1b[<${kitty.length - 1}u` : "") + (kitty[0] === 0 ? "" : "\x1b[=0;1u")

/** What must be set while the main screen shows, before the alternate screen is entered. Moves the cursor. */
export const screenSequence = (modes: ScreenModes): string => pushed(modes) + region(modes)

/** The switch to the alternate screen as the program did it, or "". */
export const alternateSequence = (modes: TerminalModes): string => modes.alternate === null ? "" : decSequence(modes.alternate, true)

/** Origin mode, which moves the cursor: due before the cursor is placed. */
export const originSequence = (modes: TerminalModes): string => changedDec(modes, 6) ? decSequence(6, true) : ""

/**
 * Bytes (text) that set on a fresh terminal all that is set here and belongs to neither screen, and nothing else. They
 * leave the cursor where it is; {@link originSequence} comes before it is placed, {@link lastSequence} behind these.
 */
export const modeSequence = (modes: TerminalModes): string => {
  let out = ""
  modes.charsets.forEach((set, i) => {
    if (set !== "B") out += `\x1b${"()*+"[i]}${set}`
  })
  for (const mode of modes.ansi) out += `\x1b[${mode}h`
  for (const mode of modes.dec) if (mode !== 6 && mode !== 25 && mode !== 2026) out += decSequence(mode, !onAtFirst.has(mode))
  if (modes.applicationKeypad) out += "\x1b="
  if (modes.cursorStyle !== 0) out += `\x1b[${modes.cursorStyle} q`
  for (const [resource, value] of modes.keyOptions) out += `\x1b[>${resource};${value}m`
  for (const [key, value] of modes.colors) out += `\x1b]${key};${value}${st}`
  if (modes.pointer !== "") out += `\x1b]22;${modes.pointer}${st}`
  if (modes.progress !== "") out += `\x1b]9;${latin1ToText(modes.progress)}${st}`
  if (modes.titled) {
    out += modes.title === modes.icon
      ? `\x1b]0;${latin1ToText(modes.title)}${st}`
      : `\x1b]1;${latin1ToText(modes.icon)}${st}\x1b]2;${latin1ToText(modes.title)}${st}`
  }
  return out
}

/** What comes last in a repaint: the pen, the shifted character set, the open link, the cursor's visibility, a frame under way. */
export const lastSequence = (modes: TerminalModes): string =>
  (Pen.parameters(modes.pen) === "" ? "" : Pen.sequence(modes.pen)) +
  (["", "\x0e", "\x1bn", "\x1bo"][modes.shift] ?? "") +
  (modes.link === "" ? "" : `\x1b]8;${latin1ToText(modes.link)}${st}`) +
  (changedDec(modes, 25) ? decSequence(25, false) : "") +
  (changedDec(modes, 2026) ? decSequence(2026, true) : "")

/** What to write to a user's terminal before a CLI's output: the title is put aside. */
export const enterSequence = "\x1b[22;0t"

/**
 * What to write to a user's terminal when a CLI's output to it ends: undoes all that the output since
 * {@link enterSequence} changed, and only that. The cursor stays where it is on the main screen; leaving the alternate
 * screen puts it back where it was.
 */
export const restoreSequence = (modes: TerminalModes): string => {
  const here = modes[active(modes)]
  let out = ""
  // a sequence cut in its middle is aborted: CAN for most parsers, ST for the rest
  if (modes.vt.phase !== "Ground") out += `\x18${st}`
  if (changedDec(modes, 2026)) out += decSequence(2026, false)
  if (modes.link !== "") out += `\x1b]8;;${st}`
  out += popped(here)
  const changed = [...modes.doubtful.filter((mode) => !modes.dec.includes(mode)), ...modes.dec]
  for (const mode of changed) if (mode !== 2026 && mode !== 25 && mode !== 6) out += decSequence(mode, onAtFirst.has(mode))
  for (const mode of modes.ansi) out += `\x1b[${mode}l`
  if (changed.includes(6)) out += decSequence(6, false)
  if (here.region !== null) out += modes.alternate === null ? "\x1b7\x1b[r\x1b8" : "\x1b[r"
  if (modes.alternate !== null) {
    out += decSequence(modes.alternate, false) + popped(modes.main)
    if (modes.main.region !== null) out += "\x1b7\x1b[r\x1b8"
  }
  if (modes.applicationKeypad) out += "\x1b>"
  if (modes.cursorStyle !== 0) out += "\x1b[0 q"
  for (const resource of modes.keyOptions.keys()) out += `\x1b[>${resource}m`
  modes.charsets.forEach((set, i) => {
    if (set !== "B") out += `\x1b${"()*+"[i]}B`
  })
  if (modes.shift !== 0) out += "\x0f"
  if (Pen.parameters(modes.pen) !== "" || modes.alternate !== null) out += "\x1b[m"
  if (changed.includes(25)) out += decSequence(25, true)
  if ([...modes.colors.keys()].some((key) => key.startsWith("4;"))) out += `\x1b]104${st}`
  for (const key of modes.colors.keys()) if (!key.startsWith("4;")) out += `\x1b]${Number(key) + 100}${st}`
  if (modes.pointer !== "") out += `\x1b]22;${st}`
  if (modes.progress !== "") out += `\x1b]9;4;0${st}`
  if (modes.reported) out += `\x1b]7501;state=clear${st}`
  const pops = modes.titles.length + 1 - modes.overPopped
  return out + "\x1b[23;0t".repeat(Math.max(0, pops))
}
