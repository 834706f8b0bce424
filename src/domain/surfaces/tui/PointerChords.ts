import * as Chords from "./Chords.ts"
import * as Keys from "./Keys.ts"

/** A chord, or what the mouse did at a place of the screen, counted from 0. */
export type PointerChord =
  | Chords.Chord
  | { readonly chord: "click" | "wheel-up" | "wheel-down"; readonly x: number; readonly y: number }

/** What a terminal must be sent to report clicks and the wheel, and to report them no more. */
export const pointerOn = "\x1b[?1000h\x1b[?1006h"
export const pointerOff = "\x1b[?1006l\x1b[?1000l"

const shape = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/
/** Shift, Alt and Ctrl held meanwhile. */
const modifiers = 4 | 8 | 16

/** A report in the SGR form; null for what means nothing here: releases, drags and other buttons. */
const mouse = (data: string): PointerChord | null => {
  const [, button = "", column = "", row = "", end = ""] = shape.exec(data) ?? []
  const [x, y] = [Number(column) - 1, Number(row) - 1]
  if (end !== "M" || x < 0 || y < 0) return null
  switch (Number(button) & ~modifiers) {
    case 0:
      return { chord: "click", x, y }
    case 64:
      return { chord: "wheel-up", x, y }
    case 65:
      return { chord: "wheel-down", x, y }
    default:
      return null
  }
}

const table: Keys.KeyTable<PointerChord> = { ...Chords.table, mouse }

/** The chords of a stream of bytes (latin1), as {@link Keys.decode} gives keys. */
export const decode = Keys.decodeWith(table)
/** Decides what is pending after nothing more came. */
export const flushHeld = Keys.flushHeldWith(table)
