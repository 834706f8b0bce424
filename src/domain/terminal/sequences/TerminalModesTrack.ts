import * as Pen from "./Pen.ts"
import { osc } from "./TerminalModesOsc.ts"
import {
  active,
  type Draft,
  isOn,
  onAtFirst,
  type ScreenModes,
  start,
  type TerminalModes
} from "./TerminalModesState.ts"
import * as VtScanner from "./VtScanner.ts"

/** In most terminals, setting one mode of a group replaces the others. */
const groups: ReadonlyArray<ReadonlySet<number>> = [new Set([9, 1000, 1002, 1003]), new Set([1005, 1006, 1015, 1016])]
const modeLimit = 64
/** More modes than any terminal has; the latest ones are kept. */
const doubtfulLimit = 256
const stackLimit = 16
const titleLimit = 10

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
    // Most terminals keep one mode of a group and forget it when any is reset; some keep them all.
    const others = draft.dec.filter((other) => group.has(other))
    draft.dec = draft.dec.filter((other) => !group.has(other))
    draft.doubtful = [...draft.doubtful, ...others].slice(-doubtfulLimit)
  }
  if (changed && draft.dec.length < modeLimit) draft.dec = [...draft.dec, mode]
}

const reset = (draft: Draft): void => {
  // A full reset keeps titles.
  const { title, titled, icon, titles, overPopped, vt } = draft
  Object.assign(draft, start, { vt, title, titled, icon, titles, overPopped })
}

const softReset = (draft: Draft): void => {
  // The standard lets a soft reset turn off a few modes, but some terminals turn off all.
  draft.doubtful = [...new Set([...draft.doubtful, ...draft.dec])].slice(-doubtfulLimit)
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
      // When the stack is full the oldest entry is dropped.
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

const drawing = new Set("ABCDEFGHIJKLMPSTXZ@abdefg`")

const csi = (draft: Draft, token: Extract<VtScanner.VtToken, { _tag: "Csi" }>): void => {
  const { params, prefix } = token
  if (token.final === "m" && prefix === "") {
    if (token.intermediates === "") draft.pen = Pen.select(draft.pen, params)
    return
  }
  // Moving and erasing (most output) concerns only the emulator.
  if (drawing.has(token.final)) return
  switch (prefix + token.intermediates + token.final) {
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
    draft.charsets = draft.charsets.map((old, i) => (i === set ? final : old)) as unknown as TerminalModes["charsets"]
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

const wordsOnly: VtScanner.ScanOptions = { controls: false }

const shifted = (shift: number, text: string): number => {
  const out = text.lastIndexOf("\x0e")
  const back = text.lastIndexOf("\x0f")
  return out === back ? shift : out > back ? 1 : 0
}

const colouring = /\x1b\[([\d;:]*)m/g

/** The pen after text and drawing. Everything before the last reset is irrelevant. */
const coloured = (pen: Pen.Pen, chunk: string): Pen.Pen => {
  if (!chunk.includes("\x1b")) return pen
  const reset = Math.max(chunk.lastIndexOf("\x1b[m"), chunk.lastIndexOf("\x1b[0m"))
  let now = reset < 0 ? pen : Pen.plain
  colouring.lastIndex = Math.max(0, reset)
  for (let match = colouring.exec(chunk); match !== null; match = colouring.exec(chunk))
    now = Pen.select(now, match[1]!)
  return now
}

/** Whether bytes are text that changes no mode. Other bytes may change none either. */
export const isText = ({ vt }: TerminalModes, bytes: Uint8Array): boolean =>
  vt.phase === "Ground" && !bytes.includes(0x1b) && !bytes.includes(0x0e) && !bytes.includes(0x0f)

/** The modes after further output, which may be cut anywhere. */
export const track = (modes: TerminalModes, chunk: string): TerminalModes => {
  if (modes.vt.phase === "Ground" && VtScanner.drawsOnly(chunk)) {
    const shift = shifted(modes.shift, chunk)
    const pen = coloured(modes.pen, chunk)
    return shift === modes.shift && pen === modes.pen ? modes : { ...modes, shift, pen }
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

export const resized = (modes: TerminalModes): TerminalModes =>
  modes.main.region === null && modes.alt.region === null
    ? modes
    : { ...modes, main: { ...modes.main, region: null }, alt: { ...modes.alt, region: null } }
