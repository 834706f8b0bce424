import type { Dialog, DialogKind, DialogOption } from "../Screen.ts"
import { inner, isFoot, isFrame, isKeyed, isPointed, keysOf, type Prompt } from "./CursorRows.ts"

/**
 * Reads what Cursor Agent asks. A choice names its keys at its end, `→ Run (once) (y)`; the choices stand under their
 * question at the foot of the screen, or over the prompt while that says what it waits for. Under a prompt that takes
 * text the same rows are a quotation. Escape refuses what is asked, and the turn goes on.
 */
export const readDialog = (lines: ReadonlyArray<string>, last: number, prompt: Prompt | null): Dialog | null => {
  const waits = prompt === null ? null : waitingPrompt(prompt.first)
  const end = lastOf(lines, prompt === null ? last : prompt.top - 1)
  const found = trust(lines, last) ?? menu(lines, end)
  if (prompt === null) return found ?? login(lines, last) ?? questions(lines, end)
  if (waits !== null) {
    const asked = waits.kind === "question" ? questions(lines, end) : null
    return asked ?? (found === null || waits.kind === "elicitation" ? { ...waits, options: [], declines: true } : found)
  }
  if (found !== null && (found.kind === "plan" || found.kind === "question") && isPending(lines, end)) return found
  return correction(lines, prompt)
}

interface Waiting {
  readonly kind: DialogKind
  readonly title: string
}

