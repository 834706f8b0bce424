import { type Dialog, type DialogKind, type DialogOption, subjectField } from "../../words/session/Screen.ts"
import { inner, isFooter, isFrame, isKeyed, isPointed, keysOf, type Prompt } from "./ScreenRows.ts"

/**
 * Reads Cursor Agent's dialogs. A choice ends with its keys, `→ Run (once) (y)`. The choices are below their question
 * at the bottom of the screen, or above the prompt while the prompt shows what it waits for. Above a prompt for text,
 * such rows are a quotation. Escape refuses the request, and the turn continues.
 */
export const readDialog = (lines: ReadonlyArray<string>, last: number, prompt: Prompt | null): Dialog | null => {
  const waiting = prompt === null ? null : waitingPrompt(prompt.first)
  const end = lastDialogRow(lines, prompt === null ? last : prompt.top - 1)
  const found = readTrust(lines, last) ?? readMenu(lines, end)
  if (prompt === null) return found ?? readLogin(lines, last) ?? readQuestions(lines, end)
  if (waiting !== null) {
    const question = waiting.kind === "question" ? readQuestions(lines, end) : null
    return (
      question ??
      (found === null || waiting.kind === "elicitation" ? { ...waiting, options: [], declines: true } : found)
    )
  }
  if (found !== null && (found.kind === "plan" || found.kind === "question") && isPending(lines, end)) return found
  return readCorrection(lines, prompt)
}

const textPrompt = new RegExp(
  String.raw`^(?:Tell the agent what to do instead|Describe how to revise the plan|Reason for rejection` +
    String.raw`|Edit the image prompt)(?: ?[(:,].*)?$`
)

