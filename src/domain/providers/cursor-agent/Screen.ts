import { type ScreenFacts, type ScreenView, unrecognizedFacts } from "../../words/session/Screen.ts"
import { isSpinner, readDialog } from "./Dialog.ts"
import { findPrompt, inner, isFrame, isPickerFooter, isPointed, readDraft } from "./ScreenRows.ts"

/** Reads Cursor Agent's screen by its structure. The patterns are from public descriptions (2026), not recordings. */
export const readScreen = (view: ScreenView): ScreenFacts => {
  const { lines } = view
  const last = lines.findLastIndex((line) => line.trim() !== "")
  if (last < 0) return { ...unrecognizedFacts, blank: true }
  const prompt = findPrompt(lines, last)
  const dialog = readDialog(lines, last, prompt)
  if (dialog !== null) return { ...unrecognizedFacts, dialog }
  if (prompt === null) {
    const footer = lines.slice(Math.max(0, last - 5), last + 1)
    return {
      ...unrecognizedFacts,
      ...readAbove(lines, last + 1),
      interrupted: false,
      picker: footer.some(isPickerFooter)
    }
  }
  const above = readAbove(lines, prompt.top)
  const below = lines.slice(prompt.bottom + (prompt.framed ? 1 : 0), last + 1)
  return {
    ...unrecognizedFacts,
    ...above,
    box: { draft: readDraft(view, prompt) },
    picker: below.some((line) => isPickerFooter(line) || isPointed(line)),
    working: prompt.hint || above.working,
    interrupted: above.interrupted && !prompt.hint,
    background: countTasks(below)
  }
}

const stoppedText = new RegExp(
  String.raw`^(?:(?:Interrupted|Aborted|Cancelled)(?: by (?:the )?user)?[.!]?` +
    String.raw`(?: \W? ?Conversation stopped\b.{0,60})?|Conversation stopped\b.{0,60})$`
)

const isStopped = (line: string): boolean => {
  const text = line.trim().replace(/^[^\p{L}\p{N}]{1,2} ?/u, "")
  return /^ {0,6}\S/.test(line) && stoppedText.test(text)
}

/** Reads the conversation's last row. Skips tips, frames and the box of queued prompts below it. */
const readAbove = (
  lines: ReadonlyArray<string>,
  top: number
): Pick<ScreenFacts, "activity" | "interrupted" | "working"> => {
  let queued = false
  for (let y = top - 1; y >= 0 && top - y < 30; y--) {
    const line = lines[y] ?? ""
    if (/^\s*│/.test(line) && /\benter steer\b|\bselect\/edit\b/.test(line)) queued = true
    if (line.trim() === "" || isFrame(line) || /^\s*Tip: /.test(line) || (queued && /^\s*│/.test(line))) continue
    if (/^\s*[┌╭]─+ follow-ups\b/.test(line)) {
      queued = true
      continue
    }
    if (isSpinner(line)) return { working: true, interrupted: false, activity: spinnerText(line) }
    return { working: queued, interrupted: isStopped(line), activity: queued ? "a prompt is queued" : null }
  }
  return { working: queued, interrupted: false, activity: queued ? "a prompt is queued" : null }
}

const spinnerText = (line: string): string =>
  line
    .trim()
    .replace(/^\S+ +/, "")
    .replace(/\s{2,}\S.*$/, "")
    .replace(/\s*\(.*$/, "")
    .replace(/[.…]+$/, "")
    .trim()

/** The number of background tasks, in a separate row below the prompt. */
const countTasks = (below: ReadonlyArray<string>): number | null => {
  if (below.every((line) => line.trim() === "")) return null
  for (const line of below) {
    const count = /^\s*(\d{1,3}) (?:background )?tasks?(?: running)?$/.exec(inner(line))
    if (count !== null) return Number(count[1])
  }
  return 0
}
