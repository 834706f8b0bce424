import type { ScreenPicture, ScreenView } from "../../words/session/Screen.ts"
import * as TerminalModes from "../../terminal/sequences/TerminalModes.ts"
import type { Size } from "./Layout.ts"
import type { Drawn } from "./Paint.ts"

/**
 * Draws a screen in a window of another size. Marks show where it is cut. If the window is larger, a frame separates
 * the unused part. The window shows the end of the drawing, but always the cursor.
 */

/** The top left corner of the shown part, in columns and rows of the screen. */
export interface Origin {
  readonly left: number
  readonly top: number
}

/** The position of the cut. It depends only on the screen, so that all windows of a size show the same. */
export const cropOrigin = (
  { cols, cursor, lines, rows }: Pick<ScreenView, "cols" | "cursor" | "lines" | "rows">,
  room: Size
): Origin => {
  const used =
    1 +
    Math.max(
      cursor.y,
      lines.findLastIndex((line) => line !== "")
    )
  const end = Math.min(rows, used)
  const top = Math.max(0, Math.min(end - room.rows, cursor.y))
  // Move sideways in steps, so that not every typed letter moves the whole picture.
  const step = Math.max(1, Math.floor(room.cols / 2))
  const beyond = cursor.visible && cols > room.cols ? Math.max(0, cursor.x - (room.cols - 2)) : 0
  return { left: Math.min(Math.ceil(beyond / step) * step, Math.max(0, cols - 1)), top }
}

const mark = (sign: string): string => `\x1b[7m${sign}\x1b[m`
const faint = (text: string): string => (text === "" ? "" : `\x1b[2m${text}\x1b[m`)

/** The screen as a window shows it. `view` and `picture` are of one moment. */
export const cropped = (view: ScreenView, picture: ScreenPicture, room: Size): Drawn => {
  const { left, top } = cropOrigin(view, room)
  const right = left + room.cols
  const bottom = Math.min(top + room.rows, view.rows)
  const rows: Array<string> = []
  for (let y = top; y < bottom; y++) {
    const before = left > 0 && picture.extent(y) > 0
    const after = picture.extent(y) > right
    // rows above and below are marked in the corners
    const corner =
      y === top && isDrawn(view, 0, top) ? "^" : y === bottom - 1 && isDrawn(view, bottom, view.rows) ? "v" : null
    const sign = corner ?? (after ? ">" : null)
    const from = left + (before ? 1 : 0)
    const to = right - (sign === null ? 0 : 1)
    const { drawn, width } = picture.part(y, Math.min(from, to), to)
    const gap = to - from - width
    const edge =
      sign !== null
        ? " ".repeat(Math.max(0, gap)) + mark(sign)
        : view.cols - left < room.cols
          ? " ".repeat(Math.max(0, view.cols - from - width)) + faint("│")
          : ""
    rows.push((before ? mark("<") : "") + drawn + edge)
  }
  if (rows.length < room.rows) {
    const name = ` ${view.cols}×${view.rows} `
    const cols = Math.min(view.cols - left, room.cols)
    const line = cols > name.length + 2 ? `${"─".repeat(cols - name.length)}${name}` : "─".repeat(cols)
    rows.push(faint(`${line}${cols < room.cols ? "┘" : ""}`))
  }
  while (rows.length < room.rows) rows.push("")
  return {
    rows,
    cursor: {
      x: Math.max(0, Math.min(view.cursor.x - left, room.cols - 1)),
      y: Math.max(0, Math.min(view.cursor.y - top, room.rows - 1)),
      hidden: !view.cursor.visible
    }
  }
}

const isDrawn = ({ lines }: ScreenView, from: number, to: number): boolean =>
  lines.slice(from, to).some((line) => line !== "")

/** Modes of the keyboard: cursor keys, focus, pastes, and Win32 keys. */
const keyboardModes: ReadonlySet<number> = new Set([1, 1004, 2004, 9001])

/**
 * The modes of a window's terminal before a screen is drawn: main or alternate screen, the keyboard's, not the mouse's.
 */
export const cropModes = (modes: TerminalModes.TerminalModes): string => {
  const { alt, alternate, applicationKeypad, keyOptions, main } = modes
  const bare = { ...TerminalModes.start.main, kitty: (alternate === null ? main : alt).kitty }
  const kept: TerminalModes.TerminalModes = {
    ...TerminalModes.start,
    dec: modes.dec.filter((mode) => keyboardModes.has(mode)),
    applicationKeypad,
    keyOptions
  }
  return (
    (alternate === null ? "" : "\x1b[?1049h") + TerminalModes.screenSequence(bare) + TerminalModes.modeSequence(kept)
  )
}

export const cropTitle = ({ icon, progress, title, titled }: TerminalModes.TerminalModes): string =>
  TerminalModes.modeSequence({ ...TerminalModes.start, icon, progress, title, titled })
