/**
 * Answers to terminal queries while no terminal answers: those of a plain dark terminal, with what is known of this
 * session. The emulator's own answers would describe the emulator.
 */

import * as Pen from "../sequences/Pen.ts"
import * as TerminalModes from "../sequences/TerminalModes.ts"
import type { ColorSlot, TerminalQuery } from "../sequences/TerminalQuery.ts"

/** What is known of the session's terminal. */
export interface QueryFacts {
  readonly cols: number
  readonly rows: number
  /** 0-based, from the viewport's top left. */
  readonly cursor: { readonly x: number; readonly y: number }
  readonly modes?: TerminalModes.TerminalModes
  readonly version?: string
}

const st = "\x1b\\"

type Rgb = readonly [number, number, number]

/** A colour as programs set it: `#rgb` to `#rrrrggggbbbb` or `rgb:r/g/b`, as 8-bit components. */
const parseColor = (text: string): Rgb | null => {
  const hash = /^#((?:[0-9a-f]{3}){1,4})$/i.exec(text)
  const slashes = /^rgb:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})$/i.exec(text)
  const parts =
    hash === null
      ? slashes?.slice(1)
      : [0, 1, 2].map((i) => hash[1]!.slice((i * hash[1]!.length) / 3, ((i + 1) * hash[1]!.length) / 3))
  if (parts === undefined) return null
  const [red, green, blue] = parts.map((digits) =>
    Math.round((Number.parseInt(digits, 16) * 255) / (16 ** digits.length - 1))
  )
  return [red!, green!, blue!]
}

const basic: ReadonlyArray<Rgb> = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255]
]

/** xterm's palette: 16 colours, a cube of 6 by 6 by 6, 24 greys. */
const palette = (index: number): Rgb => {
  if (index < 16) return basic[index]!
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10
    return [grey, grey, grey]
  }
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40)
  return [level(Math.floor((index - 16) / 36)), level(Math.floor((index - 16) / 6) % 6), level((index - 16) % 6)]
}

const rgbSpec = (color: Rgb): string =>
  `rgb:${color.map((part) => part.toString(16).padStart(2, "0").repeat(2)).join("/")}`

const colorOf = (slot: ColorSlot, facts: QueryFacts): Rgb | null => {
  const set = facts.modes?.colors.get(slot.index === null ? `${slot.code}` : `${slot.code};${slot.index}`)
  const parsed = set === undefined ? null : parseColor(set)
  if (parsed !== null) return parsed
  if (slot.index !== null) return slot.index <= 255 ? palette(slot.index) : null
  // 10 and 11 are text and background, 12 the cursor, 17 and 19 the selection, the rest pointers and Tektronix.
  if (slot.code === 10 || slot.code === 12) return [255, 255, 255]
  return slot.code === 11 ? [0, 0, 0] : null
}

/** Private modes that the emulator, or every viewer's terminal, knows. */
const knownModes = new Set([1, 6, 7, 9, 12, 25, 45, 47, 66, 1000, 1002, 1003, 1004, 1006, 1016, 1047, 1049, 2004, 2026])

const modeReply = (query: Extract<TerminalQuery, { _tag: "Mode" }>, modes: TerminalModes.TerminalModes): string => {
  const state = query.dec
    ? knownModes.has(query.mode)
      ? TerminalModes.isOn(modes, query.mode)
        ? 1
        : 2
      : 0
    : query.mode === 4 || query.mode === 20
      ? modes.ansi.includes(query.mode)
        ? 1
        : 2
      : 0
  return `\x1b[${query.dec ? "?" : ""}${query.mode};${state}$y`
}

/** Terminfo capabilities that programs ask for by XTGETTCAP. */
const capabilities: Readonly<Record<string, string>> = {
  TN: "xterm-256color",
  Co: "256",
  colors: "256",
  RGB: "8/8/8",
  Pst: "\\E]7501;%p1%s\\E\\\\"
}

const hex = (text: string): string =>
  Array.from(text, (char) => char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")).join("")
const unhex = (text: string): string =>
  /^(?:[0-9a-f]{2})+$/i.test(text)
    ? (text.match(/../g) ?? []).map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join("")
    : ""

const capabilityReply = (name: string): string => {
  const known = unhex(name)
  if (Object.hasOwn(capabilities, known)) return `\x1bP1+r${name}=${hex(capabilities[known]!)}${st}`
  // A name that is not hexadecimal must not be echoed: it would be typed into the program.
  return `\x1bP0+r${known === "" ? "" : name}${st}`
}

const settingReply = (name: string, facts: QueryFacts, modes: TerminalModes.TerminalModes): string => {
  const here = modes.alternate === null ? modes.main : modes.alt
  const value = (text: string): string => `\x1bP1$r${text}${st}`
  switch (name) {
    case "m": {
      const pen = Pen.parameters(modes.pen)
      return value(`0${pen === "" ? "" : `;${pen}`}m`)
    }
    case "r":
      return value(
        `${here.region?.top ?? 1};` +
          `${here.region === null || here.region.bottom === 0 ? facts.rows : here.region.bottom}r`
      )
    case " q":
      return value(`${modes.cursorStyle} q`)
    case '"p':
      return value('62;1"p')
    default:
      return `\x1bP0$r${st}`
  }
}

/** The terminal's answer (latin1); "" for none. */
export const reply = (query: TerminalQuery, facts: QueryFacts): string => {
  const modesOf = () => facts.modes ?? TerminalModes.start
  switch (query._tag) {
    case "PrimaryAttributes":
      // VT220 with colour
      return "\x1b[?62;22c"
    case "SecondaryAttributes":
      return "\x1b[>1;1;0c"
    case "TertiaryAttributes":
      return `\x1bP!|00000000${st}`
    case "Version":
      return `\x1bP>|leap${facts.version === undefined ? "" : ` ${facts.version}`}${st}`
    case "OperatingStatus":
      return "\x1b[0n"
    case "CursorPosition": {
      const modes = modesOf()
      const region = modes.alternate === null ? modes.main.region : modes.alt.region
      const top = TerminalModes.isOn(modes, 6) && region !== null ? region.top - 1 : 0
      return `\x1b[${query.extended ? "?" : ""}${Math.max(0, facts.cursor.y - top) + 1};${facts.cursor.x + 1}R`
    }
    case "KittyKeyboard":
      return `\x1b[?${TerminalModes.kittyFlags(modesOf())}u`
    case "Mode":
      return modeReply(query, modesOf())
    case "Colors":
      return query.slots
        .map((slot) => {
          const color = colorOf(slot, facts)
          const name = slot.index === null ? `${slot.code}` : `${slot.code};${slot.index}`
          return color === null ? "" : `\x1b]${name};${rgbSpec(color)}${query.bell ? "\x07" : st}`
        })
        .join("")
    case "Capabilities":
      return query.names.slice(0, 64).map(capabilityReply).join("")
    case "Setting":
      return settingReply(query.name, facts, modesOf())
    case "WindowSize":
      // nothing is known of pixels
      return query.unit === "cells" ? `\x1b[8;${facts.rows};${facts.cols}t` : ""
    case "ColorScheme": {
      const [red, green, blue] = colorOf({ code: 11, index: null }, facts) ?? [0, 0, 0]
      return `\x1b[?997;${0.299 * red + 0.587 * green + 0.114 * blue < 128 ? 1 : 2}n`
    }
    case "Other":
      return ""
  }
}
