import type { InputBox, ScreenFacts, ScreenView } from "../Screen.ts"
import { dialogIn, visitIn } from "./CopilotDialogs.ts"
import { footerOf } from "./CopilotFooter.ts"
import { boxAt, type Frame, isRule, panelAt, withoutSidebar } from "./CopilotFrame.ts"

/**
 * Reads GitHub Copilot CLI's screen by structure. It owns the whole terminal: tabs in the first row, the conversation,
 * and at the bottom either the input box (between two rules, or in a frame of half blocks) with its footer, or what replaces
 * both. Only this chrome starts in the first column: the conversation is indented, so a dialog or a footer that a reply
 * quotes never looks the same.
 */
export const readScreen = (view: ScreenView): ScreenFacts => {
  const { cursor } = view
  const lines = withoutSidebar(view.lines)
  const last = lines.findLastIndex((line) => line !== "")
  if (last < 0) return { ...nothing, blank: true }
  const cols = lines === view.lines ? view.cols : Math.max(...lines.map((line) => line.length))
  const frame = boxAt(lines, cols, last)
  if (frame === null) {
    const dialog = dialogIn(lines, cols, last)
    return { ...nothing, dialog, picker: dialog === null && (panelAt(lines, cols, last) !== null || ownsKeys(lines, last) || isElsewhere(view)) }
  }
  // An answer in one's own words is typed into the box, under its question and without a footer.
  const above = isRule(lines[frame.top - 1] ?? "", cols) ? dialogIn(lines, cols, frame.top - 1) : null
  if (above !== null) return { ...nothing, dialog: above }
  const footer = footerOf(lines[frame.bottom + 1] ?? "")
  // Without a footer that is known the frame is half drawn, hides what the CLI does, or is no box.
  if (footer === null) return { ...nothing, dialog: visitIn(lines.slice(frame.top + 1, frame.bottom)) }
  const { activity, cancelled, loggedOut, queued } = readAbove(lines, frame.top)
  return {
    ...nothing,
    box: readBox(lines, frame, cursor, footer.shell),
    picker: footer.picker || hasMenu(lines, frame.top),
    working: footer.activity !== null || activity !== null || queued && !footer.stopping,
    interrupted: footer.stopping || cancelled,
    background: footer.background,
    activity: activity ?? footer.activity ?? (queued ? "a prompt is queued" : null),
    resting: footer.resting && activity === null && !queued,
    loggedOut
  }
}

const nothing: ScreenFacts = {
  box: null, dialog: null, picker: false, working: false, interrupted: false, background: null, activity: null,
  title: null, blank: false
}

const keyHint = /(?:^| |· )(?:esc (?:to )?(?:cancel|close|exit|go back)|enter (?:to )?(?:select|confirm|open|edit))\b/i

