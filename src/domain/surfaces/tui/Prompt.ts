import { clean, shorten, width, wrap } from "./Cells.ts"
import { type Editor, empty, isEmpty, pressLine, replaceRange, shownLine } from "./Editor.ts"
import { graphemes } from "./EditorText.ts"
import { bareOf, commandOf, type Key } from "./Keys.ts"
import { placeAfter, stepOf, topAround } from "./List.ts"
import type { Size } from "./Layout.ts"
import { type PaintFrame, span, type StyledLine } from "./Paint.ts"

/** A question below the cursor: one of several choices, or a text if there are none. */
export interface Prompt {
  readonly message: string
  readonly choices: ReadonlyArray<{ readonly title: string; readonly key?: string }>
  readonly marked: number
  readonly field: Editor
  /** The default text. */
  readonly given: string
  readonly why: string | null
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

export const beforeCursor = ({ field }: Prompt): string => field.text.slice(0, field.cursor)

/** The longest common start, in whole characters. */
const commonStart = ([first = "", ...others]: ReadonlyArray<string>): string => {
  let common = ""
  for (const { segment } of graphemes(first)) {
    if (!others.every((one) => one.startsWith(common + segment))) break
    common += segment
  }
  return common
}

/**
 * Completes the text before the cursor from the names of these folders, as a shell does: a single match with a `/`,
 * else the common start, else the matches to choose from. Null: the names are unknown.
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

export const textOf = ({ field, given }: Prompt): string => field.text.trim() || given

/** More than any path has; longer messages are better written elsewhere. */
const textMost = 4_000

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

const entryRoom = 8
const offerRows = 4

/** The rows of the prompt. The cursor is in the first row; null for choices. */
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

/** The rows that stay on the screen: the question, and its answer, if any. */
export const answered = (prompt: Prompt, cols: number, isTaken: boolean): StyledLine => {
  const answer = isTaken ? (prompt.choices[prompt.marked]?.title ?? textOf(prompt)) : ""
  return [span(shorten(clean(`${prompt.message} ${answer}`), cols - 1), "accent", true)]
}
