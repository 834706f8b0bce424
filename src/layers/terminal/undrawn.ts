import * as ScrolledOut from "../../domain/terminal/sequences/ScrolledOut.ts"

/**
 * Bytes that may wait for somebody who looks: of text in lines, and of output with sequences, which is drawn in the end
 * in any case and must not hold up a key.
 */
export interface Laziness {
  readonly text: number
  readonly other: number
}

export const standardLaziness: Laziness = { text: 2 << 20, other: 128 << 10 }

export interface UndrawnOptions {
  readonly lazy: Laziness
  readonly draw: (data: Uint8Array) => void
  /** After what was drawn, a line feed in the last row moves the whole screen, and text does nothing else than draw. */
  readonly scrolls: () => boolean
  /** So many line feeds move out all that can be seen now, wherever the cursor is. */
  readonly rows: () => number
}

/**
 * Output that is not drawn yet. Nobody sees what is drawn before it is looked at: it waits for that, and of a flood of
 * lines only those are drawn that can still be seen then (`ScrolledOut`).
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

  /** Draws all that waits. */
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
