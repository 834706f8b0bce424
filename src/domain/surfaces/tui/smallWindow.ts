import { wrap } from "./Cells.ts"
import type { Size } from "./Layout.ts"

/** A window with fewer than these shows no row that could be read. */
const least = { cols: 20, rows: 4 }

/** What is said of a window that is too small for anything else; null of one that is large enough. */
export const smallText = ({ cols, rows }: Size, instead: string): string | null =>
  cols >= least.cols && rows >= least.rows
    ? null
    : `too small: ${cols}x${rows}, at least ${least.cols}x${least.rows}; ${instead}`

/** The same in the rows that the window has. */
export const smallWindow = (size: Size, instead: string): ReadonlyArray<string> | null => {
  const text = smallText(size, instead)
  return text === null ? null : wrap(text, size.cols, size.rows)
}
