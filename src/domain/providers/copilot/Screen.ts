import { type InputBox, type ScreenFacts, type ScreenView, unrecognizedFacts } from "../../words/session/Screen.ts"
import { readDialog, readVisitRequest } from "./Dialog.ts"
import { boxAt, type Frame, isRule, panelAt, withoutSidebar } from "./ScreenFrame.ts"
import { withMarks } from "./ScreenWords.ts"

/** The content of the row below the input box. `activity`: the CLI's own words for its work; null: none. */
interface Footer {
  readonly activity: string | null
  /** The row shows that nothing works. */
  readonly resting: boolean
  readonly stopping: boolean
  /** Something other than the input box takes the keys (help, search, the sidebar, vim's commands). */
  readonly picker: boolean
  readonly shell: boolean
  /** Background tasks that outlived their turn; null: the footer does not show them. */
  readonly background: number | null
}

const idle: Footer = { activity: null, resting: false, stopping: false, picker: false, shell: false, background: 0 }

/** The frames of the spinner: a growing circle. */
const spinner = /^[●◉◎○∙∘] (\S.*)$/u
/** The modes of the CLI and of the editor, which come first. */
const mode = new RegExp(
  String.raw`^(?:interactive|plan|autopilot|shell)(?: \(limited\))?$` +
    String.raw`|^(?:Manual Approval|Assisted Permissions|Allow All)$|^-- (?:INSERT|NORMAL) --$`,
  "i"
)
const hint =
  /^(?:← (?:open|use) sidebar|\/ commands|@ files|\/help show help|\d+ background \/(?:tasks|sessions)|Update: )/
const temporaryHint = /^(?:ctrl\+c|esc) again to |^copied to /
const focusElsewhere =
  /^(?:search · |any key close help)|^(?:←|→) .* sidebar help\b|^\/ commands · (?:q|b|o|g|m|ctrl\+e) /

/** The hint below a lone `$`: there Enter opens a terminal instead of the CLI. */
const terminalHint = /^enter open an interactive shell here\b/

const enqueueHint = /^ctrl\+\S+ enqueue\b/

const footerOf = (row: string): Footer | null => {
  // The model is displayed at the far right.
  const left = row.trim().split(/ {3,}/)[0] ?? ""
  if (temporaryHint.test(left)) return { ...idle, background: null }
  if (focusElsewhere.test(left)) return { ...idle, picker: true, background: null }
  if (terminalHint.test(left)) return { ...idle, shell: true, background: null }
  const segments = left.split(" · ")
  const spinnerIndex = segments.findIndex((segment) => spinner.test(segment))
  const shell = segments.some((segment) => /^shell$/i.test(segment))
  if (spinnerIndex >= 0 && segments.slice(0, spinnerIndex).every((segment) => mode.test(segment)))
    return { ...readActivity(segments[spinnerIndex] ?? ""), shell }
  if (!segments.some((segment) => mode.test(segment) || hint.test(segment))) return null
  const tasks = segments
    .map((segment) => /^(\d+) background \/tasks/.exec(segment)?.[1])
    .find((count) => count !== undefined)
  // A prompt can be queued only while another one runs.
  const resting = !segments.some((segment) => enqueueHint.test(segment))
  return { ...idle, resting, picker: segments.includes("-- NORMAL --"), shell, background: Number(tasks ?? 0) }
}

