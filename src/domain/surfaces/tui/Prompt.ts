import { clean, shorten, width, wrap } from "./Cells.ts"
import { type Editor, empty, isEmpty, pressLine, replaceRange } from "./Editor.ts"
import { shownLine } from "./EditorRows.ts"
import { graphemes } from "./EditorText.ts"
import { bareOf, commandOf, type Key } from "./Keys.ts"
import { placeAfter, stepOf, topAround } from "./List.ts"
import type { Size } from "./Layout.ts"
import { type PaintFrame, span, type StyledLine } from "./Paint.ts"

/** A question on the cursor's line and those below it: which of some choices, or for a text where there are none. */
export interface Prompt {
  readonly message: string
  readonly choices: ReadonlyArray<{ readonly title: string; readonly key?: string }>
  /** The choice that Enter takes. */
  readonly marked: number
  readonly field: Editor
  /** The text that nothing entered stands for. */
  readonly given: string
  /** Why what was entered cannot be taken. */
  readonly why: string | null
  /** What the text may go on as, where that is several. */
  readonly offers: ReadonlyArray<string>
}

export const start = (message: string, own: Partial<Prompt> = {}): Prompt => ({
  message,
  choices: [],
  marked: 0,
  field: empty,
  given: "",
  why: null,
  offers: [],
  ...own
})

/** What stands before the cursor. */
export const beforeCursor = ({ field }: Prompt): string => field.text.slice(0, field.cursor)

/** The longest text that all of these begin with, in whole characters. */
const commonStart = ([first = "", ...others]: ReadonlyArray<string>): string => {
  let common = ""
  for (const { segment } of graphemes(first)) {
    if (!others.every((one) => one.startsWith(common + segment))) break
    common += segment
  }
  return common
}

/**
 * The text before the cursor as far as the names of these folders complete it, as a shell does: the only one with a `/`
 * behind, what several have in common, and those to choose from where that is nothing more. Null: nobody could tell.
 */
export const complete = (prompt: Prompt, names: ReadonlyArray<string> | null): Prompt => {
  const text = beforeCursor(prompt)
  const from = text.lastIndexOf("/") + 1
  const [only] = names ?? []
  if (names === null || only === undefined)
    return { ...prompt, offers: [], why: names === null ? "that directory does not answer" : "no directory begins so" }
  const whole = names.length === 1 ? `${only}/` : commonStart(names)
  const isMore = whole.length > text.length - from
  const field = isMore ? replaceRange(prompt.field, from, text.length, whole) : prompt.field
  return { ...prompt, field, why: null, offers: isMore ? [] : names }
}

/** What was entered. */
export const textOf = ({ field, given }: Prompt): string => field.text.trim() || given

/** More than a path has, or a message that is not better written elsewhere. */
const textMost = 4_000

/** The prompt after a key, and whether that ends it. */
export const press = (prompt: Prompt, key: Key): readonly [prompt: Prompt, end: "enter" | "leave" | null] => {
  if (["escape", "ctrl+c", "ctrl+d"].includes(key.key)) return [prompt, "leave"]
  if (bareOf(key) === "enter") return [prompt, "enter"]
  if (prompt.choices.length === 0) {
    const field = pressLine(prompt.field, key, textMost) ?? prompt.field
    const isSame = field.text === prompt.field.text
    return [{ ...prompt, field, ...(isSame ? {} : { why: null, offers: [] }) }, null]
  }
  const letters = key.key === "text" && "text" in key ? graphemes(key.text) : []
  if (letters.length > 1)
    return letters.reduce<ReturnType<typeof press>>(
      ([now, end], { segment }) => (end === null ? press(now, { key: "text", text: segment }) : [now, end]),
      [prompt, null]
    )
  const at = prompt.choices.findIndex((choice) => choice.key === commandOf(key).toLowerCase())
  if (at >= 0) return [{ ...prompt, marked: at }, "enter"]
  const by = stepOf(key, prompt.choices.length, true)
  return [
    by === null ? prompt : { ...prompt, marked: placeAfter(prompt.marked, by, prompt.choices.length, true) },
    null
  ]
}

/** The least number of columns for a text. */
const entryRoom = 8
/** Rows of what it may go on as. */
const offerRows = 4

/** What is to be seen of it; the cursor is in the first row, and nowhere where nothing is written. */
export const view = (
  { choices, field, given, marked, message, offers, why }: Prompt,
  { cols, rows }: Size
): PaintFrame => {
  if (choices.length === 0) {
    const question = `${shorten(message, cols - entryRoom - 1)} `
    const room = Math.max(0, cols - width(question) - 1)
    const entry = shownLine(field, room)
    return {
      lines: [
        [
          span(question, "accent", true),
          isEmpty(field) ? span(shorten(clean(given), room), "faint") : span(entry.text)
        ],
        ...(why === null ? [] : [[span(shorten(`  ${clean(why)}`, cols - 1), "bad")]]),
        ...wrap(offers.map((name) => `${name}/`).join("  "), cols - 3, Math.min(offerRows, rows - 2)).map(
          (row): StyledLine => [span(`  ${row}`, "faint")]
        )
      ],
      cursor: { x: width(question) + entry.x, y: 0 }
    }
  }
  const question = wrap(message, Math.max(1, cols - 1), Math.max(1, Math.min(3, rows - 2)))
  const shown = Math.max(1, Math.min(choices.length, rows - question.length - 1))
  const top = topAround(marked, shown, choices.length)
  return {
    lines: [
      ...question.map((line): StyledLine => [span(line, "accent", true)]),
      ...choices
        .slice(top, top + shown)
        .map(({ title }, i): StyledLine => [
          span(top + i === marked ? "❯ " : "  ", "accent", true),
          span(shorten(clean(title), cols - 3), "plain", top + i === marked)
        ])
    ],
    cursor: null
  }
}

/** What stays of it: the question, and its answer where it has one. */
export const answered = (prompt: Prompt, cols: number, isTaken: boolean): StyledLine => {
  const answer = isTaken ? (prompt.choices[prompt.marked]?.title ?? textOf(prompt)) : ""
  return [span(shorten(clean(`${prompt.message} ${answer}`), cols - 1), "accent", true)]
}
