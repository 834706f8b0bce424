/** The last bytes of an output, in the pieces in which they came. */
export interface OutputTail {
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly size: number
}

export const noOutput: OutputTail = { pieces: [], size: 0 }

/** The tail after one piece more: at least the last `length` bytes, and less than a piece beyond them. */
export const append = ({ pieces, size }: OutputTail, piece: Uint8Array, length: number): OutputTail => {
  const last = piece.length > length ? piece.slice(-length) : piece
  let from = 0
  let kept = size + last.length
  // a piece that lies before the last `length` bytes as a whole is not needed
  for (let first = pieces[from]; first !== undefined && kept - first.length >= length; first = pieces[from]) {
    kept -= first.length
    from++
  }
  return { pieces: [...pieces.slice(from), last], size: kept }
}

/** The tail as text. */
export const textOf = ({ pieces }: OutputTail): string => {
  const decoder = new TextDecoder()
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode()
}
