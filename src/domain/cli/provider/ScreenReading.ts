import { readCommon } from "./CommonScreen.ts"
import type { Detection } from "./Detection.ts"
import type { ScreenFacts, ScreenView } from "../../words/session/Screen.ts"

export const readOnce = (read: (view: ScreenView) => ScreenFacts): ((view: ScreenView) => ScreenFacts) => {
  let last: { readonly view: ScreenView; readonly facts: ScreenFacts } | null = null
  return (view) => {
    if (last?.view !== view) last = { view, facts: read(view) }
    return last.facts
  }
}

/** A session's screen reader: the CLI's own, and what is measured for all CLIs, once for each new row. */
export const sessionReader = ({
  readScreen: own,
  refusedPrompt
}: Pick<Detection, "readScreen" | "refusedPrompt">): ((view: ScreenView) => ScreenFacts) => {
  const rowOf = makeRows()
  return readOnce((drawn) => {
    const rows = drawn.lines.map(rowOf)
    const view = rows.some(({ isPlain }) => !isPlain) ? withPlainBlanks(drawn) : drawn
    const facts = own(view)
    if (facts.box !== null) {
      const plain = view === drawn ? rows : view.lines.map(rowOf)
      const refused = plain.flatMap((row) => row.refused ?? [])
      const last = refused.at(-1)
      const blocked = plain.filter(({ text }) => refusedPrompt?.test(text) === true).length
      return {
        ...facts,
        ...measure(plain, facts),
        ...(last === undefined ? {} : { refused: last, refusals: refused.length }),
        ...(blocked === 0 ? {} : { blocked })
      }
    }
    return facts.dialog === null && !facts.picker && !facts.blank ? { ...facts, common: readCommon(view) } : facts
  })
}

interface Row {
  readonly text: string
  readonly isPlain: boolean
  readonly letters: number
  readonly hasCaret: boolean
  readonly refused: string | null
  /** Its part in a checksum: the addend, and the multiplier of the sum before it. */
  readonly sum: number
  readonly factor: number
}

/** The limit of cached rows: more than any screen has. */
const rowLimit = 1_000

const makeRows = (): ((text: string) => Row) => {
  const known = new Map<string, Row>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size >= rowLimit) known.clear()
    const row = rowOf(text)
    known.set(text, row)
    return row
  }
}

const otherBlank = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]/

const plainBlanks = (row: string): string =>
  otherBlank.test(row)
    ? row
        .replaceAll(/[\u200b\u2060\ufeff]/g, "")
        .replaceAll(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, " ")
        .trimEnd()
    : row

export const withPlainBlanks = (view: ScreenView): ScreenView =>
  view.lines.some((row) => otherBlank.test(row))
    ? { ...view, lines: view.lines.map(plainBlanks), faint: (y) => plainBlanks(view.faint(y)) }
    : view

/** A row of an input box: its caret, which may follow a border. */
const caretRow = /^ {0,3}(?:[│┃|] ?)?[❯›>](?:\s|$)/u

/** How CLIs report an unknown slash command, after the mark of a row; in most it is the whole row. */
const refusedRow = /^ {0,2}\S? ?(?:Unknown|Unrecogni[sz]ed) (?:slash )?command:? ['"`]?(\/[^\s'"`]+)/i

const rowOf = (text: string): Row => {
  let sum = 0
  let factor = 1
  for (let at = 0; at < text.length; at++) {
    sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
    factor = Math.imul(factor, 31)
  }
  return {
    text,
    isPlain: !otherBlank.test(text),
    letters: countLetters(text),
    hasCaret: caretRow.test(text),
    refused: refusedRow.exec(text)?.[1]?.replace(/\.$/, "") ?? null,
    sum: (Math.imul(sum, 31) + 10) | 0,
    factor: Math.imul(factor, 31)
  }
}

/** Without a row that has a caret, all rows count, but the draft's letters do not. */
const measure = (
  rows: ReadonlyArray<Row>,
  { activity, box, working }: ScreenFacts
): Required<Pick<ScreenFacts, "letters" | "picture">> => {
  const caret = rows.findLastIndex(({ hasCaret }) => hasCaret)
  const above = caret < 0 ? rows : rows.slice(0, caret)
  let letters = caret < 0 ? -countLetters(box?.draft ?? "") : 0
  for (const row of above) letters += row.letters
  if (!working) return { letters, picture: 0 }
  const below = activity === null ? [] : rows.slice(above.length).filter(({ text }) => text.includes(activity))
  return { letters, picture: checksum([...above, ...below]) }
}

/** Two different screens almost never have the same one. */
const checksum = (rows: ReadonlyArray<Row>): number =>
  rows.reduce((all, { factor, sum }) => (Math.imul(all, factor) + sum) | 0, 1)

/** Digits and marks do not count: they change with a timer or a spinner. */
const countLetters = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80 ? (code | 32) >= 0x61 && (code | 32) <= 0x7a : code >= 0xc0 && (code < 0x2000 || code > 0x2bff))
      count++
  }
  return count
}