const waitingPrompt = (text: string): Pick<Dialog, "kind" | "title"> | null => {
  const title = text
    .trim()
    .replace(/\s*\([^()]*\)?(?:\.\.\.|…)?$/, "")
    .replace(/(?:\.\.\.|…)$/, "")
  if (/^Answer questions \(/.test(text)) return { kind: "question", title }
  if (/^(?:Waiting for decision \(|Approve mode switch \(y\/n\))/.test(text)) return { kind: "permission", title }
  if (textPrompt.test(text)) return { kind: "elicitation", title: title.replace(/[:,].*$/, "") }
  return null
}

const lastDialogRow = (lines: ReadonlyArray<string>, from: number): number => {
  let y = from
  while (y >= 0 && from - y < 8 && (isFooter(lines[y]) || isSpinner(lines[y]))) y--
  return y
}

/** Whether a row is the activity row: it begins with one or two Braille characters, or with a hexagon. */
export const isSpinner = (line: string | undefined): boolean =>
  /^\s*(?:[\u2800-\u28ff]{1,2} +\p{Lu}\p{L}+|[⬡⬢] \p{Lu}\p{L}*ing\b)/u.test(line ?? "")

/** The most rows of a question with its choices. */
const maxHeight = 24

const readMenu = (lines: ReadonlyArray<string>, end: number): Dialog | null => {
  if (!isKeyed(lines[end])) return null
  let question = -1
  let first = end
  for (let y = end; y >= 0 && end - y < maxHeight; y--) {
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
  const subject = question < 0 ? null : subjectRow(lines, question)
  return {
    kind: kindOf(text),
    title: titleOf(text, subject),
    // The directory of a command follows it.
    ...subjectField(subject?.replace(/^(?:\$ |\p{Lu}[\p{L} ]*: )/u, "").replace(/(?<=\S) in \S+$/, "")),
    options,
    declines: true
  }
}

/** The choices from row `first` to row `end`; a long one continues in the next row. */
const optionsIn = (lines: ReadonlyArray<string>, first: number, end: number): ReadonlyArray<DialogOption> => {
  const options: Array<{ number: number; label: string; selected: boolean }> = []
  let open = false
  for (let y = first; y <= end; y++) {
    const row = inner(lines[y])
    const text = row.replace(/^\s*(?:[→▶] )?/, "").trim()
    const previous = options.at(-1)
    if (open && previous !== undefined && !isPointed(lines[y])) previous.label += ` ${text}`
    else options.push({ number: options.length + 1, label: text, selected: isPointed(lines[y]) })
    open = keysOf(options.at(-1)?.label ?? "").length === 0
  }
  return options
}

const kindOf = (question: string): DialogKind =>
  /^Ready to (?:build|proceed)\?$/.test(question) ? "plan" : "permission"

/** The subject of a question, in the row above it: `$ ls in .`, `Delete file: x`. */
const subjectRow = (lines: ReadonlyArray<string>, question: number): string | null => {
  for (let y = question - 1; y >= 0 && question - y <= 5; y--) {
    const text = inner(lines[y]).trim()
    if (text === "" || isFrame(lines[y])) continue
    return /^(?:\$ |\p{Extended_Pictographic}|\p{Lu}[\p{L} ]*: )/u.test(text) ? text : null
  }
  return null
}

const titleOf = (question: string, subject: string | null): string =>
  (subject === null ? question : `${subject}: ${question}`).slice(0, 200)

/** Whether a plan or a list of questions above a prompt for text is still open, as the head of its box shows. */
const isPending = (lines: ReadonlyArray<string>, end: number): boolean => {
  for (let y = end; y >= 0 && end - y < 60; y--) {
    if (/^\s*[┌╭]/.test(lines[y] ?? ""))
      return /Suggested Plan|Clarifying Questions/.test(`${lines[y]}${lines[y + 1] ?? ""}`)
  }
  return false
}

/** The options whose rows have this form: a pointer, if any, and a label. */
const optionsLike = (rows: ReadonlyArray<string>, form: RegExp): ReadonlyArray<DialogOption> =>
  rows
    .map((row) => form.exec(inner(row)))
    .filter((match) => match !== null)
    .map(([, pointer, label = ""], n) => ({ number: n + 1, label: label.trim(), selected: pointer !== undefined }))

/** The box that asks whether the folder is trusted. It is open while the arrow is on one of its choices. */
const readTrust = (lines: ReadonlyArray<string>, last: number): Dialog | null => {
  if (!/^\s*[╰└]/.test(lines[last] ?? "")) return null
  let top = last
  while (top > 0 && last - top < maxHeight && !/^\s*[╭┌]/.test(lines[top] ?? "")) top--
  const rows = lines.slice(top, last)
  const options = optionsLike(rows, /^\s*(▶|→|❯)?\s*(\[[a-z]\] \S.*)$/)
  if (!options.some(({ selected }) => selected)) return null
  const texts = rows.map((row) => inner(row).trim())
  const title =
    texts.find((text) => text.endsWith("?")) ?? texts.find((text) => /^(?:⚠\s*)?\p{L}/u.test(text)) ?? "a decision"
  return {
    kind: texts.some((text) => /\btrust\b/i.test(text)) ? "trust" : "other",
    title: title.slice(0, 200),
    options
  }
}

const readLogin = (lines: ReadonlyArray<string>, last: number): Dialog | null =>
  lines.slice(Math.max(0, last - 3), last + 1).some((line) => /^\s*Press any key to log in(?:\.\.\.|…)?$/.test(line))
    ? { kind: "login", title: "Press any key to log in", options: [] }
    : null

const readQuestions = (lines: ReadonlyArray<string>, end: number): Dialog | null => {
  const footer = lines.findLastIndex((line, y) => y <= end && y > end - 4 && /\bEsc to skip\b/.test(inner(line)))
  if (footer < 0) return null
  const head = lines.findLastIndex(
    (line, y) =>
      y < footer && footer - y < maxHeight && /^\s*(?:Question \d+ of \d+|Clarifying Questions)\b/.test(inner(line))
  )
  if (head < 0) return null
  const rows = lines.slice(head + 1, footer)
  const options = optionsLike(rows, /^\s{0,6}([→▶❯] )?\s*((?:\[.\]|\(.\)|[○◯●◉☐☑☒])\s.*|(?:\d+|[a-z])[.)]\s.*)$/i)
  const question = rows.map((row) => inner(row).trim()).find((text) => text.endsWith("?"))
  return { kind: "question", title: (question ?? inner(lines[head]).trim()).slice(0, 200), options, declines: true }
}

/** After a refusal the prompt takes new instructions. Once the user types, only the rows above it show this. */
const readCorrection = (lines: ReadonlyArray<string>, prompt: Prompt): Dialog | null => {
  let y = prompt.top - 1
  while (y >= 0 && (isFooter(lines[y]) || isSpinner(lines[y]))) {
    if (/^\s*└/.test(lines[y] ?? "")) break
    y--
  }
  if (!/^\s*└/.test(lines[y] ?? "")) return null
  while (y >= 0 && prompt.top - y < maxHeight && !/^\s*┌/.test(lines[y] ?? "")) y--
  return /^\s*\S.*\bfor approval\.\.\.$/.test(lines[y - 1] ?? "") && /^\s*┌/.test(lines[y] ?? "")
    ? { kind: "elicitation", title: "Tell the agent what to do instead", options: [], declines: true }
    : null
}
