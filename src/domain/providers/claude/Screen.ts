import { type ScreenFacts, type ScreenView, unrecognizedFacts } from "../../words/session/Screen.ts"
import { isHeavyRule, isRule, readOverlay, readUnder } from "./Dialog.ts"
import { readFlat } from "./ScreenFlat.ts"

/**
 * Reads Claude Code's screen by structure: the input box between two rules, the rows above and below it, and whatever
 * replaces it. The conversation is indented or marked, so a quoted dialog or spinner never starts a row the same way.
 */
export const readScreen = (view: ScreenView): ScreenFacts => {
  const { lines, title } = view
  const last = lastFilled(lines)
  const titleState = titleOf(title)
  if (last < 0) return { ...unrecognizedFacts, title: titleState, blank: true }
  const box = findBox(lines, last)
  if (box === null)
    return { ...unrecognizedFacts, ...(readFlat(view, last) ?? readOverlay(lines, last)), title: titleState }
  if (isOtherView(lines, box, title)) return { ...unrecognizedFacts, picker: true, title: titleState }
  const below = lines.slice(box.bottom + 1, last + 1)
  // In the classic renderer an older box and footer may remain above the element that takes the keys.
  const modeRow = below.findLastIndex((line) => modeLine.test(line))
  if (!hasCursor(view, box) && !hasMenu(lines, box) && below.some((line, y) => y > modeRow && isNoFooter(line)))
    return { ...unrecognizedFacts, ...readUnder(below), title: titleState }
  const above = readAbove(lines, box.top)
  // The user's own status line is above the mode line, and may have any content.
  const mode = below[modeRow]
  return {
    ...unrecognizedFacts,
    box: { draft: saysEmpty(view, box, below) ? "" : readDraft(view, box) },
    picker: hasMenu(lines, box) || below.some((line) => searchLine.test(line)),
    working: above.working || (mode !== undefined && mode.includes(" · esc to interrupt")),
    interrupted: above.interrupted,
    background:
      mode !== undefined ? countBackground(mode, below, above.awaited ?? 0) : (above.awaited ?? above.leftRunning),
    activity: above.activity,
    title: titleState,
    ...(above.finished ? { resting: true } : {}),
    ...continuation(below),
    ...(above.loginRequired || isLoggedOut(lines, box, below) ? { loggedOut: true } : {}),
    ...(mode !== undefined && vimMode.test(mode) ? { mute: true } : {})
  }
}

/** Whether the keys go to the box. Whatever stands below it is then the user's own status line. */
const hasCursor = ({ cursor }: ScreenView, { bottom, top }: Box): boolean => cursor.y > top && cursor.y < bottom

const limitRow = /^ {2}⚠ \S/
const continueRow = /^ {4}(?:.*\bcontinu\w* (?:automatically )?)?(\S.*?) · Esc to cancel\b/i

/**
 * The row below the box that announces the continuation after a limit, and the key that prevents it. The words may
 * differ.
 */
const continuation = (below: ReadonlyArray<string>): Pick<ScreenFacts, "continues"> => {
  const from = below.findIndex((line) => limitRow.test(line))
  const when = from < 0 ? undefined : continueRow.exec(below[from + 1] ?? "")?.[1]
  return when === undefined ? {} : { continues: when }
}

/** The footer and the user's status line are indented by two columns, and have no pointer. */
const isNoFooter = (line: string): boolean => /^ ?[^\s]/.test(line) || /^ {0,4}[❯›] {1,3}\d{1,2}\. \S/.test(line)

interface Box {
  readonly top: number
  readonly bottom: number
}

