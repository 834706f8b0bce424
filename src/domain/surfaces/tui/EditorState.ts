/** A part of the text that counts as one character: a long paste (shown folded) or a picture. */
export type Piece =
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "image"; readonly path: string }

/** An edited text of several lines. Its pieces are characters of plane 16, whose numbers come from `markOf`. */
export interface Editor {
  readonly text: string
  readonly cursor: number
  readonly pieces: ReadonlyArray<Piece>
  /** The last cut text, for Ctrl+Y. */
  readonly cut: string
  /** The column that Up and Down keep; null after any other key. */
  readonly goal: number | null
  readonly past: ReadonlyArray<{ readonly text: string; readonly cursor: number }>
}

const firstMark = 0x100000
export const marks = /[\u{100000}-\u{10fffd}]/gu

export const markOf = (index: number): string => String.fromCodePoint(firstMark + index)

/** The piece of a character; undefined for any other character. */
export const pieceAt = ({ pieces }: Pick<Editor, "pieces">, char: string): Piece | undefined =>
  pieces[(char.codePointAt(0) ?? 0) - firstMark]
