/** The longest line that is read; a longer one is passed over and reported. In bytes. */
export const lineLimit = 16 << 20

/** One line of a stream, or how long one was that had to be passed over. */
export type Line = { readonly _tag: "Line"; readonly text: string } | { readonly _tag: "Overlong"; readonly size: number }

/** A line whose end has not come. `size` counts the bytes that were passed over too. */
export interface Lines {
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly size: number
}

export const noLines: Lines = { pieces: [], size: 0 }

const newline = 10

const join = ({ pieces, size }: Lines): Uint8Array => {
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

const ended = (lines: Lines, limit: number): Line =>
  lines.size > limit
    ? { _tag: "Overlong", size: lines.size }
    : { _tag: "Line", text: new TextDecoder().decode(join(lines)) }

const add = (lines: Lines, piece: Uint8Array, limit: number): Lines => {
  const size = lines.size + piece.length
  return { size, pieces: size > limit ? [] : [...lines.pieces, piece] }
}

/** Splits bytes at newlines. Where a stream is cut makes no difference, and what is kept of it never exceeds the limit. */
export const splitLines = (state: Lines, chunk: Uint8Array, limit = lineLimit): readonly [Lines, ReadonlyArray<Line>] => {
  const lines: Array<Line> = []
  let now = state
  let from = 0
  for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
    lines.push(ended(add(now, chunk.subarray(from, to), limit), limit))
    now = noLines
    from = to + 1
  }
  return [from === chunk.length ? now : add(now, chunk.slice(from), limit), lines]
}

/** The stream has ended: what was left without a newline is a line too. */
export const lastLine = (state: Lines, limit = lineLimit): ReadonlyArray<Line> => state.size === 0 ? [] : [ended(state, limit)]

// Some CLIs set a title or reset the terminal before they print JSON.
// oxlint-disable-next-line no-control-regex
const sequences = /^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]|[\u0000-\u001f])+/

/** A line as JSON; null for a blank one; the text itself where it is none. A raw NUL inside JSON is read as the character it is. */
export const readLine = (text: string): unknown => {
  const bare = text.replace(sequences, "").trim()
  if (bare === "") return null
  // oxlint-disable-next-line no-control-regex
  const whole = bare.replace(/\u0000/g, "\\u0000")
  try {
    return JSON.parse(whole) as unknown
  } catch {
    return text
  }
}
