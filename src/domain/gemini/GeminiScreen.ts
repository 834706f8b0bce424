import type { ScreenFacts, ScreenView } from "../Screen.ts"
import { readAsking, readOverlay } from "./GeminiDialog.ts"

/**
 * Reads Gemini CLI's screen by structure. From the bottom up: a footer, the input box between two full-width edges, a mode
 * line, a rule, the status line, a line for hints, what is queued, and the conversation. The conversation is indented or
 * framed, so a quoted dialog or spinner never starts a row the same way; prompts in it have edges like the box, but
 * neither rule nor mode line. A dialog replaces all of it below the conversation.
 */
export const readScreen = (view: ScreenView): ScreenFacts => {
  const { lines } = view
  const last = lines.findLastIndex((line) => line.trim() !== "")
  const title = titleOf(view.title)
  if (last < 0) return { ...nothing, title, blank: true }
  const at = findBox(lines, last) ?? findPlainBox(lines, last)
  if (at === null) return restarts(lines[last] ?? "") ? { ...nothing, title } : { ...nothing, ...readOverlay(lines, last), title }
  const draft = readDraft(lines, at)
  const status = readStatus(view, at)
  // Where the box stays, only the CLI's own word tells a dialog from one left in the conversation.
  const dialog = title === "ask" ? readAsking(lines, status.top - 1) : null
  return {
    box: { draft: draft.text },
    dialog,
    picker: draft.searching || hasMenu(lines, at, last, draft.text),
    working: status.working,
    interrupted: status.interrupted,
    background: at.mode === null ? null : backgroundOf(lines[at.mode] ?? ""),
    activity: status.activity,
    title,
    blank: false,
    ...title === "rest" && !status.working ? { resting: true } : {}
  }
}

const nothing: ScreenFacts = {
  box: null, dialog: null, picker: false, working: false, interrupted: false, background: null, activity: null,
  title: null, blank: false
}

/** Rows of the input box (its upper and lower edge), of the mode line and of the rule above it. */
interface Box {
  readonly top: number
  readonly bottom: number
  readonly mode: number | null
  readonly rule: number | null
}

const titleOf = (title: string): "work" | "rest" | "ask" | null =>
  /^[✦⏲]/u.test(title) ? "work" : /^◇ {1,2}Ready\b/u.test(title) ? "rest" : /^✋/u.test(title) ? "ask" : null

const restarts = (line: string): boolean => /^ ?Gemini CLI is restarting\b/.test(line)

/** A row of one glyph and at least 20 of it, from the first column on. */
const isRule = (line: string): boolean => /^─{20,}$/.test(line)
const isUpper = (line: string): boolean => /^▄{20,}$/.test(line) || isRule(line)
const isBlockLower = (line: string): boolean => /^▀{20,}$/.test(line)
const isLower = (line: string): boolean => isBlockLower(line) || isRule(line)

const promptRow = /^ ?(?:🎤 )?(?:([>!*])|(\(r:\))) (.*)$/u
const barePromptRow = /^ ?(?:🎤 )?(?:[>!*]|\(r:\))$/u
const isPrompt = (line: string): boolean => promptRow.test(line) || barePromptRow.test(line)
/** What follows a prompt of the conversation, and never the box: an answer, a notice, a frame. */
const conversationRow = /^(?:[✦✕ℹ⚠✓]| ?[╭╰│] ?)/u

/** The lowest box on screen, unless part of the conversation or a dialog stands under it. */
const findBox = (lines: ReadonlyArray<string>, last: number): Box | null => {
  for (let bottom = last; bottom > 1; bottom--) {
    const line = lines[bottom] ?? ""
    if (conversationRow.test(line)) return null
    if (!isLower(line)) continue
    // Without colours both edges look like the rule.
    let top = bottom - 1
    while (top >= 0 && !isUpper(lines[top] ?? "") && !isBlockLower(lines[top] ?? "")) top--
    if (top < 0 || !isUpper(lines[top] ?? "") || !isPrompt(lines[top + 1] ?? "") || top + 1 >= bottom) continue
    const rule = ruleOver(lines, top)
    // A prompt of the conversation looks like it, but is never empty; with the details hidden, so must the box be.
    if (rule === null && !placeholder.test(promptRow.exec(lines[top + 1] ?? "")?.[3] ?? "")) return null
    return { top, bottom, rule, mode: rule === null || rule + 1 === top ? null : rule + 1 }
  }
  return null
}

/** Drawn for a screen reader it has no edges: the prompt stands last, right under the mode line. */
const findPlainBox = (lines: ReadonlyArray<string>, last: number): Box | null => {
  for (let y = last; y > 0 && last - y < 20; y--) {
    const line = lines[y] ?? ""
    if (isUpper(line) || isBlockLower(line) || conversationRow.test(line)) return null
    if (/^(?:[>!*]|\(r:\)) /.test(line) && modeRow.test(lines[y - 1] ?? "")) return { top: y - 1, bottom: last + 1, rule: y - 1, mode: y - 1 }
  }
  return null
}

