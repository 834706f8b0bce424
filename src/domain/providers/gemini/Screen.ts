import { type ScreenFacts, type ScreenView, unrecognizedFacts } from "../../words/session/Screen.ts"
import { isPointedOption } from "../../cli/provider/CommonScreen.ts"
import { readDialogAbove, readOverlay } from "./Dialog.ts"

/**
 * Reads Gemini CLI's screen by structure. From the bottom up: a footer, the input box between two full-width edges, a
 * mode line, a rule, the status line, a line for hints, queued prompts, and the conversation. The conversation is
 * indented or framed, so a quoted dialog or spinner never starts a row the same way; its prompts have edges like the
 * box, but neither rule nor mode line. A dialog replaces everything below the conversation.
 */
export const readScreen = (drawn: ScreenView): ScreenFacts => {
  const view = drawn.alternate ? withoutScrollbar(drawn) : drawn
  const { lines } = view
  const last = lines.findLastIndex((line) => line.trim() !== "")
  const title = titleOf(view.title)
  if (last < 0) return { ...unrecognizedFacts, title, blank: true }
  const box = findBox(lines, last) ?? findPlainBox(lines, last)
  if (box === null)
    return isRestarting(lines[last] ?? "")
      ? { ...unrecognizedFacts, title }
      : { ...unrecognizedFacts, ...readOverlay(lines, last), title }
  const draft = readDraft(lines, box)
  const status = readStatus(view, box)
  // If the box stays on screen, only the title tells an open dialog from an old one in the conversation.
  const dialog = title === "ask" ? readDialogAbove(lines, status.top - 1) : null
  return {
    ...unrecognizedFacts,
    box: { draft: draft.text },
    dialog,
    picker: draft.searching || hasMenu(lines, box, last, draft.text),
    working: status.working,
    interrupted: status.interrupted,
    background: box.mode === null ? null : backgroundOf(lines[box.mode] ?? ""),
    activity: status.activity,
    title,
    ...(title === "rest" && !status.working ? { resting: true } : {})
  }
}

/** On the alternate screen a scrolling conversation has a bar in the last column. */
const withoutScrollbar = (view: ScreenView): ScreenView => ({
  ...view,
  lines: view.lines.map((line) =>
    line.length === view.cols && line.endsWith("█") ? line.slice(0, -1).trimEnd() : line
  )
})

interface Box {
  readonly top: number
  readonly bottom: number
  readonly mode: number | null
  readonly rule: number | null
}

const titleOf = (title: string): "work" | "rest" | "ask" | null =>
  /^[✦⏲]/u.test(title) ? "work" : /^◇ {1,2}Ready\b/u.test(title) ? "rest" : /^✋/u.test(title) ? "ask" : null

const isRestarting = (line: string): boolean => /^ ?Gemini CLI is restarting\b/.test(line)

/** A row of at least 20 times one glyph, from the first column on. */
const isRule = (line: string): boolean => /^─{20,}$/.test(line)
const isUpper = (line: string): boolean => /^▄{20,}$/.test(line) || isRule(line)
const isBlockLower = (line: string): boolean => /^▀{20,}$/.test(line)
const isLower = (line: string): boolean => isBlockLower(line) || isRule(line)
/** Up to 0.38 the half blocks of the box are the other way round. */
const isOlderLower = (line: string): boolean => /^▄{20,}$/.test(line)

const promptRow = /^ ?(?:🎤 )?(?:([>!*])|(\(r:\))) (.*)$/u
const barePromptRow = /^ ?(?:🎤 )?(?:[>!*]|\(r:\))$/u
const isPrompt = (line: string): boolean => promptRow.test(line) || barePromptRow.test(line)
/** Rows that may follow a prompt of the conversation, but never the box: an answer, a notice, a frame. */
const conversationRow = /^(?:[✦✕ℹ⚠✓]| ?[╭╰│] ?)/u
/** Whether a row below the box belongs neither to the footer nor to suggestions, which are indented by one column. */
const isNoFooter = (line: string): boolean =>
  conversationRow.test(line) || /^[^\s▀▄─]/u.test(line) || isPointedOption(line)

/** The lowest box on screen, unless a row of the conversation or a dialog is below it. */
const findBox = (lines: ReadonlyArray<string>, last: number): Box | null => {
  for (let bottom = last; bottom > 1; bottom--) {
    const line = lines[bottom] ?? ""
    if (isNoFooter(line)) return null
    if (!isLower(line) && !isOlderLower(line)) continue
    // Without colours both edges look like the rule.
    let top = bottom - 1
    while (top >= 0 && !isUpper(lines[top] ?? "") && !isBlockLower(lines[top] ?? "")) top--
    if (top < 0 || !isPrompt(lines[top + 1] ?? "") || top + 1 >= bottom) continue
    const upper = lines[top] ?? ""
    if (isOlderLower(line) ? !isBlockLower(upper) : !isUpper(upper)) continue
    const rule = ruleAbove(lines, top)
    // A prompt of the conversation looks like the box, but is never empty; without details only an empty one is
    // certain.
    if (rule === null && !placeholder.test(promptRow.exec(lines[top + 1] ?? "")?.[3] ?? "")) return null
    return { top, bottom, rule, mode: rule === null || rule + 1 === top ? null : rule + 1 }
  }
  return null
}

