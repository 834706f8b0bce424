import { wrap } from "./Cells.ts"

export interface Size {
  readonly cols: number
  readonly rows: number
}

/** The places of the picker's parts. The search is in the first row, the keys are in the last. */
export interface Layout {
  readonly cols: number
  readonly rows: number
  readonly list: { readonly cols: number; readonly rows: number }
  readonly preview: {
    readonly place: "below" | "beside"
    readonly cols: number
    readonly rows: number
  } | null
  readonly footer: boolean
}

const footerFrom = 7
const belowFrom = 14
const besideFrom = 132
const besideAtMost = 96

export const layoutOf = ({ cols, rows }: Size): Layout => {
  const footer = rows >= footerFrom
  const room = Math.max(0, rows - 1 - (footer ? 1 : 0))
  const all = { cols, rows, footer }
  if (cols >= besideFrom && room >= 6) {
    const width = Math.min(besideAtMost, Math.floor(cols * 0.45))
    const list = { cols: cols - width - 2, rows: room }
    return { ...all, list, preview: { place: "beside", cols: width, rows: room } }
  }
  if (rows < belowFrom || cols < 30) return { ...all, list: { cols, rows: room }, preview: null }
  const height = Math.min(12, Math.floor(rows / 3))
  return { ...all, list: { cols, rows: room - height }, preview: { place: "below", cols, rows: height } }
}

/** The number of visible entries. If not all fit and there is room, the last row counts the others. */
export const window = (count: number, rows: number): number => (count > rows && rows >= 3 ? rows - 1 : rows)

/** A smaller window shows no readable row. */
const least = { cols: 20, rows: 4 }

/** The text for a window that is too small; null if it is large enough. */
export const smallText = ({ cols, rows }: Size, instead: string): string | null =>
  cols >= least.cols && rows >= least.rows
    ? null
    : `too small: ${cols}x${rows}, at least ${least.cols}x${least.rows}; ${instead}`

/** The text of {@link smallText} in rows of the window. */
export const smallWindow = (size: Size, instead: string): ReadonlyArray<string> | null => {
  const text = smallText(size, instead)
  return text === null ? null : wrap(text, size.cols, size.rows)
}
