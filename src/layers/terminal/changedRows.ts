import type { IBufferLine, Terminal } from "@xterm/headless"
import { makeRowReader } from "./ScreenXtermRows.ts"
import { onRowsDrawn } from "./xtermInternals.ts"

/** The screen's rows as text. Rows without writes since the last reading are not read again. */
export const makeChangedRows = () => {
  const rowText = makeRowReader()
  let known: Array<string> = []
  let from = 0
  let to = Number.POSITIVE_INFINITY
  let isKnown = false
  const touch = (first: number, last: number): void => {
    from = Math.min(from, first)
    to = Math.max(to, last)
  }
  const touchAll = (): void => touch(0, Number.POSITIVE_INFINITY)

  return {
    touchAll,
    /** Watches writes to a terminal. An earlier one must be disposed of, because it stays watched. */
    watch: (terminal: Terminal): void => {
      isKnown = onRowsDrawn(terminal, touch)
      terminal.buffer.onBufferChange(touchAll)
      touchAll()
    },
    read: (terminal: Terminal): ReadonlyArray<string> => {
      const buffer = terminal.buffer.active
      const line = (y: number): IBufferLine | undefined => buffer.getLine(buffer.baseY + y)
      const [first, last] = isKnown ? [from, Math.min(to, terminal.rows - 1)] : [0, terminal.rows - 1]
      if (first === 0 && last === terminal.rows - 1) {
        // Rows of the alternate screen keep the columns that a narrower window hides.
        known = Array.from({ length: terminal.rows }, (_, y) => rowText(line(y), terminal.cols))
      } else if (first <= last) {
        known = [...known]
        for (let y = first; y <= last; y++) known[y] = rowText(line(y), terminal.cols)
      }
      from = Number.POSITIVE_INFINITY
      to = -1
      return known
    }
  }
}
