import type { ScreenFacts, ScreenView } from "../Screen.ts"
import { isSpinner, readDialog } from "./CursorDialog.ts"
import { findPrompt, inner, isFrame, isPickerFoot, isPointed, readDraft } from "./CursorRows.ts"

/**
 * Reads Cursor Agent's screen by structure: the prompt with its arrow, what stands over and under it, and what replaces
 * it. No recording of this CLI was at hand: the forms are from public descriptions of its versions of 2026.
 */
export const readScreen = (view: ScreenView): ScreenFacts => {
  const { lines } = view
  const last = lines.findLastIndex((line) => line.trim() !== "")
  if (last < 0) return { ...nothing, blank: true }
  const prompt = findPrompt(lines, last)
  const dialog = readDialog(lines, last, prompt)
  if (dialog !== null) return { ...nothing, dialog }
  if (prompt === null) {
    const foot = lines.slice(Math.max(0, last - 5), last + 1)
    const above = readAbove(lines, last + 1)
    return { ...nothing, working: above.working, activity: above.activity, picker: foot.some(isPickerFoot) }
  }
  const above = readAbove(lines, prompt.top)
  const below = lines.slice(prompt.bottom + (prompt.framed ? 1 : 0), last + 1)
  return {
    ...nothing,
    box: { draft: readDraft(view, prompt) },
    picker: below.some((line) => isPickerFoot(line) || isPointed(line)),
    working: prompt.hint || above.working,
    interrupted: above.interrupted && !prompt.hint,
    background: countTasks(below),
    activity: above.activity
  }
}

const nothing: ScreenFacts = {
  box: null, dialog: null, picker: false, working: false, interrupted: false, background: null, activity: null,
  title: null, blank: false
}

interface Above {
  readonly working: boolean
  readonly interrupted: boolean
  readonly activity: string | null
}

/** The line that a stopped turn leaves. */
const stopped = (line: string): boolean => {
  const text = line.trim().replace(/^[^\p{L}\p{N}]{1,2} ?/u, "")
  return /^ {0,6}\S/.test(line) && /^(?:(?:Interrupted|Aborted|Cancelled)(?: by (?:the )?user)?[.!]?(?: \W? ?Conversation stopped\b.{0,60})?|Conversation stopped\b.{0,60})$/.test(text)
}

/** The last row of the conversation, under tips and frames. Prompts that wait for the turn's end stand in a box of their own. */
const readAbove = (lines: ReadonlyArray<string>, top: number): Above => {
  let queued = false
  for (let y = top - 1; y >= 0 && top - y < 30; y--) {
    const line = lines[y] ?? ""
    if (/^\s*│/.test(line) && /\benter steer\b|\bselect\/edit\b/.test(line)) queued = true
    if (line.trim() === "" || isFrame(line) || /^\s*Tip: /.test(line) || queued && /^\s*│/.test(line)) continue
    if (/^\s*[┌╭]─+ follow-ups\b/.test(line)) {
      queued = true
      continue
    }
    if (isSpinner(line)) return { working: true, interrupted: false, activity: spinnerText(line) }
    return { working: queued, interrupted: stopped(line), activity: queued ? "a prompt is queued" : null }
  }
  return { working: queued, interrupted: false, activity: queued ? "a prompt is queued" : null }
}

const spinnerText = (line: string): string =>
  line.trim().replace(/^\S+ +/, "").replace(/\s{2,}\S.*$/, "").replace(/\s*\(.*$/, "").replace(/[.…]+$/, "").trim()

/** Tasks that run beside the turn are counted in a row of their own under the prompt. */
const countTasks = (below: ReadonlyArray<string>): number | null => {
  if (below.every((line) => line.trim() === "")) return null
  for (const line of below) {
    const count = /^\s*(\d{1,3}) (?:background )?tasks?(?: running)?$/.exec(inner(line))
    if (count !== null) return Number(count[1])
  }
  return 0
}

