import { type ScreenFacts, type ScreenView, unrecognizedFacts } from "../../words/session/Screen.ts"
import { backgroundAt, readDialog } from "./Dialog.ts"

const statusRow = /^ ([A-Z]+)(?: |$)/
const running = /^ [A-Z]+ +(?:(?:[■⬝]{8}|\[⋯\]) +)?\S+ (?:again to )?interrupt(?: |$)|^ [A-Z]+ +[■⬝]{8}(?: |$)/
const placeholder = /^(?:Ask anything|Run a command)(?:…|\.\.\.) ".*"$/

/** Reads the inline interface (`--mini`), whose last rows are prompt, blank and status; a dialog replaces them. */
export const readMini = (view: ScreenView): ScreenFacts => {
  const { cursor, lines } = view
  const last = lines.findLastIndex((line) => line.trim() !== "")
  const status = lines[last] ?? ""
  const mode = statusRow.exec(status)?.[1]
  if (mode !== "BUILD" && mode !== "SHELL" && mode !== "EXIT") {
    const from = lines.findLastIndex((line) => /^ {1,3}△ /.test(line))
    const dialog = readDialog(
      { view, from: from < 0 ? panelTop(view, last) : from, to: last, left: 0, right: view.cols },
      true
    )
    return { ...unrecognizedFacts, dialog }
  }
  // From the top: the conversation, a blank row, the text with the cursor in it, a blank row.
  const bottom = last - 2
  let top = bottom
  while (top > 0 && (top > cursor.y || (lines[top - 1] ?? "").trim() !== "")) top--
  const rows = lines.slice(top, bottom + 1).map((line) => line.trimEnd())
  const text = rows.join("\n").trim()
  const empty = text === "" || (cursor.x === 0 && cursor.y === bottom && placeholder.test(text))
  const inside = cursor.visible && cursor.y >= top && cursor.y <= bottom
  return {
    ...unrecognizedFacts,
    box: { draft: (mode === "SHELL" ? "!" : "") + (empty ? "" : text) },
    picker:
      !inside || mode === "EXIT" || (cursor.y < bottom && /^\/|(?:^|\s)@\S*$/.test((lines[cursor.y] ?? "").trim())),
    working: running.test(status),
    interrupted: wasAborted(lines, top)
  }
}

/** A dialog has a background, which the conversation has not. */
const panelTop = (view: ScreenView, last: number): number => {
  let top = last
  while (top > 0 && backgroundAt(view, top - 1, 0) !== "") top--
  return top === last ? 0 : top
}

/** Whether the turn was aborted: its last two rows are the notice and its summary, in either order. */
const wasAborted = (lines: ReadonlyArray<string>, top: number): boolean => {
  const [before = "", last = ""] = lines
    .slice(0, top)
    .filter((line) => line.trim() !== "")
    .slice(-2)
    .map((line) => line.trimEnd())
  return (last === "Aborted" && before.startsWith("▣ ")) || (before === "Aborted" && last.startsWith("▣ "))
}
