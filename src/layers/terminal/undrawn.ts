import * as ScrolledOut from "../../domain/terminal/sequences/ScrolledOut.ts"

/**
 * The most bytes that may wait for a reader: of text in lines, and of output with sequences, which must be drawn in the
 * end and must not delay a key.
 */
export interface Laziness {
  readonly text: number
  readonly other: number
}

export const standardLaziness: Laziness = { text: 2 << 20, other: 128 << 10 }

export interface UndrawnOptions {
  readonly lazy: Laziness
  readonly draw: (data: Uint8Array) => void
  /** Whether a line feed in the last row now moves the whole screen, and text only draws. */
  readonly scrolls: () => boolean
  /** The number of line feeds that push out all rows, the scrollback too, wherever the cursor is. */
  readonly rows: () => number
}

/**
 * Output that is not drawn yet. Drawing waits for a reader; of a flood of lines only those are drawn that are still on
 * the screen or above it by then (`ScrolledOut`).
 */
export const makeUndrawn = ({ draw, lazy, rows, scrolls }: UndrawnOptions) => {
  let waiting: Array<Uint8Array> = []
  let size = 0
  let isText = true

  const forget = (): void => {
    if (!scrolls()) return
    const place = ScrolledOut.lineEndBefore(waiting, rows())
    if (place === null || !ScrolledOut.isTextBefore(waiting, place)) return
    const rest = ScrolledOut.from(waiting, place)
    if (ScrolledOut.hasC1(rest)) return
    waiting = rest
    size = waiting.reduce((sum, { length }) => sum + length, 0)
  }

  const settle = (): void => {
    if (size === 0) return
    if (isText && size >= lazy.other) forget()
    const all = waiting
    waiting = []
    size = 0
    isText = true
    for (const data of all) draw(data)
  }

  return {
    settle,
    add: (data: Uint8Array): void => {
      waiting.push(data)
      size += data.length
      isText &&= !data.includes(0x1b)
      if (size < (isText ? lazy.text : lazy.other)) return
      if (isText) forget()
      if (size >= (isText ? lazy.text / 2 : lazy.other)) settle()
    }
  }
}
