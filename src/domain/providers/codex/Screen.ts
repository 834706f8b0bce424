import { type ScreenFacts, type ScreenView, unrecognizedFacts } from "../../words/session/Screen.ts"
import { readOverlay } from "./Dialog.ts"

/**
 * Reads Codex's screen by structure. The composer is the row with the visible cursor. Its status rows are below it. The
 * row of running work is the last unindented row above the composer, apart from queued prompts. A dialog or list
 * replaces the composer and hides the cursor. The conversation is marked in its first column and indented after it, so
 * quoted text never starts in that column.
 */
export const readScreen = (view: ScreenView): ScreenFacts => {
  const { lines } = view
  const title = titleOf(view.title)
  const last = lines.findLastIndex((line) => line.trim() !== "")
  if (last < 0) return { ...unrecognizedFacts, title, blank: true }
  const composer = findComposer(view, last)
  if (composer === null) {
    const overlay = readOverlay(lines, last)
    return {
      ...unrecognizedFacts,
      dialog: overlay.dialog,
      picker: overlay.dialog === null && (overlay.ownsKeys || !view.cursor.visible),
      title
    }
  }
  if (composer.loading) return { ...unrecognizedFacts, title }
  // `background` stays null, because a background terminal that ends starts no turn.
  return {
    ...unrecognizedFacts,
    ...readAbove(lines, composer.top),
    box: { draft: composer.draft },
    picker: hasPicker(lines, composer),
    title
  }
}

/** By default the title shows the state: a spinner, "Action Required", or the project. Other marks are unknown. */
const titleOf = (title: string): ScreenFacts["title"] =>
  title === ""
    ? null
    : /^[\u2800-\u28ff] /u.test(title)
      ? "work"
      : /^\[ [!.] \] Action Required\b/.test(title)
        ? "ask"
        : /^[\u2190-\u2bff\u{1f000}-\u{1faff}]/u.test(title)
          ? null
          : "rest"

interface Composer {
  readonly top: number
  readonly draft: string
  /** The session is not loaded yet. Codex may still show startup dialogs, which would take the keys. */
  readonly loading: boolean
}

const promptRow = /^[›!](?: |$)/
const indented = (line: string) => line.trim() === "" || line.startsWith("  ")

/** The composer with the cursor in it: its mark is not faint, and a blank row separates the status rows. */
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
  const first = rows[0] ?? ""
  const placeholder =
    first.trim() !== "" && rows.slice(1).every((row) => row === "") && view.faint(top).slice(2).trim() === first.trim()
  return placeholder ? mark : mark + text.replace(/\n+$/, "")
}

/** A warning above the composer, such as `⚠ 5h limit: only <1% left · /status`. */
const warningRow = /^ {2,}⚠ \S/u

/**
 * Whether suggestions are open. One blank row separates suggestions from the composer. Two rows separate the
 * conversation. The upper of these two is blank or shows a warning.
 */
const hasPicker = (lines: ReadonlyArray<string>, { draft, top }: Composer): boolean => {
  const row = lines[top - 2] ?? ""
  return draft !== "" && row.trim() !== "" && !warningRow.test(row)
}

/** The row of running work. Its mark is missing if animations are off. */
const runningRow = /^(?:[•◦] |(?=\p{L}))(\S.*) \((?:\d+[hms] ?)+ • esc to interrupt\)/u
const queueHead = /^• Queued follow-up (?:inputs|messages)$/u
const endRow = /^ {2}Worked for [<\d]/
const interruptRow = /^■ Conversation interrupted\b/u

/** Reads the last block of the conversation: the row of running work, with queued prompts listed below it. */
const readAbove = (
  lines: ReadonlyArray<string>,
  top: number
): Pick<ScreenFacts, "activity" | "interrupted" | "working"> => {
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
