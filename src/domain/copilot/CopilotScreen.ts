import type { InputBox, ScreenFacts, ScreenView } from "../Screen.ts"
import { dialogIn } from "./CopilotDialogs.ts"
import { footerOf } from "./CopilotFooter.ts"
import { boxAt, type Frame, isRule, panelAt, withoutSidebar } from "./CopilotFrame.ts"

/**
 * Reads GitHub Copilot CLI's screen by structure. It owns the whole terminal: tabs in the first row, the conversation,
 * and at the bottom either the input box between two rules with its footer, or what replaces both. Only this chrome starts
 * in the first column: the conversation is indented, so a dialog or a footer that a reply quotes never looks the same.
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
    return { ...nothing, dialog, picker: dialog === null && (panelAt(lines, cols, last) !== null || ownsKeys(lines, last)) }
  }
  // An answer in one's own words is typed into the box, under its question and without a footer.
  const above = isRule(lines[frame.top - 1] ?? "", cols) ? dialogIn(lines, cols, frame.top - 1) : null
  if (above !== null) return { ...nothing, dialog: above }
  const footer = footerOf(lines[frame.bottom + 1] ?? "")
  // Without a footer that is known the frame is half drawn, or hides what the CLI does.
  if (footer === null) return nothing
  const { activity, cancelled, loggedOut, queued } = readAbove(lines, frame.top)
  return {
    ...nothing,
    box: readBox(lines, frame, cursor),
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
  const tabs = /^ ?\[?Current\]? +\[?Sessions\]?/.exec(lines[0] ?? "")
  if (tabs !== null && !(lines[0] ?? "").startsWith("[Current]")) return true
  return lines.slice(Math.max(0, last - 2), last + 1).some((row) => keyHint.test(row))
}

const readBox = (lines: ReadonlyArray<string>, frame: Frame, cursor: ScreenView["cursor"]): InputBox => {
  const rows = lines.slice(frame.top + 1, frame.bottom)
  const first = rows[0] ?? ""
  const shell = first.startsWith("!")
  const typed = (row: string, index: number) => {
    const shown = index === 0 && rows.length === 1 && cursor.visible && cursor.y === frame.top + 1 && (shell || row.startsWith("❯ /"))
    // What follows the cursor there is only proposed: an empty shell box says what it is for, a command is completed.
    return shown && (cursor.x <= 2 || !shell) ? beforeCell(row, cursor.x).slice(2) : row.slice(2)
  }
  const draft = rows.map(typed).join("\n").replaceAll("\u00a0", " ").trim()
  // A message typed into a shell box would be run as a command.
  return { draft: shell ? `!${draft}` : draft }
}

/** The part of an ASCII row before a column: where wide characters stand, the whole. */
const beforeCell = (row: string, x: number): string => /^[\x20-\x7e❯!\u00a0]*$/.test(row) ? row.slice(0, x) : row

/** Suggestions stand in place of the row over the box, one of them selected. */
const hasMenu = (lines: ReadonlyArray<string>, top: number): boolean => {
  let y = top - 1
  while (y > top - 3 && lines[y] === "") y--
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

const noticeRow = /^[●◉◎○∙∘] (\S.*)$/u
const cancelRow = /^ ● Operation cancelled by user$/
const pendingRow = /^ {3}└ \[pending\b/

/** The notices over the directory's row, and the end of the conversation over them. */
const readAbove = (lines: ReadonlyArray<string>, top: number): Above => {
  let activity: string | null = null
  let loggedOut = false
  // The directory's row may be turned off.
  for (let y = noticeRow.test(lines[top - 1] ?? "") ? top - 1 : top - 2; y > 0; y--) {
    const line = (lines[y] ?? "").replace(/[ ]*[┃█]$/u, "").trimEnd()
    if (line === "") continue
    const notice = noticeRow.exec(line)?.[1]
    if (notice !== undefined) activity ??= notice.replace(/\s*\(\d+\w*\)$/, "")
    if (/^Please use \/login\b/.test(line)) loggedOut = true
    if (/^\S/.test(line)) continue
    return { activity, cancelled: cancelRow.test(line), loggedOut, queued: pendingRow.test(line) && isPrompt(lines, y) }
  }
  return { activity, cancelled: false, loggedOut, queued: false }
}

/** The rows above belong to a prompt: a reply is indented further, so it cannot show one. */
const isPrompt = (lines: ReadonlyArray<string>, below: number): boolean => {
  let y = below - 1
  while (y > 0 && /^ {3}/.test(lines[y] ?? "")) y--
  return /^ ❯ /.test(lines[y] ?? "")
}
