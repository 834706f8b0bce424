export interface OutputTail {
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly size: number
}

export const noOutput: OutputTail = { pieces: [], size: 0 }

/** Appends a piece: at least the last `length` bytes stay, and less than one piece more. */
export const append = ({ pieces, size }: OutputTail, piece: Uint8Array, length: number): OutputTail => {
  const last = piece.length > length ? piece.slice(-length) : piece
  let from = 0
  let kept = size + last.length
  // A piece that lies wholly before the last `length` bytes is dropped.
  for (let first = pieces[from]; first !== undefined && kept - first.length >= length; first = pieces[from]) {
    kept -= first.length
    from++
  }
  return { pieces: [...pieces.slice(from), last], size: kept }
}

export const textOf = ({ pieces }: OutputTail): string => {
  const decoder = new TextDecoder()
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode()
}