/** Neither box nor dialog: another tab, a picker, settings. */
const ownsKeys = (lines: ReadonlyArray<string>, last: number): boolean => {
  // Where the terminal has told its colours the tab is not named by brackets.
  if (/^ +Current .*\[\w/.test(lines[0] ?? "")) return true
  return lines.slice(Math.max(0, last - 2), last + 1).some((row) => keyHint.test(row))
}

/** Another tab than the conversation's is open, which its colour alone says: the conversation's looks like one more that is not. */
const isElsewhere = ({ lines, runs }: ScreenView): boolean => {
  if (!/(?:^|│) {1,2}Current +Sessions /.test(lines[0] ?? "")) return false
  const tabs = runs(0).filter(({ background, text }) => background !== "" && text.trim() !== "")
  const current = tabs.findIndex(({ text }) => text.trim() === "Current")
  return current >= 0 && tabs.some(({ background }, index) => index !== current && background === tabs[current]?.background)
}

const readBox = (lines: ReadonlyArray<string>, frame: Frame, cursor: ScreenView["cursor"], told: boolean): InputBox => {
  const rows = lines.slice(frame.top + 1, frame.bottom)
  const first = rows[0] ?? ""
  const shell = told || first.startsWith("!")
  const typed = (row: string, index: number) => {
    const shown = index === 0 && rows.length === 1 && cursor.visible && cursor.y === frame.top + 1 && (shell || /^[❯┃] \//.test(row))
    // What follows the cursor there is only proposed: an empty shell box says what it is for, a command is completed.
    return shown && (cursor.x <= 2 || !shell) ? beforeCell(row, cursor.x).slice(2) : row.slice(2)
  }
  const draft = rows.map(typed).join("\n").replaceAll("\u00a0", " ").trim()
  // A message typed into a shell box would be run as a command.
  return { draft: shell ? `!${draft}` : draft }
}

/** The part of an ASCII row before a column: where wide characters stand, the whole. */
const beforeCell = (row: string, x: number): string => /^[\x20-\x7e❯┃\u00a0]*$/.test(row) ? row.slice(0, x) : row

/** So many suggestions are shown at once. */
const menuRows = 6

/** Suggestions stand in place of the row over the box, one of them selected; where fewer are left, the rows of the others are empty. */
const hasMenu = (lines: ReadonlyArray<string>, top: number): boolean => {
  let y = top - 1
  while (y > top - 2 - menuRows && lines[y] === "") y--
  for (; y > 0 && /^[┃ ] (?:❯ | {2})\S/.test(lines[y] ?? ""); y--) {
    if (/^[┃ ] ❯ [/@#]/.test(lines[y] ?? "")) return true
  }
  return false
}

interface Above {
  /** What goes on beside the conversation (compaction). */
  readonly activity: string | null
  /** The conversation ends with an interrupted turn. */
  readonly cancelled: boolean
  readonly loggedOut: boolean
  /** A prompt waits for the end of the turn. */
  readonly queued: boolean
}

const scrollbar = / *[┃█]? *$/u
const noticeRow = /^[●◉◎○∙∘] (\S.*)$/u
const cancelRow = /^ ● Operation cancelled by user$/
/** A prompt that waits is marked under it, or, in a frame of half blocks, behind it. */
const pendingRow = /^ {3}└ \[pending\b/
const pendingMark = / \(pending(?: · [^()]*)?\)$/
const upperFrame = /^ ▄{5,}$/
const lowerFrame = /^ ▀{5,}$/

/** The notices over the directory's row, and the end of the conversation over them. */
const readAbove = (lines: ReadonlyArray<string>, top: number): Above => {
  let activity: string | null = null
  let loggedOut = false
  // The directory's row may be turned off.
  for (let y = noticeRow.test(lines[top - 1] ?? "") ? top - 1 : top - 2; y > 0; y--) {
    const line = (lines[y] ?? "").replace(scrollbar, "")
    if (line === "") continue
    const notice = noticeRow.exec(line)?.[1]
    if (notice !== undefined) activity ??= notice.replace(/\s*\(\d+\w*\)$/, "")
    if (/^Please use \/login\b/.test(line)) loggedOut = true
    if (/^\S/.test(line)) continue
    const queued = lowerFrame.test(line) ? isPending(lines, y) : pendingRow.test(line) && isPrompt(lines, y)
    return { activity, cancelled: cancelRow.test(line), loggedOut, queued }
  }
  return { activity, cancelled: false, loggedOut, queued: false }
}

/** The rows above belong to a prompt: a reply is indented further, so it cannot show one. */
const isPrompt = (lines: ReadonlyArray<string>, below: number): boolean => {
  let y = below - 1
  while (y > 0 && /^ {3}/.test(lines[y] ?? "")) y--
  return /^ ❯ /.test(lines[y] ?? "")
}

/** The prompt whose frame ends here says so behind its text, which may be wrapped; right of its first row stands the time. */
const isPending = (lines: ReadonlyArray<string>, lower: number): boolean => {
  const above = lines.slice(0, lower).map((line) => line.replace(scrollbar, ""))
  const rows = above.slice(above.findLastIndex((row) => upperFrame.test(row)) + 1)
  const text = rows.map((row, index) => index === 0 ? row.replace(/ +\d{1,2}:\d\d(?: ?[AP]M)?$/i, "") : row.trimStart()).join(" ")
  return /^ {2}❯ /.test(text) && pendingMark.test(text)
}
