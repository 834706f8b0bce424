import type { ScreenFacts, ScreenView } from "../Screen.ts"
import { readOverlay } from "./CodexDialog.ts"

/**
 * Reads Codex's screen by structure: the composer is the row of the visible cursor, its status rows stand below it, and the
 * row that says what runs is the last one above it. What asks or lets choose replaces the composer and hides the cursor.
 * The conversation is marked in its first column and indented behind it, so that what it quotes never stands there.
 */
export const readScreen = (view: ScreenView): ScreenFacts => {
  const { lines } = view
  const title = titleOf(view.title)
  const last = lines.findLastIndex((line) => line.trim() !== "")
  if (last < 0) return { ...nothing, title, blank: true }
  const at = findComposer(view, last)
  if (at === null) {
    const overlay = readOverlay(lines, last)
    return { ...nothing, dialog: overlay.dialog, picker: overlay.dialog === null && (overlay.owned || !view.cursor.visible), title }
  }
  if (at.loading) return { ...nothing, title }
  const above = readAbove(lines, at.top)
  return {
    box: { draft: at.draft },
    dialog: null,
    picker: hasMenu(lines, at),
    working: above.working,
    interrupted: above.interrupted,
    // A terminal left in the background starts no turn: it is nothing to wait for.
    background: null,
    activity: above.activity,
    title,
    blank: false
  }
}

const nothing: ScreenFacts = {
  box: null, dialog: null, picker: false, working: false, interrupted: false, background: null, activity: null,
  title: null, blank: false
}

/** The title tells by default: a turning wheel, "Action Required" blinking, or the project alone. */
const titleOf = (title: string): ScreenFacts["title"] =>
  title === "" ? null : /^[\u2800-\u28ff] /u.test(title) ? "work" : /^\[ [!.] \] Action Required\b/.test(title) ? "ask" : "rest"

interface Composer {
  readonly top: number
  readonly draft: string
  /** It is drawn before the session is there: keys may still be lost to dialogs of the start. */
  readonly loading: boolean
}

const promptRow = /^[›!](?: |$)/
const indented = (line: string) => line.trim() === "" || line.startsWith("  ")

/**
 * The composer that the cursor is in. Its rows end with a blank one, behind which the status rows stand. The mark of a prompt
 * that was sent is faint, the composer's is not.
 */
const findComposer = (view: ScreenView, last: number): Composer | null => {
  const { cursor, lines } = view
  if (!cursor.visible) return null
  let top = cursor.y
  while (top >= 0 && !promptRow.test(lines[top] ?? "")) {
    if (!indented(lines[top] ?? "")) return null
    top--
  }
  if (top < 0 || view.faint(top).startsWith((lines[top] ?? "").slice(0, 1))) return null
  let bottom = last
  while (bottom > cursor.y && (lines[bottom] ?? "").trim() !== "") bottom--
  if (bottom <= cursor.y) bottom = Math.max(last, cursor.y) + 1
  if (lines.slice(top + 1, last + 1).some((line) => !indented(line))) return null
  const below = lines.slice(bottom + 1, last + 1)
  const draft = readDraft(view, top, bottom)
  return { top, draft, loading: draft === "" && below.length === 1 && (below[0] ?? "").trim() === "? for shortcuts" }
}

const readDraft = (view: ScreenView, top: number, bottom: number): string => {
  const rows = view.lines.slice(top, bottom).map((line) => line.slice(2).trimEnd())
  const mark = (view.lines[top] ?? "").startsWith("!") ? "!" : ""
  const text = rows.join("\n")
  if (text.trim() === "") return mark + (view.cursor.y > top ? "\n" : "")
  // The placeholder is faint.
  const first = rows[0] ?? ""
  const placeholder = first.trim() !== "" && rows.slice(1).every((row) => row === "") && view.faint(top).slice(2).trim() === first.trim()
  return placeholder ? mark : mark + text.replace(/\n+$/, "")
}

/** Suggestions stand one blank row above the composer; the conversation keeps two. */
const hasMenu = (lines: ReadonlyArray<string>, { draft, top }: Composer): boolean =>
  draft !== "" && (lines[top - 2] ?? "").trim() !== ""

const runningRow = /^[•◦] (\S.*) \((?:\d+[hms] ?)+ • esc to interrupt\)/u
const queueHead = /^• Queued follow-up (?:inputs|messages)$/u
const endRow = /^ {2}Worked for [<\d]/
const interruptRow = /^■ Conversation interrupted\b/u

interface Above {
  readonly working: boolean
  readonly interrupted: boolean
  readonly activity: string | null
}

/** The last block of the conversation: what runs has a row there, which shows what waits for its end below it. */
const readAbove = (lines: ReadonlyArray<string>, top: number): Above => {
  let queued = false
  for (let y = top - 1; y >= 0; y--) {
    const line = lines[y] ?? ""
    if (endRow.test(line)) break
    if (indented(line)) continue
    const running = runningRow.exec(line)
    if (running !== null) return { working: true, interrupted: false, activity: running[1] ?? null }
    if (interruptRow.test(line)) return { working: false, interrupted: true, activity: null }
    if (!queueHead.test(line)) break
    queued = true
  }
  return { working: queued, interrupted: false, activity: queued ? "a prompt is queued" : null }
}