const modeLine = /^ {2}(?:-- [A-Z -]+ -- )?(?:⏸|⏵⏵) .+ on\b/
/** In vim mode Escape belongs to the editor, and the mode line does not show that it interrupts. */
const vimMode = /^ {2}-- /
/** The note at the right edge, above the box or after the mode line. */
const loggedOutNote = / {8,}Not logged in · .*\/login$/
const searchLine = /^ {2}search (?:prompts|history):/
const promptRow = /^[❯!#&](?:[\s\u00a0]|$)/
const spinnerRow = /^[·✢✳✶✻✽*∗] (?! )(?:[^…]{1,60}…|.*· retrying in \d+)/iu
/** The end of a turn, with the number of its background tasks that still run. */
const doneRow = /^[·✢✳✶✻✽*∗] \p{Lu}\S* for (?:.*?)((?: · \d+ \w+(?: \w+)? still running)+)$/u
/** The end of a turn with the time of day, which no row within a turn has. Older versions have only the duration. */
const finishedRow = /^[·✢✳✶✻✽*∗] (?!Thought )\p{Lu}\S* for (?:.*· done \d|(?:\d+[hms] ?)+$)/u
const awaitRow = /^[·✢✳✶✻✽*∗] Waiting for (\d+) background /u
const interruptRow = /^ {2}⎿ {1,2}\s?Interrupted\b/
const loginRequiredRow = /^ {2}⎿ {1,2}\s?Not logged in · .*\/login$/
const queuedRow = /^ {2}⎿ {1,2}Queued · /
const runningRow = /^ {2}⎿ {1,2}Running…(?: \(\w+\))?$/
const menuRow = /^ {2}(?:❯ | {2})(?:\/\S|[+*◇] \S)/
/** Older versions have another spinner. */
const titleOf = (title: string): "work" | "rest" | null =>
  /^[◐◑◒◓\u2801-\u28ff] /u.test(title) ? "work" : /^✳ /u.test(title) ? "rest" : null

const lastFilled = (lines: ReadonlyArray<string>) => {
  let y = lines.length - 1
  while (y >= 0 && lines[y] === "") y--
  return y
}

/** The upper rule of a box whose first rows are scrolled away: no prompt sign follows. */
const scrolledRule = /^─{3} ↑ \d+ more ─+$/

const findBox = (lines: ReadonlyArray<string>, last: number): Box | null => {
  for (let bottom = last; bottom > 1; bottom--) {
    if (!isRule(lines[bottom] ?? "")) continue
    for (let y = bottom - 1; y >= 0; y--) {
      const line = lines[y] ?? ""
      if (scrolledRule.test(line)) return { top: y, bottom }
      if (isRule(line) || isHeavyRule(line)) break
      if (promptRow.test(line) && isRule(lines[y - 1] ?? "")) return { top: y - 1, bottom }
    }
  }
  return null
}

/** The agents view has its own box, for a new session. */
const isOtherView = (lines: ReadonlyArray<string>, box: Box, title: string): boolean =>
  title.endsWith("claude agents") ||
  lines.slice(box.bottom + 1).some((line) => /^ {2}enter to (?:return|open)\b/.test(line))

/** Without colours (`NO_COLOR`, `CI`) a placeholder looks like text; its shape and the footer's hint identify it. */
const saysEmpty = (view: ScreenView, box: Box, below: ReadonlyArray<string>): boolean =>
  /^❯\sTry ".+"$/u.test(view.lines[box.top + 1] ?? "") &&
  below.some((line) => /^ {2}(?:⏸ .* on · )?\? for shortcuts(?: {2,}| · |$)/.test(line)) &&
  // Reading colours is slowest, so it comes last.
  view.runs(box.top).every(({ foreground }) => foreground === "")

const readDraft = (view: ScreenView, box: Box): string => {
  const rows: Array<string> = []
  for (let y = box.top + 1; y < box.bottom; y++) rows.push((view.lines[y] ?? "").slice(2).trimEnd())
  const text = rows.join("\n").replaceAll("\u00a0", " ").trim()
  if (text === "") return ""
  const first = view.lines[box.top + 1] ?? ""
  const shell = /^[❯ ]/.test(first) ? "" : first.slice(0, 1)
  // A placeholder is faint, except for the cell under the cursor, which is its first letter.
  const faint = view.faint(box.top + 1)
  const placeholder =
    rows.length === 1 &&
    view.cursor.x <= 2 &&
    faint.slice(3).trim() !== "" &&
    faint.slice(3).trimEnd() === first.slice(3).trimEnd()
  if (placeholder) return shell
  return rows.length === 1 && hasArgumentHint(view, box.top + 1)
    ? shell + first.slice(2, view.cursor.x).trim()
    : shell + text
}

/** After a command and a blank with the cursor, its arguments are hinted at in their own colour. */
const hasArgumentHint = (view: ScreenView, y: number): boolean => {
  const { cursor, lines } = view
  const line = lines[y] ?? ""
  const rest = line.slice(cursor.x + 1).trimEnd()
  if (rest === "" || line[cursor.x] !== " " || !/^\/\S+ $/.test(line.slice(2, cursor.x))) return false
  if (
    view
      .faint(y)
      .slice(cursor.x + 1)
      .trimEnd() === rest
  )
    return true
  const hint = view.runs(y).find(({ x }) => x === cursor.x + 1)
  return hint !== undefined && hint.foreground !== "" && hint.text.trimEnd() === rest
}

/** Suggestions are directly above the box, or below it in the classic renderer. */
const hasMenu = (lines: ReadonlyArray<string>, { bottom, top }: Box): boolean =>
  menuRow.test(lines[top - 1] ?? "") || menuRow.test(lines[bottom + 1] ?? "")

/** A row without the panel at its right, which begins with a vertical line. */
const leftPanel = (row: string): string => {
  const line = row.indexOf("│")
  return line < 0 ? row : row.slice(0, line).trimEnd()
}

/** Reads the last block of the conversation and the rows between it and the box. */
const readAbove = (lines: ReadonlyArray<string>, top: number) => {
  let interrupted = false
  let working = false
  let activity: string | null = null
  /** The background tasks that the conversation's last row waits for; null: none. */
  let awaited: number | null = null
  /** The background tasks counted in the row that ends the last turn; null: no count. */
  let leftRunning: number | null = null
  let finished = false
  /** The last prompt was rejected, because there is no login. */
  let loginRequired = false
  let rowsBelow = 0
  for (let y = top - 1; y >= 0 && top - y < 60; y--) {
    const line = leftPanel(lines[y] ?? "")
    if (line.trim() === "" || isEffortNote(line)) continue
    if (line.startsWith(" ")) {
      if (interruptRow.test(line) && (rowsBelow === 0 || rowsBelow === wrappedRows(lines, y))) interrupted = true
      if (rowsBelow === 0 && loginRequiredRow.test(line)) loginRequired = true
      if (rowsBelow < 6 && queuedRow.test(line)) {
        working = true
        activity ??= "a prompt is queued"
      }
      if (rowsBelow < 3 && runningRow.test(line)) working = true
      rowsBelow++
      continue
    }
    const waiting = awaitRow.exec(line)
    const done = doneRow.exec(line)
    if (rowsBelow === 0 && finishedRow.test(line)) finished = true
    if (done !== null) leftRunning = countOf(done[1] ?? "", / · (\d+) \w+(?: \w+)? still running/g)
    if (waiting !== null) awaited = Number(waiting[1])
    else if (spinnerRow.test(line)) {
      working = true
      activity = line
        .slice(2)
        .replace(/\s*\(.*$/u, "")
        .trim()
    } else if (isQueuedPrompt(line, lines, y)) continue
    break
  }
  return { working, interrupted, awaited, leftRunning, loginRequired, finished, activity }
}

/** The number of further rows that an interrupt notice takes on a narrow screen; -1: no such notice. */
const wrappedRows = (lines: ReadonlyArray<string>, y: number): number => {
  let text = lines[y] ?? ""
  let count = 0
  while (count < 4 && /^ {5}\S/.test(lines[y + count + 1] ?? "")) text += ` ${(lines[y + ++count] ?? "").trim()}`
  return /Interrupted · What should Claude do instead\?$/.test(text) ? count : -1
}

/** A queued prompt is drawn below the running turn, so the rows above it still count. */
const isQueuedPrompt = (line: string, lines: ReadonlyArray<string>, y: number) =>
  line.startsWith("❯ ") && queuedRow.test(lines[y + 1] ?? "")

/** Whether the screen shows that there is no login: Claude Code then accepts no prompt. */
const isLoggedOut = (lines: ReadonlyArray<string>, { top }: Box, below: ReadonlyArray<string>): boolean =>
  [lines[top - 1] ?? "", lines[top - 2] ?? "", ...below].some(
    (line) => line.includes("Not logged in") && loggedOutNote.test(line)
  )

/** The note about the effort level, at the right edge above the box. */
const isEffortNote = (line: string): boolean => /^ {20,}\S/.test(line)

const countBackground = (mode: string, below: ReadonlyArray<string>, awaited: number): number => {
  const count = countOf(mode, /· (\d+) (?:shell|monitor|task|agent|teammate)s?\b/g)
  const agents = below.filter((line) => /^ {2}[◯○] /u.test(line)).length
  return count + Math.max(agents, awaited)
}

const countOf = (row: string, pattern: RegExp): number =>
  [...row.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0)
