import type { ScreenView } from "../../words/session/Screen.ts"

/** Replaces the words of Copilot's `--screen-reader` by their marks, so that one reader reads both looks. */

const promptWords = /^Start of Prompt(?: Indicator|(?= {2,}|$))/
const pointerWords = /^([ │]{0,3})Current selection:? /
/** Beside a long label these words are wrapped, like the words for Esc: three columns. */
const splitPointer = /^Current {2,}(?=\S)/
/** The spinner's place is empty. */
const workWords = /(^ |· ) (?=(?:Loading|Working|Thinking|Executing|Cancelling|Waiting for)\b)/

/** The view with marks instead of a screen reader's words; the same view if it has none. */
export const withMarks = (view: ScreenView): ScreenView => {
  const prompt = view.lines.findLastIndex((line) => promptWords.test(line))
  const split = view.lines.findIndex(
    (line, y) => splitPointer.test(line) && /^selection:/.test(view.lines[y + 1] ?? "")
  )
  if (prompt < 0 && split < 0 && !view.lines.some((line) => pointerWords.test(line))) return view
  const lines = view.lines.map((line) => line.replace(pointerWords, "$1❯ "))
  if (split >= 0) joinColumns(lines, split)
  if (prompt < 0) return { ...view, lines }
  const below = lines.findIndex((line, y) => y > prompt && /^[─╹▀]/.test(line))
  const bottom = below < 0 ? lines.length : below
  const rows = lines.slice(prompt, bottom).map(withoutPrompt)
  // Beside a long draft the words are wrapped too, into a column of their own width.
  const width = rows[0]?.text === "" ? 25 : Math.min(...rows.filter(({ text }) => text !== "").map(({ x }) => x))
  rows.forEach(({ text, x }, y) => {
    lines[prompt + y] = ((y === 0 ? "❯ " : "  ") + " ".repeat(text === "" ? 0 : x - width) + text).trimEnd()
  })
  lines[bottom + 1] = (lines[bottom + 1] ?? "").replace(workWords, "$1● ")
  // Suggestions are two columns further left than with marks.
  let menu = prompt - 2
  while (menu >= 0 && /^(?:❯ | {2})\S/.test(lines[menu] ?? "")) menu--
  if (lines.slice(menu + 1, prompt - 1).some((line) => /^❯ [/@#]/.test(line)))
    for (let y = menu + 1; y < prompt - 1; y++) lines[y] = `  ${lines[y]}`
  const { cursor } = view
  const inBox = cursor.y >= prompt && cursor.y < bottom
  return { ...view, lines, cursor: inBox ? { ...cursor, x: Math.max(0, cursor.x - width + 2) } : cursor }
}

/** Joins the columns of the label at these words, as wide screens show them. */
const joinColumns = (lines: Array<string>, from: number): void => {
  const first = lines[from] ?? ""
  const left = splitPointer.exec(first)?.[0].length ?? 0
  const end = lines.findIndex((line, y) => y > from + 1 && !line.startsWith(" ".repeat(left)))
  const rows = lines.slice(from, end < 0 ? lines.length : end)
  const right = / \(Esc to\b/.exec(first)?.index ?? Infinity
  const esc = rows.map((row) => row.slice(right).trim()).join(" ")
  rows.forEach(
    (row, y) =>
      (lines[from + y] = `${y === 0 ? "❯" : " "} ${row
        .slice(left, right)
        .trim()
        .replace(/^(\d+\.)(?=\S)/, "$1 ")}`)
  )
  lines[from + rows.length - 1] = `${lines[from + rows.length - 1]} ${esc}`.trimEnd()
}

/** A row of the box: its text and the column where that begins. */
const withoutPrompt = (row: string, y: number): { readonly text: string; readonly x: number } => {
  const words = y === 0 ? promptWords.exec(row) : /^Indicator(?= {2,}|$)/.exec(row)
  const blank = " ".repeat(words?.[0].length ?? 0) + row.slice(words?.[0].length ?? 0)
  const text = blank.trim()
  return { text, x: blank.length - blank.trimStart().length }
}
