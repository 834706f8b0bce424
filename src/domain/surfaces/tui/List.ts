import { clean, pad, shorten, width, wrap } from "./Cells.ts"
import { bareOf, commandOf, type Key } from "./Keys.ts"
import { span, type StyledLine } from "./Paint.ts"

/** The common parts of all lists: keys that move through them, options with a mark, visible rows. */

const near: Readonly<Record<string, number>> = {
  up: -1,
  "ctrl+p": -1,
  "wheel-up": -3,
  home: -Infinity,
  down: 1,
  "ctrl+n": 1,
  "wheel-down": 3,
  end: Infinity
}
const letters: Readonly<Record<string, number>> = { k: -1, j: 1, g: -Infinity, G: Infinity }

/** How far a key moves; null for other keys. `page`: rows of a page. `plain`: letters move too. */
export const stepOf = (key: Key, page: number, plain = false): number | null => {
  const name = bareOf(key)
  if (name === "page-up" || name === "page-down") return name === "page-up" ? -page : page
  return near[name] ?? (plain ? letters[commandOf(key)] : undefined) ?? null
}

/** As {@link stepOf}, for a text that is only read. */
export const scrollOf = (key: Key): number | null => stepOf(key, 8, true) ?? (commandOf(key) === " " ? 8 : null)

/** The position after a move from `at` among `count`. `wraps`: the first follows the last. */
export const placeAfter = (at: number, by: number, count: number, wraps = false): number =>
  wraps && Math.abs(by) === 1 && count > 0 ? (at + by + count) % count : Math.max(0, Math.min(count - 1, at + by))

/** The first visible row, chosen so that row `at` is in the middle if possible. */
export const topAround = (at: number, rows: number, count: number): number =>
  Math.max(0, Math.min(at - Math.floor(rows / 2), count - rows))

export const moreText = (above: number, below: number): string =>
  [
    ...(above > 0 ? [`${above} more above`] : []),
    ...(below > 0 ? [`${below} more${above > 0 ? " below" : ""}`] : [])
  ].join(", ")

/** The rows from `top` on, and a count of the others. At least one row is shown. */
export const scrolledRows = (
  lines: ReadonlyArray<StyledLine>,
  top: number,
  rows: number
): ReadonlyArray<StyledLine> => {
  if (lines.length <= rows) return lines
  const room = Math.max(1, rows - 1)
  const from = Math.min(top, lines.length - room)
  return [...lines.slice(from, from + room), [span(`  … ${moreText(from, lines.length - room - from)}`, "faint")]]
}

interface Option {
  readonly number: number | null
  readonly label: string
}

/** The marked option after an arrow or a number key; null for any other key. */
export const markedAfter = (options: ReadonlyArray<Option>, marked: number, key: Key, plain = false): number | null => {
  const by = stepOf(key, options.length, plain)
  if (by !== null) return placeAfter(marked, by, options.length)
  const at = options.findIndex(({ number }) => String(number) === commandOf(key))
  return at < 0 ? null : at
}

export const answerOf = ({ label, number }: Option): string => (number === null ? label : String(number))

/** Labels from models are cut before anything else. */
const labelMost = 600

/** The options around the marked one (null: none is marked), and a count of the others. */
export const optionRows = (
  options: ReadonlyArray<Option>,
  marked: number | null,
  cols: number,
  rows: number
): ReadonlyArray<StyledLine> => {
  const top = topAround(marked ?? 0, rows, options.length)
  const below = options.length - top - rows
  return options.slice(top, top + rows).map(({ label, number }, i): StyledLine => {
    const isMarked = top + i === marked
    const more = (i === 0 && top > 0 ? ` ↑${top}` : "") + (i === rows - 1 && below > 0 ? ` ↓${below}` : "")
    return [
      span(isMarked ? "❯ " : "  ", "accent", true),
      span(`${number ?? "-"} `, "accent"),
      span(shorten(clean(label.slice(0, labelMost)), Math.max(1, cols - 5 - width(more))), "plain", isMarked),
      ...(more === "" ? [] : [span(more, "accent")])
    ]
  })
}

/** The choice of the pressed key; "leave" for a key that closes; null for any other. */
export const chosenBy = <C extends { readonly key: string }>(
  choices: ReadonlyArray<C>,
  key: Key
): C | "leave" | null => {
  const pressed = commandOf(key)
  const of = (wanted: string): C | undefined => choices.find(({ key }) => key === wanted)
  return of(pressed) ?? of(pressed.toLowerCase()) ?? (["escape", "ctrl+c", "n", "q"].includes(pressed) ? "leave" : null)
}

/** As many complete hints as fit. The first is always there, cut if necessary. */
export const hintsIn = ([first = "", ...others]: ReadonlyArray<string>, cols: number): string => {
  let text = shorten(first, cols)
  for (const other of others) {
    const longer = `${text} · ${other}`
    if (width(longer) > cols) break
    text = longer
  }
  return text
}

/** A key or name and its description, which begins in column `at`, in `cols` columns. */
export const entryRows = (name: string, does: string, at: number, cols: number): ReadonlyArray<StyledLine> =>
  wrap(does, Math.max(8, cols - at), Infinity).map((row, i): StyledLine => [
    span(pad(i === 0 ? name : "", at - 1), "accent"),
    span(` ${row}`)
  ])

/** A question with its choices, each complete if there is room. */
export const choiceRows = (
  question: string,
  choices: ReadonlyArray<{ readonly key: string; readonly label: string }>,
  cols: number
): ReadonlyArray<string> => {
  const rows: Array<string> = []
  let row = clean(question)
  for (const [i, { key, label }] of choices.entries()) {
    const choice = clean(`${key} ${label}`)
    const longer = `${row}${i === 0 ? " " : " · "}${choice}`
    if (width(longer) <= cols) row = longer
    else {
      rows.push(row)
      row = `  ${choice}`
    }
  }
  return [...rows, row].map((text) => shorten(text, cols))
}
