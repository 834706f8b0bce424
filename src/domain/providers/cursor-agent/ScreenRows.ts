import type { ScreenView } from "../../words/session/Screen.ts"

/** The rows of Cursor Agent's screen by their form: its prompt, its frames, and the rows between. */

export const inner = (line: string | undefined): string =>
  (line ?? "").replace(/^\s*│/, " ").replace(/│\s*$/, "").trimEnd()

/** Half blocks above and below the prompt, edges of boxes, rules. */
export const isFrame = (line: string | undefined): boolean =>
  /^[\s│]*(?:[▄▀]{4,}|[┌└╭╰├][─━]*[┐┘╮╯┤]?|[─━]{4,}[┐┘╮╯]?)[\s│]*$/.test(line ?? "")

const isBar = (line: string | undefined): boolean => /^\s*▄{4,}\s*$/.test(line ?? "")
const isTop = (line: string | undefined): boolean => /^\s*(?:▄{4,}|[┌╭][─━]{4,}[┐╮]?)\s*$/.test(line ?? "")
const isBottom = (line: string | undefined): boolean => /^\s*(?:▀{4,}|[└╰][─━]{4,}[┘╯]?)\s*$/.test(line ?? "")
const isBlank = (line: string | undefined): boolean => inner(line).trim() === ""

/** The keys at the end of a choice, as Cursor Agent prints them: `(y)`, `(esc or n)`, `(shift+tab)`. */
const keyHint = /(?:^|\s)\(((?:[a-z]|esc|enter|tab|shift\+tab)(?: or (?:[a-z]|esc|enter|tab))*)\)(?: \(enter\))?$/i

export const keysOf = (text: string): ReadonlyArray<string> => {
  const bracketed = /^\[([a-z])\] /i.exec(text)?.[1]
  if (bracketed !== undefined) return [bracketed.toLowerCase()]
  return keyHint.exec(text.trim())?.[1]?.toLowerCase().split(" or ") ?? []
}

export const isKeyed = (line: string | undefined): boolean => keyHint.test(inner(line).trim())

export const isPointed = (line: string | undefined): boolean => /^ {0,6}[→▶](?: |$)/.test(inner(line))

const pickerFooter = new RegExp(
  String.raw`^\s*(?:[↑↓] more (?:above|below)\b|(?:[↑↓/]+ .*)?\b` +
    String.raw`(?:Esc to (?:close|go back|cancel|skip)|Enter to (?:select|confirm)|Tab to switch sections` +
    String.raw`|(?:Use arrow keys|↑\/?↓) to navigate)\b)`
)

export const isPickerFooter = (line: string | undefined): boolean => pickerFooter.test(inner(line))

/** Whether a row may follow an open dialog without being part of it. */
export const isFooter = (line: string | undefined): boolean =>
  isBlank(line) ||
  isFrame(line) ||
  /^\s*(?:ctrl\+[a-z] to \S.*|[↑↓] more (?:above|below)|Waiting for approval\.\.\.)$/.test(inner(line))

export interface Prompt {
  readonly row: number
  readonly top: number
  readonly bottom: number
  readonly framed: boolean
  readonly first: string
  readonly hint: boolean
}

const stopHint = /\s+ctrl\+c to stop\s*$/i
/** The most rows of the prompt and all that is listed below it. */
const reach = 40
/** Without a frame, only the rows of the model and the directory are below the prompt. */
const reachUnframed = 16

const promptAt = (lines: ReadonlyArray<string>, row: number, last: number): Prompt => {
  const framed = isTop(lines[row - 1])
  let bottom = row + 1
  while (bottom <= last && !(framed ? isBottom(lines[bottom]) : isBlank(lines[bottom]) || isFrame(lines[bottom])))
    bottom++
  const text = inner(lines[row])
  const hint = stopHint.test(text)
  return {
    row,
    top: framed ? row - 1 : row,
    bottom,
    framed,
    first: text
      .replace(stopHint, "")
      .replace(/^\s*→ ?/, "")
      .trimEnd(),
    hint
  }
}

/** The input row: the one in a frame, else the lowest row with the arrow that is not a choice. */
export const findPrompt = (lines: ReadonlyArray<string>, last: number): Prompt | null => {
  const rows: Array<number> = []
  for (let y = last; y >= 0 && last - y < reach; y--) if (/^ {0,4}→(?: |$)/.test(inner(lines[y]))) rows.push(y)
  // Half blocks are drawn only around the prompt; lines may be a quoted box above a prompt without a frame.
  const framed = rows.find(
    (y, index) =>
      (isBar(lines[y - 1]) || (index === 0 && isTop(lines[y - 1]))) && promptAt(lines, y, last).bottom <= last
  )
  if (framed !== undefined) return promptAt(lines, framed, last)
  const lowest = rows[0]
  if (
    lowest === undefined ||
    lowest === last ||
    last - lowest >= reachUnframed ||
    isKeyed(lines[lowest]) ||
    /^\s*│/.test(lines[lowest] ?? "")
  )
    return null
  return lines.slice(lowest + 1, last + 1).some((line) => isKeyed(line) || isPickerFooter(line))
    ? null
    : promptAt(lines, lowest, last)
}

const placeholders = /^(?:Plan, search, build anything|Add a follow-up|Ask anything)$/

export const readDraft = (view: ScreenView, prompt: Prompt): string => {
  const { bottom, first, row } = prompt
  const text = first.trim()
  if (placeholders.test(text)) return ""
  // Faint text is a placeholder, except for the cell under the cursor, which is its first letter.
  const x = (view.lines[row] ?? "").indexOf(text)
  if (
    text.length > 1 &&
    view
      .faint(row)
      .slice(x + 1, x + text.length)
      .trimEnd() === text.slice(1)
  ) {
    return /^Run a command\b/.test(text) ? "!" : ""
  }
  // In shell mode typed text runs as a command.
  if (/^Run a command(?: — e\.g\., .*)?$/.test(text)) return "!"
  const rest = view.lines.slice(row + 1, bottom).map((line) => inner(line).replace(/^ {0,4}/, ""))
  return [first, ...rest].join("\n").trim()
}