/** The rule over the mode line. Between it and the box a narrow screen has some lines more, and the alternate one suggestions. */
const ruleOver = (lines: ReadonlyArray<string>, top: number): number | null => {
  for (let y = top - 1; y >= Math.max(0, top - menuRows); y--) {
    const line = lines[y] ?? ""
    if (isRule(line)) return y
    if (top - y > 5 && !/^ {1,2}\S/.test(line)) return null
  }
  return null
}
/** Eight suggestions, what scrolls them and their count, with the mode line over them. */
const menuRows = 13

/** Placeholders stand a cell further to the right than text: the first cell is the cursor's. */
const placeholder = /^ {2,3}(?:Type your (?:message|shell command)\b|Press '\w+' for (?:INSERT|NORMAL) mode\.)/

interface Draft {
  readonly text: string
  /** The user searches what was sent before. */
  readonly searching: boolean
}

const readDraft = (lines: ReadonlyArray<string>, { bottom, top }: Box): Draft => {
  const first = lines[top + 1] ?? ""
  const match = promptRow.exec(first)
  const shell = match === null ? /!$/.test(first) : match[1] === "!"
  const searching = match === null ? first.endsWith("(r:)") : match[2] !== undefined
  const indent = first.length - (match?.[3] ?? "").length
  const own = match?.[3] ?? ""
  const below = lines.slice(top + 2, bottom)
  if (placeholder.test(own) && below.every((line) => line.trim() === "")) return { text: shell ? "!" : "", searching }
  const rows = [own, ...below.map((line) => line.slice(indent))]
  const text = rows.map((row) => row.trimEnd()).join("\n").trim()
  return { text: shell ? `!${text}` : text, searching }
}

/** Suggestions stand under the box, over it on the alternate screen; what was typed calls for them. */
const hasMenu = (lines: ReadonlyArray<string>, { bottom, top, rule }: Box, last: number, draft: string): boolean => {
  if (!/^[/!]|(?:^|\s)@\S*$/.test(draft) || draft === "!") return false
  const under = lines.slice(bottom + 1, last + 1).filter((line) => line.trim() !== "")
  const over = lines.slice((rule ?? top - 1) + 1, top).filter((line) => line.trim() !== "" && !modeRow.test(line))
  return over.length > 0 || under.length > footerRows || under.some((line) => suggestionRow.test(line))
}

/** The names of what the footer shows, and their values. */
const footerRows = 2
const modeRow = /^ {0,2}(?:Shift\+Tab to |auto-accept edits|plan\b|manual\b|YOLO\b|shell mode enabled|raw markdown mode)/
/** Over and under a list that scrolls. */
const suggestionRow = /^ {1,2}(?:▲|▼|\(\d+\/\d+\))$/

interface Status {
  /** The first row of what belongs to the status, not to the conversation. */
  readonly top: number
  readonly working: boolean
  readonly interrupted: boolean
  readonly activity: string | null
}

const spinner = /^ ?[\u2800-\u28ff] (\S.*?)(?: \(esc to c.*)?(?: {3,}.*)?$/u
/** The same in words, for a screen reader. */
const spoken = /^responding (?:\S.*?)?(?: \(esc to c.*)?$/
const cancelHint = /\(esc to c(?:ancel(?:, (?:\d+[hms] ?)+\)?)?)?/
/** A command runs and says nothing; the CLI guesses that it may want input. */
const silentShell = /^ ?! Shell awaiting input\b/
const queuedRow = /^ {2}Queued \(press ↑ to edit\):$/

/** The status line (two rows where it is wrapped), what is queued over it, and the end of the conversation. */
const readStatus = (view: ScreenView, { rule, top }: Box): Status => {
  const { lines } = view
  let y = (rule ?? top) - 1
  // A terminal that was made narrower has wrapped it.
  while (isRule(lines[y] ?? "")) y--
  let working = false
  let activity: string | null = null
  // Never the conversation: a line for hints always stands between.
  for (const row of [lines[y] ?? "", lines[y - 1] ?? ""]) {
    const found = spinner.exec(row)
    const silent = silentShell.test(row)
    if (found !== null || silent || cancelHint.test(row) || spoken.test(row)) working = true
    if (found !== null) activity = found[1] ?? null
    if (silent) activity = "a silent command runs"
    y--
  }
  const queued = queueOver(view, y)
  if (queued !== null) {
    working = true
    activity ??= "a prompt is queued"
    y = queued - 1
  }
  while (y >= 0 && (lines[y] ?? "").trim() === "") y--
  const end = lines[y] ?? ""
  const pending = /^ ?[\u2800-\u28ff] (\S.*)$/u.exec(end)
  return {
    top: y + 1,
    working: working || pending !== null,
    interrupted: /^ℹ Request cancelled\.$/.test(end),
    activity: activity ?? pending?.[1] ?? null
  }
}

/** The heading over the prompts that are queued, which end at row `y`; faint, as no text of an answer is. */
const queueOver = ({ faint, lines }: ScreenView, y: number): number | null => {
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
