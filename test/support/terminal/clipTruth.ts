import { charWidth } from "../../../src/domain/words/text/CharWidth.ts"
import type { ScreenView } from "../../../src/domain/words/session/Screen.ts"
import { type Origin, cropOrigin } from "../../../src/domain/surfaces/tui/ScreenCrop.ts"

const width = charWidth

/** A row as one string a column; the second half of a wide character is "". */
export const cellsOf = (line: string, cols: number): ReadonlyArray<string> => {
  const cells: Array<string> = []
  for (const char of line) {
    const columns = width(char.codePointAt(0) ?? 32)
    if (columns === 0) continue
    cells.push(char)
    if (columns === 2) cells.push("")
  }
  while (cells.length < cols) cells.push(" ")
  return cells
}

type Shown = Pick<ScreenView, "cols" | "lines" | "rows">
type Window = { readonly lines: ReadonlyArray<string> }
type Room = { readonly cols: number; readonly rows: number }

/**
 * What is wrong with a window on a screen: each of its cells is the screen's, or a mark at the edge where something is
 * cut, or outside of the screen and its frame. Empty when nothing is.
 */
export const clipFaults = (screen: Shown & Pick<ScreenView, "cursor">, window: Window, room: Room) =>
  clipFaultsAt(screen, window, room, cropOrigin(screen, room))

/** The faults for whoever does not know where the screen is cut: the fewest that any origin gives. */
export const fewestFaults = (screen: Shown, window: Window, room: Room): ReadonlyArray<string> => {
  let best: ReadonlyArray<string> | null = null
  for (let top = 0; top < screen.rows; top++) {
    for (let left = 0; left < screen.cols; left += Math.max(1, Math.floor(room.cols / 2))) {
      const faults = clipFaultsAt(screen, window, room, { left, top })
      if (faults.length === 0) return faults
      if (best === null || faults.length < best.length) best = faults
    }
  }
  return best ?? []
}

const clipFaultsAt = (screen: Shown, window: Window, room: Room, { left, top }: Origin): ReadonlyArray<string> => {
  const faults: Array<string> = []
  for (let y = 0; y < room.rows; y++) {
    const seen = cellsOf(window.lines[y] ?? "", room.cols)
    const inside = top + y < screen.rows
    const truth = cellsOf(inside ? (screen.lines[top + y] ?? "") : "", left + room.cols)
    for (let x = 0; x < room.cols; x++) {
      const cell = seen[x]!
      const isHalf = truth[left + x] === "" && (x === 0 || seen[x - 1] !== truth[left + x - 1])
      const wanted = isHalf ? " " : truth[left + x]!
      const isLast = x === room.cols - 1
      const corner = (y === 0 && top > 0 && cell === "^") || (y === room.rows - 1 && cell === "v")
      if (inside && isLast && corner) continue
      if (inside && left + x < screen.cols) {
        if (cell === wanted) continue
        const first = x === 0
        if (isLast && cell === ">") continue
        if (first && left > 0 && cell === "<") continue
        // a wide character with a mark in its second half, or at the edge
        if (
          cell === " " &&
          (x === room.cols - 1 || x === room.cols - 2 || (first && left > 0) || (x === 1 && left > 0))
        )
          continue
      } else if (x >= screen.cols - left) {
        if (cell === " " || (x === screen.cols - left && (cell === "│" || cell === "┘"))) continue
      } else if (y === screen.rows - top || cell === " ") continue
      faults.push(`${x},${y}: '${cell}' for '${wanted}'`)
    }
  }
  return faults
}
