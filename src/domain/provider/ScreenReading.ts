import { readCommon } from "./CommonScreen.ts"
import type { ScreenFacts, ScreenView } from "../session/Screen.ts"

/**
 * A screen reader that reads each view once: the facts of the last view are cached, and served while there is no
 * output.
 */
export const readOnce = (read: (view: ScreenView) => ScreenFacts): ((view: ScreenView) => ScreenFacts) => {
  let last: { readonly view: ScreenView; readonly facts: ScreenFacts } | null = null
  return (view) => {
    if (last?.view !== view) last = { view, facts: read(view) }
    return last.facts
  }
}

/** How a session reads its CLI's screen: the CLI's own reader, and what is measured of the screens of all CLIs. */
export const sessionReader = (own: (view: ScreenView) => ScreenFacts): ((view: ScreenView) => ScreenFacts) =>
  readOnce((drawn) => {
    const view = withPlainBlanks(drawn)
    const facts = own(view)
    if (facts.box !== null) return { ...facts, ...measure(view.lines, facts.box.draft, facts) }
    return facts.dialog === null && !facts.picker && !facts.blank ? { ...facts, common: readCommon(view) } : facts
  })

const otherBlank = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]/

/** A row in which every blank is the common one; those without a width are gone. */
const plainBlanks = (row: string): string =>
  otherBlank.test(row)
    ? row
        .replaceAll(/[\u200b\u2060\ufeff]/g, "")
        .replaceAll(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, " ")
        .trimEnd()
    : row

/** The same screen with plain blanks: which of Unicode's a CLI writes differs between versions, and means nothing. */
export const withPlainBlanks = (view: ScreenView): ScreenView =>
  view.lines.some((row) => otherBlank.test(row))
    ? { ...view, lines: view.lines.map(plainBlanks), faint: (y) => plainBlanks(view.faint(y)) }
    : view

/** A row of an input box: its caret, which may stand behind a border. */
const caretRow = /^ {0,3}(?:[│┃|] ?)?[❯›>](?:\s|$)/u

/** Where the box is not seen, all rows are taken, and the letters of the draft are not counted. */
const measure = (
  lines: ReadonlyArray<string>,
  draft: string,
  { activity, working }: ScreenFacts
): Required<Pick<ScreenFacts, "letters" | "picture">> => {
  const box = lines.findLastIndex((line) => caretRow.test(line))
  const above = box < 0 ? lines : lines.slice(0, box)
  let letters = box < 0 ? -countLetters(draft) : 0
  for (const line of above) letters += countLetters(line)
  if (!working) return { letters, picture: 0 }
  const below = activity === null ? [] : lines.slice(above.length).filter((line) => line.includes(activity))
  return { letters, picture: checksum([...above, ...below]) }
}

/** Of two pictures that differ it is almost never the same. */
const checksum = (lines: ReadonlyArray<string>): number => {
  let sum = 1
  for (const line of lines) {
    for (let at = 0; at < line.length; at++) sum = (Math.imul(sum, 31) + line.charCodeAt(at)) | 0
    sum = (Math.imul(sum, 31) + 10) | 0
  }
  return sum
}

/** Digits and marks are no letters: they change while time is counted, and while a wheel turns. */
const countLetters = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80 ? (code | 32) >= 0x61 && (code | 32) <= 0x7a : code >= 0xc0 && (code < 0x2000 || code > 0x2bff))
      count++
  }
  return count
}
