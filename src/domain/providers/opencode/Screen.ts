import { isPointedOption } from "../../cli/provider/CommonScreen.ts"
import {
  blankFacts,
  type InputBox,
  type ScreenFacts,
  type ScreenView,
  unrecognizedFacts
} from "../../words/session/Screen.ts"
import { edgeOf, type Panel, readDialog, textOf, backgroundAt } from "./Dialog.ts"

/**
 * Reads OpenCode's screen by structure: the composer (a bar at its left, half blocks below it), the row of keys at the
 * bottom, a dialog that replaces the composer and reaches to the screen's bottom, and panels drawn over it. The
 * conversation is indented and always above one of these, so a quotation in it is no evidence.
 */
export const readScreen = (view: ScreenView): ScreenFacts => {
  if (view.lines.every((line) => line.trim() === "")) return blankFacts
  return view.alternate ? readFull(view) : readMini(view)
}

const readFull = (view: ScreenView): ScreenFacts => {
  const composer = findComposer(view)
  const panel = hasPanel(view)
  if (composer === null) {
    const frame = panel ? null : findFrame(view)
    if (frame === null) return { ...unrecognizedFacts, picker: panel }
    const subagent = subagentRow.test(textOf(view, frame.to - 1, frame.left, frame.right))
    return {
      ...unrecognizedFacts,
      dialog: readDialog(frame),
      picker: subagent,
      working: subagent && isUnfinished(view, frame)
    }
  }
  const footer = view.lines.slice(composer.bottom + 1)
  const working = footer.some((line) => runningRow.test(line))
  return {
    ...unrecognizedFacts,
    // A panel over the home screen covers its box.
    box: panel ? null : readBox(view, composer),
    // The element with the cursor takes the keys.
    picker: panel || composer.menu !== null || !hasCursor(view, composer) || footer.some(isPointedOption),
    ...(composer.menu === null || composer.menu === "" || panel ? {} : { offered: composer.menu }),
    working,
    interrupted: wasInterrupted(view, composer),
    activity: activityOf(footer),
    resting: !working && !panel
  }
}

type Composer = NonNullable<ReturnType<typeof findComposer>>

const lowerEdge = /^( *)╹(▀{10,})/
const runningRow = /^ +(?:[■⬝]{8}|\[⋯\])(?: |$)|(?:^| )esc (?:again to )?interrupt(?: |$)/
const retryText = /(\S.*\[retrying [^\]]*\])/
/** A subagent's conversation has no composer: its frame shows how to return. */
const subagentRow = /^ {1,3}\S.* \(\d+ of \d+\) {2,}.*\bParent\b/
/** The last row of an unfinished turn has no time. */
const unfinishedRow = /^ {2,6}▣ {1,2}[^·]+ · [^·]+$/
const interruptedRow = /^ {2,6}▣ .* · interrupted$/
const placeholder = /^(?:Ask anything|Run a command)(?:…|\.\.\.) ".*"$/

const findComposer = (view: ScreenView) => {
  const { lines } = view
  for (let bottom = lines.length - 1; bottom > 3; bottom--) {
    const edge = edgeAt(view, bottom)
    if (edge === null) continue
    const { left, right } = edge
    // Suggestions also have a bar at their right.
    const isMenu = (line: string) =>
      line.lastIndexOf("┃") > left &&
      (line.slice(0, right + 1).endsWith("┃") || (right + 4 >= view.cols && line.endsWith("┃")))
    let top = bottom
    while (top > 0 && isBarred(lines[top - 1] ?? "", left) && !isMenu(lines[top - 1] ?? "")) top--
    if (bottom - top < 3) return null
    const isSuggestion = (y: number) => isBarred(lines[y] ?? "", left) && isMenu(lines[y] ?? "")
    let first = top
    while (first > 0 && isSuggestion(first - 1)) first--
    // "" for suggestions that are no commands; null without a menu
    const command = /^ *(\/\S+) /.exec((lines[first] ?? "").slice(left + 1))
    return { top, bottom, left, right, menu: first === top ? null : (command?.[1] ?? "") }
  }
  return null
}

