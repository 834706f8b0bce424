import { stripControls } from "../../engine/queue/MessageText.ts"
import { graphemesIn } from "../../words/text/graphemes.ts"

/** More than any visible character has; only text near the cursor is segmented. */
const reach = 128

/** A text without controls, with line feeds as line ends. */
export const cleanPasted = (text: string): string => stripControls(text.toWellFormed().replace(/\r\n?/g, "\n"))

export const graphemes = (text: string): ReadonlyArray<{ readonly index: number; readonly segment: string }> =>
  /^[\x20-\x7e\n]*$/.test(text) ? [...text].map((segment, index) => ({ index, segment })) : [...graphemesIn(text)]

export const graphemeAfter = (text: string, at: number): number => {
  const [first] = graphemesIn(text.slice(at, at + reach))
  return first === undefined ? at : at + first.segment.length
}

export const graphemeBefore = (text: string, at: number): number => {
  const from = Math.max(0, at - reach)
  const last = [...graphemesIn(text.slice(from, at))].at(-1)
  return last === undefined ? at : from + last.index
}

/** A piece is a word of its own. */
const word = /[\u{100000}-\u{10fffd}]|[^\s\u{100000}-\u{10fffd}]+/gu

export const wordBefore = (text: string, at: number): number => [...text.slice(0, at).matchAll(word)].at(-1)?.index ?? 0

export const wordAfter = (text: string, at: number): number => {
  const [first] = text.slice(at).matchAll(word)
  return first === undefined ? text.length : at + first.index + first[0].length
}
