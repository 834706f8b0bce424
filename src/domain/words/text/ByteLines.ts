/**
 * Lines of a CLI's output. Effect's `Ndjson` ends at the first line that is too long or not JSON, and its `splitLines`
 * keeps a line however long it grows. In contrast to Lines.ts these are bytes that end in a newline, and an overlong
 * line is skipped.
 */

import { concat } from "./Bytes.ts"

/** The longest line that is read, in bytes; a longer one is skipped and reported. */
export const lineLimit = 16 << 20

/** One line of a stream, or the size of a skipped line. */
export type ByteLine =
  | { readonly _tag: "Line"; readonly text: string }
  | { readonly _tag: "Overlong"; readonly size: number }

/** An unfinished line. `size` counts skipped bytes too. */
export interface Lines {
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly size: number
}

export const noLines: Lines = { pieces: [], size: 0 }

const newline = 10

const ended = (lines: Lines, limit: number): ByteLine =>
  lines.size > limit
    ? { _tag: "Overlong", size: lines.size }
    : { _tag: "Line", text: new TextDecoder().decode(concat(lines.pieces, lines.size)) }

const add = (lines: Lines, piece: Uint8Array, limit: number): Lines => {
  const size = lines.size + piece.length
  return { size, pieces: size > limit ? [] : [...lines.pieces, piece] }
}

/** Splits bytes at newlines, whatever the chunks. The kept bytes never exceed the limit. */
export const splitLines = (
  state: Lines,
  chunk: Uint8Array,
  limit = lineLimit
): readonly [Lines, ReadonlyArray<ByteLine>] => {
  const lines: Array<ByteLine> = []
  let now = state
  let from = 0
  for (let to = chunk.indexOf(newline); to >= 0; to = chunk.indexOf(newline, from)) {
    lines.push(ended(add(now, chunk.subarray(from, to), limit), limit))
    now = noLines
    from = to + 1
  }
  return [from === chunk.length ? now : add(now, chunk.slice(from), limit), lines]
}

/** At the end of the stream, a rest without a newline is a line too. */
export const lastLine = (state: Lines, limit = lineLimit): ReadonlyArray<ByteLine> =>
  state.size === 0 ? [] : [ended(state, limit)]

// Some CLIs set a title or reset the terminal before they print JSON.
// oxlint-disable-next-line no-control-regex
const sequences =
  /^(?:\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[ -/]*[0-~]|[\u0000-\u001f])+/

/** A line as JSON: null if blank, the text itself if not JSON. A raw NUL inside JSON is read as that character. */
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