/** The columns of the composer's lower edge. In a small terminal the home screen's lowest rows cover it. */
const edgeAt = ({ cols, lines }: ScreenView, y: number) => {
  const line = lines[y] ?? ""
  const edge = lowerEdge.exec(line)
  if (edge !== null) return { left: edge[1]?.length ?? 0, right: (edge[1]?.length ?? 0) + (edge[2]?.length ?? 0) }
  const left = (lines[y - 1] ?? "").indexOf("┃")
  const isCovered = y > lines.length - 4 && /[^▀]▀{5}/.test(line) && left >= 0 && isBarred(lines[y - 1] ?? "", left)
  return isCovered && !isBarred(line, left) ? { left, right: cols - 3 } : null
}

const isBarred = (line: string, left: number): boolean => line[left] === "┃" && line.slice(0, left).trim() === ""

const hasCursor = ({ cursor }: ScreenView, { bottom, left, right, top }: Composer): boolean =>
  cursor.visible && cursor.y >= top && cursor.y < bottom && cursor.x > left && cursor.x <= right

const readBox = (view: ScreenView, { bottom, left, right, top }: Composer): InputBox => {
  const rows: Array<string> = []
  // In a low window the sidebar is beside the box.
  for (let y = top + 1; y < bottom - 2; y++) rows.push(textOf(view, y, left + 1, right + 1).replace(/^ {1,2}/, ""))
  const text = rows.join("\n").trim()
  const shell = textOf(view, bottom - 1, left + 1, right + 1).trim() === "Shell" ? "!" : ""
  const atStart = view.cursor.x <= left + 3
  return { draft: atStart && placeholder.test(text.replaceAll(/\s*\n\s*/g, " ")) ? shell : shell + text }
}

/** The last row of the conversation, which shows how the turn ended. */
const lastRow = ({ lines }: ScreenView, top: number, right: number): string => {
  for (let y = top - 1; y >= 0; y--) {
    const row = (lines[y] ?? "").slice(0, right).trimEnd()
    if (row.trim() !== "") return row
  }
  return ""
}

const wasInterrupted = (view: ScreenView, { right, top }: Composer): boolean =>
  interruptedRow.test(lastRow(view, top, right + 1))

const isUnfinished = (view: ScreenView, { from, right }: Panel): boolean =>
  unfinishedRow.test(lastRow(view, from, right))

const activityOf = (footer: ReadonlyArray<string>): string | null => {
  const text = footer
    .map((line) => line.trim())
    .join(" ")
    .replace(/^(?:[■⬝]{8}|\[⋯\]) +/, "")
  return retryText.exec(text)?.[1] ?? null
}

/** Whether a panel covers the screen: centred, its title in the first row with "esc" at the right. */
const hasPanel = (view: ScreenView): boolean =>
  [Math.floor, Math.ceil].some((rounded) => hasPanelAt(view, rounded(view.rows / 4) + 1))

const hasPanelAt = (view: ScreenView, y: number): boolean => {
  if (!/ esc(?: |$)/.test(view.lines[y] ?? "")) return false
  return [60, 88, 116].some((width) => {
    const panelWidth = Math.min(width, view.cols - 2)
    const left = Math.floor((view.cols - panelWidth) / 2)
    const row = textOf(view, y, left, left + panelWidth)
    return (
      /^ {2,4}\S.* esc$/.test(row) &&
      [2, 3, 4].includes(panelWidth - row.length) &&
      textOf(view, y - 1, left, left + panelWidth) === ""
    )
  })
}

/** The frame that replaces the composer: barred rows down to the screen's bottom. */
const findFrame = (view: ScreenView): Panel | null => {
  const { lines } = view
  const bar = /^( {0,6})┃/
  const to = lines.findLastIndex((line) => bar.test(line))
  if (to < view.rows - 4) return null
  const left = bar.exec(lines[to] ?? "")?.[1]?.length ?? 0
  let from = to
  while (from > 0 && isBarred(lines[from - 1] ?? "", left)) from--
  const edge = edgeOf(view, from, left + 1)
  // On a narrow screen choices reach into the margin at its right.
  return { view, from, to, left: left + 1, right: edge + 4 > view.cols ? view.cols : edge }
}

const statusRow = /^ ([A-Z]+)(?: |$)/
const running = /^ [A-Z]+ +(?:(?:[■⬝]{8}|\[⋯\]) +)?\S+ (?:again to )?interrupt(?: |$)|^ [A-Z]+ +[■⬝]{8}(?: |$)/

/** Reads the inline interface (`--mini`), whose last rows are prompt, blank and status; a dialog replaces them. */
const readMini = (view: ScreenView): ScreenFacts => {
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

/** A dialog has a background; the conversation has none. */
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