/** The box in the look for a screen reader, without edges: the prompt is last, directly below the mode line. */
const findPlainBox = (lines: ReadonlyArray<string>, last: number): Box | null => {
  for (let y = last; y > 0 && last - y < 20; y--) {
    const line = lines[y] ?? ""
    if (isUpper(line) || isBlockLower(line) || conversationRow.test(line)) return null
    if (/^(?:[>!*]|\(r:\)) /.test(line) && modeRow.test(lines[y - 1] ?? ""))
      return { top: y - 1, bottom: last + 1, rule: y - 1, mode: y - 1 }
  }
  return null
}

/** The rule above the mode line, with a few lines (or, on the alternate screen, suggestions) between it and the box. */
const ruleAbove = (lines: ReadonlyArray<string>, top: number): number | null => {
  for (let y = top - 1; y >= Math.max(0, top - menuRows); y--) {
    const line = lines[y] ?? ""
    if (isRule(line)) return y
    if (top - y > 5 && !/^ {1,2}\S/.test(line)) return null
  }
  return null
}
/** Eight suggestions, the rows that scroll and count them, and the mode line above them. */
const menuRows = 13

/** A placeholder starts one cell to the right of text, because the first cell is the cursor's. */
const placeholder = /^ {2,3}(?:Type your (?:message|shell command)\b|Press '\w+' for (?:INSERT|NORMAL) mode\.)/

const readDraft = (lines: ReadonlyArray<string>, { bottom, top }: Box) => {
  const first = lines[top + 1] ?? ""
  const match = promptRow.exec(first)
  const shell = match === null ? /!$/.test(first) : match[1] === "!"
  const searching = match === null ? first.endsWith("(r:)") : match[2] !== undefined
  const indent = first.length - (match?.[3] ?? "").length
  const typed = match?.[3] ?? ""
  const below = lines.slice(top + 2, bottom)
  if (placeholder.test(typed) && below.every((line) => line.trim() === "")) return { text: shell ? "!" : "", searching }
  const rows = [typed, ...below.map((line) => line.slice(indent))]
  const text = rows
    .map((row) => row.trimEnd())
    .join("\n")
    .trim()
  return { text: shell ? `!${text}` : text, searching }
}

/** Suggestions, below the box or, on the alternate screen, above it: only for a draft that can have them. */
const hasMenu = (lines: ReadonlyArray<string>, { bottom, top, rule }: Box, last: number, draft: string): boolean => {
  if (!/^[/!]|(?:^|\s)@\S*$/.test(draft) || draft === "!") return false
  const below = lines.slice(bottom + 1, last + 1).filter((line) => line.trim() !== "")
  const above = lines.slice((rule ?? top - 1) + 1, top).filter((line) => line.trim() !== "" && !modeRow.test(line))
  return above.length > 0 || below.length > footerRows || below.some((line) => suggestionRow.test(line))
}

/** One row with the names of the footer's items, and one with their values. */
const footerRows = 2
const modeRow =
  /^ {0,2}(?:Shift\+Tab to |auto-accept edits|plan\b|manual\b|YOLO\b|shell mode enabled|raw markdown mode)/
/** The rows above and below a list that scrolls. */
const suggestionRow = /^ {1,2}(?:▲|▼|\(\d+\/\d+\))$/

const spinner = /^ ?[\u2800-\u28ff] (\S.*?)(?: \(esc to c.*)?(?: {3,}.*)?$/u
const screenReaderStatus = /^responding (?:\S.*?)?(?: \(esc to c.*)?$/
const cancelHint = /\(esc to c(?:ancel(?:, (?:\d+[hms] ?)+\)?)?)?/
/** A command runs without output, and the CLI suspects that it waits for input. */
const silentShell = /^ ?! Shell awaiting input\b/
const queuedRow = /^ {2}Queued \(press ↑ to edit\):$/

/** Reads the status line (two rows if wrapped), the queued prompts above it, and the conversation's end. */
const readStatus = (view: ScreenView, { rule, top }: Box) => {
  const { lines } = view
  let y = (rule ?? top) - 1
  // In a narrowed terminal the rule is wrapped.
  while (isRule(lines[y] ?? "")) y--
  let working = false
  let activity: string | null = null
  // These rows are never conversation: a line for hints always separates them.
  for (const row of [lines[y] ?? "", lines[y - 1] ?? ""]) {
    const found = spinner.exec(row)
    const silent = silentShell.test(row)
    if (found !== null || silent || cancelHint.test(row) || screenReaderStatus.test(row)) working = true
    if (found !== null) activity = found[1] ?? null
    if (silent) activity = "a silent command runs"
    y--
  }
  const queued = queueAbove(view, y)
  if (queued !== null) {
    working = true
    activity ??= "a prompt is queued"
    y = queued - 1
  }
  while (y >= 0 && (lines[y] ?? "").trim() === "") y--
  const end = lines[y] ?? ""
  const pending = /^ ?[\u2800-\u28ff] (\S.*)$/u.exec(end)
  return {
    /** The first row of the status, directly below the conversation. */
    top: y + 1,
    working: working || pending !== null,
    interrupted: /^ℹ Request cancelled\.$/.test(end),
    activity: activity ?? pending?.[1] ?? null
  }
}

/** The heading above the queued prompts, which end at row `y`. It is faint, unlike the text of an answer. */
const queueAbove = ({ faint, lines }: ScreenView, y: number): number | null => {
  for (let row = y; row > Math.max(0, y - 6); row--) {
    const line = lines[row] ?? ""
    if (queuedRow.test(line)) return faint(row).includes("Queued") ? row : null
    if (!/^ {4}\S/.test(line)) return null
  }
  return null
}

const backgroundOf = (mode: string): number | null => {
  const count = /(?:^|\s)(\d+) Background process(?:es)?\b/.exec(mode)?.[1]
  return count === undefined ? null : Number(count)
}