const readActivity = (segment: string): Footer => {
  const label = (spinner.exec(segment)?.[1] ?? "").replace(/(?: {2,}| +(?:esc |ctrl\+|\(Esc )).*$/, "")
  if (label.startsWith("Loading")) return { ...idle, background: null }
  if (label.startsWith("Cancelling")) return { ...idle, stopping: true, background: null }
  if (label.startsWith("Waiting for background ")) return { ...idle, resting: true, background: 1 }
  return { ...idle, activity: label, background: 0 }
}

/**
 * Reads GitHub Copilot CLI's screen by structure. It owns the whole terminal: tabs in the first row, the conversation,
 * and at the bottom either the input box (between two rules, or in a frame of half blocks) with its footer, or what
 * replaces both. Only these elements start in the first column: the conversation is indented, so a quoted dialog or
 * footer never looks the same. Older versions have no tabs and mark the blocks of the conversation in the first column.
 */
export const readScreen = (drawn: ScreenView): ScreenFacts => {
  const view = withMarks(drawn)
  const { cursor } = view
  const lines = withoutSidebar(view.lines)
  const last = lines.findLastIndex((line) => line !== "")
  if (last < 0) return { ...unrecognizedFacts, blank: true }
  const cols = lines === view.lines ? view.cols : Math.max(...lines.map((line) => line.length))
  const frame = boxAt(lines, cols, last)
  if (frame === null) {
    const dialog = readDialog(lines, cols, last)
    return {
      ...unrecognizedFacts,
      dialog,
      picker: dialog === null && (panelAt(lines, cols, last) !== null || ownsKeys(lines, last) || isOtherTab(view))
    }
  }
  // A free-text answer is typed into the box, which is then below the question and without a footer.
  const above = isRule(lines[frame.top - 1] ?? "", cols) ? readDialog(lines, cols, frame.top - 1) : null
  if (above !== null) return { ...unrecognizedFacts, dialog: above }
  const footer = footerOf(lines[frame.bottom + 1] ?? "")
  // Without a known footer the frame is half drawn, covers the CLI's state, or is no input box.
  if (footer === null)
    return { ...unrecognizedFacts, dialog: readVisitRequest(lines.slice(frame.top + 1, frame.bottom)) }
  const { activity, cancelled, loggedOut, queued } = readAbove(lines, frame.top)
  return {
    ...unrecognizedFacts,
    box: readBox(lines, frame, cursor, footer.shell),
    picker: footer.picker || hasMenu(lines, frame.top),
    working: footer.activity !== null || activity !== null || (queued && !footer.stopping),
    interrupted: footer.stopping || cancelled,
    ...(footer.stopping && !cancelled ? { stopping: true } : {}),
    background: footer.background,
    activity: activity ?? footer.activity ?? (queued ? "a prompt is queued" : null),
    resting: footer.resting && activity === null && !queued,
    loggedOut
  }
}

const keyHint = /(?:^| |· )(?:esc (?:to )?(?:cancel|close|exit|go back)|enter (?:to )?(?:select|confirm|open|edit))\b/i

/** Whether something other than a box or a dialog takes the keys: another tab, a picker, settings. */
const ownsKeys = (lines: ReadonlyArray<string>, last: number): boolean => {
  // In a terminal that answers colour queries, brackets do not mark the tab.
  if (/^ +Current .*\[\w|: current tab: (?!Current\b)/.test(lines[0] ?? "")) return true
  return lines.slice(Math.max(0, last - 2), last + 1).some((row) => keyHint.test(row))
}

/**
 * Whether another tab is open. Only colours show this: the conversation's tab then has the background of closed tabs.
 */
const isOtherTab = ({ lines, runs }: ScreenView): boolean => {
  if (!/(?:^|│) {1,2}Current +Sessions /.test(lines[0] ?? "")) return false
  const tabs = runs(0).filter(({ background, text }) => background !== "" && text.trim() !== "")
  const current = tabs.findIndex(({ text }) => text.trim() === "Current")
  return (
    current >= 0 && tabs.some(({ background }, index) => index !== current && background === tabs[current]?.background)
  )
}

const readBox = (
  lines: ReadonlyArray<string>,
  frame: Frame,
  cursor: ScreenView["cursor"],
  footerShell: boolean
): InputBox => {
  const rows = lines.slice(frame.top + 1, frame.bottom)
  const first = rows[0] ?? ""
  const shell = footerShell || first.startsWith("!")
  const typedPart = (row: string, index: number) => {
    const mayHaveHint =
      index === 0 &&
      rows.length === 1 &&
      cursor.visible &&
      cursor.y === frame.top + 1 &&
      (shell || /^[❯┃] \//.test(row))
    if (!mayHaveHint) return row.slice(2)
    // Text after the cursor is only a suggestion there: the hint of an empty shell box, or the completion of a command.
    const typed = beforeCell(row, cursor.x).slice(2)
    const isHint = shell ? cursor.x <= 2 : completes(typed, row.slice(2 + typed.length))
    return isHint ? typed : row.slice(2)
  }
  const draft = rows.map(typedPart).join("\n").replaceAll("\u00a0", " ").trim()
  // A message typed into a shell box would run as a command.
  return { draft: shell ? `!${draft}` : draft }
}

/** Whether a text completes a command: the rest of its name, and its arguments in brackets. */
const completes = (typed: string, rest: string): boolean =>
  /^\/[\w-]+ ?$|^\/$/.test(typed) && /^[\w-]*(?: ?[[<(].*)?\s*┃?\s*$/.test(rest)

/** The part of an ASCII row before a column; the whole row if it has wide characters. */
const beforeCell = (row: string, x: number): string => (/^[\x20-\x7e❯┃\u00a0]*$/.test(row) ? row.slice(0, x) : row)

/** The number of suggestions displayed at once. */
const menuRows = 6

/** Suggestions replace the row above the box, with one selected; rows that they do not need are empty. */
const hasMenu = (lines: ReadonlyArray<string>, top: number): boolean => {
  let y = top - 1
  while (y > top - 2 - menuRows && lines[y] === "") y--
  for (; y > 0 && /^[┃ ] (?:❯ | {2})\S/.test(lines[y] ?? ""); y--) {
    if (/^[┃ ] ❯ [/@#]/.test(lines[y] ?? "")) return true
  }
  return false
}

/** A row without the scroll bar at its right edge. */
const withoutScrollbar = (row: string): string => {
  const text = row.trimEnd()
  return text.endsWith("┃") || text.endsWith("█") ? text.slice(0, -1).trimEnd() : text
}
/** A circle in the first column: a notice, a block of the conversation (in older versions), or the growing spinner. */
const circleRow = /^[●◉◎○∙∘] (\S.*)$/u
/** Work that can be cancelled is going on. */
const cancelHint = / \(Esc to cancel\b.*\)$/
const cancelRow = /^ ?● Operation cancelled by user$/
/** A queued prompt is marked in the row below it, or, in a frame of half blocks, at the end of its text. */
const pendingRow = /^ {3}└ \[pending\b/
const pendingMark = / \(pending(?: · [^()]*)?\)$/
const upperFrame = /^ ▄{5,}$/
const lowerFrame = /^ ▀{5,}$/

/** The row of work, directly on the directory's row or on the box; a blank row separates other notices from these. */
const indicatorRow = (lines: ReadonlyArray<string>, top: number): number =>
  circleRow.test(lines[top - 1] ?? "") ? top - 1 : top - 2

/** Reads the row of work, the notices above the directory's row, and the end of the conversation above them. */
const readAbove = (lines: ReadonlyArray<string>, top: number) => {
  /** Work beside the conversation (compaction). */
  let activity: string | null = null
  let loggedOut = false
  const from = indicatorRow(lines, top)
  for (let y = from; y > 0; y--) {
    const line = withoutScrollbar(lines[y] ?? "")
    if (line === "") continue
    const circled = circleRow.exec(line)?.[1]
    if (circled !== undefined && !cancelRow.test(line) && (y === from || cancelHint.test(line)))
      activity ??= circled.replace(cancelHint, "").replace(/\s*\(\d+\w*\)$/, "")
    if (/^Please use \/login\b/.test(line)) loggedOut = true
    // A prompt in the first column begins the last turn of an older version's conversation.
    if (/^❯ /.test(line)) break
    if (/^\S/.test(line) && !cancelRow.test(line)) continue
    const queued = lowerFrame.test(line) ? isPending(lines, y) : pendingRow.test(line) && isPrompt(lines, y)
    return { activity, cancelled: cancelRow.test(line), loggedOut, queued }
  }
  return { activity, cancelled: false, loggedOut, queued: false }
}

/** Whether the rows above belong to a prompt. A reply is indented further, so it cannot look like one. */
const isPrompt = (lines: ReadonlyArray<string>, below: number): boolean => {
  let y = below - 1
  while (y > 0 && /^ {3}/.test(lines[y] ?? "")) y--
  return /^ ❯ /.test(lines[y] ?? "")
}

/** Whether the prompt whose frame ends here is marked as pending at the end of its text, which may be wrapped. */
const isPending = (lines: ReadonlyArray<string>, lower: number): boolean => {
  const above = lines.slice(0, lower).map(withoutScrollbar)
  const rows = above.slice(above.findLastIndex((row) => upperFrame.test(row)) + 1)
  const text = rows
    .map((row, index) => (index === 0 ? row.replace(/ +\d{1,2}:\d\d(?: ?[AP]M)?$/i, "") : row.trimStart()))
    .join(" ")
  return /^ {2}❯ /.test(text) && pendingMark.test(text)
}
