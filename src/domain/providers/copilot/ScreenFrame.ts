/** Finds Copilot's own elements on its screen: only they start in the first column. */

export const isRule = (line: string, cols: number): boolean =>
  line.length >= Math.max(10, cols - 2) && /^─+$/.test(line)

export interface Frame {
  readonly top: number
  readonly bottom: number
}

const promptRow = /^[❯!](?:[\s\u00a0]|$)/
const upperEdge = /^[╻▄]▄+$/
const lowerEdge = /^[╹▀]▀+$/

/**
 * The lowest input box: between two rules, or, in a terminal that answers colour queries, in a frame of half blocks.
 */
export const boxAt = (lines: ReadonlyArray<string>, cols: number, last: number): Frame | null => {
  const ruled = ruledBox(lines, cols, last)
  const framed = framedBox(lines, cols, last)
  return ruled === null || (framed !== null && framed.bottom > ruled.bottom) ? framed : ruled
}

const framedBox = (lines: ReadonlyArray<string>, cols: number, last: number): Frame | null => {
  const isWide = (line: string) => line.length >= Math.max(10, cols - 2)
  const bottom = lines.slice(0, last + 1).findLastIndex((line) => isWide(line) && lowerEdge.test(line))
  let top = bottom - 1
  while (top > 0 && (lines[top] ?? "").startsWith("┃")) top--
  return top > 0 && top < bottom - 1 && upperEdge.test(lines[top] ?? "") && isWide(lines[top] ?? "")
    ? { top, bottom }
    : null
}

const ruledBox = (lines: ReadonlyArray<string>, cols: number, last: number): Frame | null => {
  let bottom: number | null = null
  for (let y = last; y >= 0; y--) {
    if (!isRule(lines[y] ?? "", cols)) continue
    if (bottom !== null && promptRow.test(lines[y + 1] ?? "") && y + 1 < bottom) return { top: y, bottom }
    bottom = y
  }
  return null
}

/** The text of the lowest rounded panel, without its frame. Its first rows may be cut off. */
export const panelAt = (lines: ReadonlyArray<string>, cols: number, last: number): ReadonlyArray<string> | null => {
  const isWide = (line: string) => line.length >= Math.max(10, cols - 2)
  const bottom = lines.slice(0, last + 1).findLastIndex((line) => isWide(line) && /^╰─+╯$/.test(line))
  if (bottom < 1) return null
  let top = bottom - 1
  while (top >= 0 && (lines[top] ?? "").startsWith("│")) top--
  const rows = lines.slice(top + 1, bottom)
  return rows.length === 0 ? null : rows.map((row) => row.replace(/^│ ?/, "").replace(/ *│$/, ""))
}

/** A numbered option. In a narrow panel its wrapped rows are indented by one column less. */
export const numberedRow = /^(❯ ?| {1,2})(\d{1,2})\. (\S.*)$/

const firstOption = /^(?:❯ ?| {1,2})1\. /

/** The rows of a panel without its frame, for a screen reader, above the row with its keys. */
export const bareAt = (lines: ReadonlyArray<string>, last: number): ReadonlyArray<string> | null => {
  const keys = lines.findLastIndex((line, y) => y <= last && y > last - 3 && /^↑\/↓ to /.test(line))
  let top = keys
  let isPointed = false
  let isAsked = false
  for (let y = keys - 1; y >= 0; y--) {
    const line = lines[y] ?? ""
    const option = numberedRow.test(line)
    // A panel has no two adjacent blank rows.
    if (line === "" && lines[y + 1] === "") break
    if (line.startsWith(" ") && (isAsked || (!option && !/^ {1,5}\S/.test(line)))) break
    if (option && !isAsked) isPointed ||= line.startsWith("❯")
    else if (/^\S/.test(line)) isAsked = true
    top = y
  }
  if (isPointed && isAsked) return lines.slice(top, keys)
  // On a small screen the options may stand right below the tabs, with the question out of sight.
  const tabs = / current tab: /.test(lines[0] ?? "") ? lines.indexOf("") : -1
  const first = lines.findIndex((line, y) => tabs > 0 && y > tabs && line !== "")
  return isPointed && firstOption.test(lines[first] ?? "") ? lines.slice(first, keys) : null
}

/** Whether a row is the first of a question, which names who asks. */
export const isQuestionHead = (row: string): boolean => / (?:needs information\.|wants you to visit)$/.test(row)

/** The rows between the lowest rule and the rule before it: a question of the CLI. Its first rows may be cut off. */
export const formAt = (lines: ReadonlyArray<string>, cols: number, last: number): ReadonlyArray<string> | null => {
  const rules = lines.flatMap((line, y) => (y <= last && isRule(line, cols) ? [y] : []))
  const bottom = rules.at(-1)
  const top = rules.at(-2) ?? 0
  // The lower rule is drawn last.
  if (bottom !== undefined && isQuestionHead(lines[bottom + 1] ?? "")) return lines.slice(bottom + 1, last + 1)
  return bottom === undefined || bottom - top < 3 ? null : lines.slice(top + 1, bottom)
}

/** The screen without the sidebar, which is left of everything else, separated by a vertical line. */
export const withoutSidebar = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const edge = /^.{8,}?│(?= *\[?Current\]? )/.exec(lines[0] ?? "")?.[0].length
  if (edge === undefined) return lines
  return lines.map((line) => {
    const bar = line.indexOf("│")
    return bar < 0 || bar >= edge ? line : line.slice(bar + 1)
  })
}
