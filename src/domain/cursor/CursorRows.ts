import type { ScreenView } from "../Screen.ts"

/** The rows of Cursor Agent's screen by their form: its prompt, its frames, what stands between them. */

/** A row without the frame of the box that it stands in. */
export const inner = (line: string | undefined): string => (line ?? "").replace(/^\s*│/, " ").replace(/│\s*$/, "").trimEnd()

/** Half blocks over and under the prompt, edges of boxes, rules. */
export const isFrame = (line: string | undefined): boolean => /^[\s│]*(?:[▄▀]{4,}|[┌└╭╰├][─━]*[┐┘╮╯┤]?|[─━]{4,}[┐┘╮╯]?)[\s│]*$/.test(line ?? "")

const isBar = (line: string | undefined): boolean => /^\s*▄{4,}\s*$/.test(line ?? "")
const isTop = (line: string | undefined): boolean => /^\s*(?:▄{4,}|[┌╭][─━]{4,}[┐╮]?)\s*$/.test(line ?? "")
const isBottom = (line: string | undefined): boolean => /^\s*(?:▀{4,}|[└╰][─━]{4,}[┘╯]?)\s*$/.test(line ?? "")
const isBlank = (line: string | undefined): boolean => inner(line).trim() === ""

/** The keys that a choice names at its end, as Cursor Agent prints them: `(y)`, `(esc or n)`, `(shift+tab)`. */
const keyHint = /(?:^|\s)\(((?:[a-z]|esc|enter|tab|shift\+tab)(?: or (?:[a-z]|esc|enter|tab))*)\)(?: \(enter\))?$/i

/** The keys of a choice; none where its text names none. */
export const keysOf = (text: string): ReadonlyArray<string> => {
  const bracketed = /^\[([a-z])\] /i.exec(text)?.[1]
  if (bracketed !== undefined) return [bracketed.toLowerCase()]
  return keyHint.exec(text.trim())?.[1]?.toLowerCase().split(" or ") ?? []
}

export const isKeyed = (line: string | undefined): boolean => keyHint.test(inner(line).trim())

/** A row that the arrow stands on: the prompt, or the chosen one of several. */
export const isPointed = (line: string | undefined): boolean => /^ {0,6}[→▶](?: |$)/.test(inner(line))

/** What the foot of a picker says. */
export const isPickerFoot = (line: string | undefined): boolean =>
  /^\s*(?:[↑↓] more (?:above|below)\b|(?:[↑↓/]+ .*)?\b(?:Esc to (?:close|go back|cancel|skip)|Enter to (?:select|confirm)|Tab to switch sections|(?:Use arrow keys|↑\/?↓) to navigate)\b)/.test(inner(line))

/** Rows that stand under a live dialog and are none of it. */
export const isFoot = (line: string | undefined): boolean =>
  isBlank(line) || isFrame(line) || /^\s*(?:ctrl\+[a-z] to \S.*|[↑↓] more (?:above|below)|Waiting for approval\.\.\.)$/.test(inner(line))

/** The input row and its frame. `top` and `bottom` are the rows around it. */
export interface Prompt {
  readonly at: number
  readonly top: number
  readonly bottom: number
  readonly framed: boolean
  /** The text of its first row, without the hint at the right. */
  readonly first: string
  readonly hint: boolean
}

const stopHint = /\s+ctrl\+c to stop\s*$/i
/** The prompt and all that may be listed under it. */
const reach = 40
/** Without a frame, only the rows of the model and the directory stand under the prompt. */
const reachUnframed = 16

const promptAt = (lines: ReadonlyArray<string>, at: number, last: number): Prompt => {
  const framed = isTop(lines[at - 1])
  let bottom = at + 1
  while (bottom <= last && !(framed ? isBottom(lines[bottom]) : isBlank(lines[bottom]) || isFrame(lines[bottom]))) bottom++
  const row = inner(lines[at])
  const hint = stopHint.test(row)
  return { at, top: framed ? at - 1 : at, bottom, framed, first: row.replace(stopHint, "").replace(/^\s*→ ?/, "").trimEnd(), hint }
}

/** The input row: the one in a frame, else the lowest that the arrow stands on and that is no choice. */
export const findPrompt = (lines: ReadonlyArray<string>, last: number): Prompt | null => {
  const rows: Array<number> = []
  for (let y = last; y >= 0 && last - y < reach; y--) if (/^ {0,4}→(?: |$)/.test(inner(lines[y]))) rows.push(y)
  // Only the half blocks are the prompt's own; a box of lines can be quoted over a prompt without a frame.
  const framed = rows.find((y, index) => (isBar(lines[y - 1]) || index === 0 && isTop(lines[y - 1])) && promptAt(lines, y, last).bottom <= last)
  if (framed !== undefined) return promptAt(lines, framed, last)
  const at = rows[0]
  if (at === undefined || at === last || last - at >= reachUnframed || isKeyed(lines[at]) || /^\s*│/.test(lines[at] ?? "")) return null
  return lines.slice(at + 1, last + 1).some((line) => isKeyed(line) || isPickerFoot(line)) ? null : promptAt(lines, at, last)
}

const placeholders = /^(?:Plan, search, build anything|Add a follow-up|Ask anything)$/

/** The unsent text in the prompt. */
export const readDraft = (view: ScreenView, prompt: Prompt): string => {
  const { at, bottom, first } = prompt
  const text = first.trim()
  if (placeholders.test(text)) return ""
  // What is faint is a placeholder, but for the caret, which stands on its first letter.
  const x = (view.lines[at] ?? "").indexOf(text)
  if (text.length > 1 && view.faint(at).slice(x + 1, x + text.length).trimEnd() === text.slice(1)) {
    return /^Run a command\b/.test(text) ? "!" : ""
  }
  // Shell mode runs whatever is typed.
  if (/^Run a command(?: — e\.g\., .*)?$/.test(text)) return "!"
  const more = view.lines.slice(at + 1, bottom).map((line) => inner(line).replace(/^ {0,4}/, ""))
  return [first, ...more].join("\n").trim()
}