/** What the prompt says instead of a draft while Cursor Agent waits for a decision. */
const waitingPrompt = (text: string): Waiting | null => {
  const title = text.trim().replace(/\s*\([^()]*\)?(?:\.\.\.|…)?$/, "").replace(/(?:\.\.\.|…)$/, "")
  if (/^Answer questions \(/.test(text)) return { kind: "question", title }
  if (/^(?:Waiting for decision \(|Approve mode switch \(y\/n\))/.test(text)) return { kind: "permission", title }
  if (/^(?:Tell the agent what to do instead|Describe how to revise the plan|Reason for rejection|Edit the image prompt)(?: ?[(:,].*)?$/.test(text)) {
    return { kind: "elicitation", title: title.replace(/[:,].*$/, "") }
  }
  return null
}

/** The lowest row that is of the dialog, if there is one. */
const lastOf = (lines: ReadonlyArray<string>, from: number): number => {
  let y = from
  while (y >= 0 && from - y < 8 && (isFoot(lines[y]) || isSpinner(lines[y]))) y--
  return y
}

/** The row that tells what Cursor Agent does: two dots of Braille, or a hexagon. */
export const isSpinner = (line: string | undefined): boolean =>
  /^\s*(?:[\u2800-\u28ff]{1,2} +\p{Lu}\p{L}+|[⬡⬢] \p{Lu}\p{L}*ing\b)/u.test(line ?? "")

/** A question and its choices take no more rows than these. */
const tallest = 24

const menu = (lines: ReadonlyArray<string>, end: number): Dialog | null => {
  if (!isKeyed(lines[end])) return null
  let question = -1
  let first = end
  for (let y = end; y >= 0 && end - y < tallest; y--) {
    const text = inner(lines[y]).trim()
    if (text === "" || isFrame(lines[y])) break
    if (/^\p{Lu}.*\?$/u.test(text) && !isPointed(lines[y])) {
      question = y
      break
    }
    if (isKeyed(lines[y]) || isPointed(lines[y])) first = y
  }
  const options = optionsIn(lines, first, end)
  if (options.length < 2 || options.some(({ label }) => keysOf(label).length === 0)) return null
  if (question < 0 && !options.some(({ selected }) => selected)) return null
  const text = question < 0 ? "a decision" : inner(lines[question]).trim()
  return { kind: kindOf(text), title: titled(text, question < 0 ? null : subject(lines, question)), options, declines: true }
}

/** Choices, of which a long one goes on in the next row. */
const optionsIn = (lines: ReadonlyArray<string>, first: number, end: number): ReadonlyArray<DialogOption> => {
  const options: Array<{ number: number; label: string; selected: boolean }> = []
  let open = false
  for (let y = first; y <= end; y++) {
    const row = inner(lines[y])
    const text = row.replace(/^\s*(?:[→▶] )?/, "").trim()
    const before = options.at(-1)
    if (open && before !== undefined && !isPointed(lines[y])) before.label += ` ${text}`
    else options.push({ number: options.length + 1, label: text, selected: isPointed(lines[y]) })
    open = keysOf(options.at(-1)?.label ?? "").length === 0
  }
  return options
}

const kindOf = (question: string): DialogKind => /^Ready to (?:build|proceed)\?$/.test(question) ? "plan" : "permission"

/** What is asked about stands over the question: `$ ls in .`, `Delete file: x`. */
const subject = (lines: ReadonlyArray<string>, question: number): string | null => {
  for (let y = question - 1; y >= 0 && question - y <= 5; y--) {
    const text = inner(lines[y]).trim()
    if (text === "" || isFrame(lines[y])) continue
    return /^(?:\$ |\p{Extended_Pictographic}|\p{Lu}[\p{L} ]*: )/u.test(text) ? text : null
  }
  return null
}

const titled = (question: string, about: string | null): string => (about === null ? question : `${about}: ${question}`).slice(0, 200)

/** A plan or questions over a prompt that takes text are live as long as their box says so in its head. */
const isPending = (lines: ReadonlyArray<string>, end: number): boolean => {
  for (let y = end; y >= 0 && end - y < 60; y--) {
    if (/^\s*[┌╭]/.test(lines[y] ?? "")) return /Suggested Plan|Clarifying Questions/.test(`${lines[y]}${lines[y + 1] ?? ""}`)
  }
  return false
}

/** The box that asks whether the folder is trusted: as long as one of its choices has the arrow, it is live. */
const trust = (lines: ReadonlyArray<string>, last: number): Dialog | null => {
  if (!/^\s*[╰└]/.test(lines[last] ?? "")) return null
  let top = last
  while (top > 0 && last - top < tallest && !/^\s*[╭┌]/.test(lines[top] ?? "")) top--
  const rows = lines.slice(top, last)
  const options: Array<{ number: number; label: string; selected: boolean }> = []
  for (const row of rows) {
    const match = /^\s*(▶|→|❯)?\s*(\[[a-z]\] \S.*)$/.exec(inner(row))
    if (match !== null) options.push({ number: options.length + 1, label: (match[2] ?? "").trim(), selected: match[1] !== undefined })
  }
  if (!options.some(({ selected }) => selected)) return null
  const texts = rows.map((row) => inner(row).trim())
  const title = texts.find((text) => text.endsWith("?")) ?? texts.find((text) => /^(?:⚠\s*)?\p{L}/u.test(text)) ?? "a decision"
  return { kind: texts.some((text) => /\btrust\b/i.test(text)) ? "trust" : "other", title: title.slice(0, 200), options }
}

const login = (lines: ReadonlyArray<string>, last: number): Dialog | null =>
  lines.slice(Math.max(0, last - 3), last + 1).some((line) => /^\s*Press any key to log in(?:\.\.\.|…)?$/.test(line))
    ? { kind: "login", title: "Press any key to log in", options: [] }
    : null

/** Questions with choices that the arrow goes through. */
const questions = (lines: ReadonlyArray<string>, end: number): Dialog | null => {
  const foot = lines.findLastIndex((line, y) => y <= end && y > end - 4 && /\bEsc to skip\b/.test(inner(line)))
  if (foot < 0) return null
  const head = lines.findLastIndex((line, y) => y < foot && foot - y < tallest && /^\s*(?:Question \d+ of \d+|Clarifying Questions)\b/.test(inner(line)))
  if (head < 0) return null
  const rows = lines.slice(head + 1, foot)
  const options: Array<{ number: number; label: string; selected: boolean }> = []
  for (const row of rows) {
    const match = /^\s{0,6}([→▶❯] )?\s*((?:\[.\]|\(.\)|[○◯●◉☐☑☒])\s.*|(?:\d+|[a-z])[.)]\s.*)$/i.exec(inner(row))
    if (match !== null) options.push({ number: options.length + 1, label: (match[2] ?? "").trim(), selected: match[1] !== undefined })
  }
  const asked = rows.map((row) => inner(row).trim()).find((text) => text.endsWith("?"))
  return { kind: "question", title: (asked ?? inner(lines[head]).trim()).slice(0, 200), options, declines: true }
}

/**
 * After a refusal the prompt takes what the agent is to do instead. Once that is being typed, only the rows over it tell:
 * the command that still waits, its box, the prompt.
 */
const correction = (lines: ReadonlyArray<string>, prompt: Prompt): Dialog | null => {
  let y = prompt.top - 1
  while (y >= 0 && (isFoot(lines[y]) || isSpinner(lines[y]))) {
    if (/^\s*└/.test(lines[y] ?? "")) break
    y--
  }
  if (!/^\s*└/.test(lines[y] ?? "")) return null
  while (y >= 0 && prompt.top - y < tallest && !/^\s*┌/.test(lines[y] ?? "")) y--
  return /^\s*\S.*\bfor approval\.\.\.$/.test(lines[y - 1] ?? "") && /^\s*┌/.test(lines[y] ?? "")
    ? { kind: "elicitation", title: "Tell the agent what to do instead", options: [], declines: true }
    : null
}
