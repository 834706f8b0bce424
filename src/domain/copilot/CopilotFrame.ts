/** The rows of Copilot's screen that are its own chrome: only they start in the first column. */

/** A rule across the whole screen. */
export const isRule = (line: string, cols: number): boolean => line.length >= Math.max(10, cols - 2) && /^─+$/.test(line)

/** Rows of the input box: its upper edge, its lower edge. */
export interface Frame {
  readonly top: number
  readonly bottom: number
}

const promptRow = /^[❯!](?:[\s\u00a0]|$)/
const upperEdge = /^[╻▄]▄+$/
const lowerEdge = /^[╹▀]▀+$/

/** The lowest input box: between two rules, or, where the terminal has told its colours, in a frame of half blocks. */
export const boxAt = (lines: ReadonlyArray<string>, cols: number, last: number): Frame | null => {
  const ruled = ruledBox(lines, cols, last)
  const framed = framedBox(lines, cols, last)
  return ruled === null || framed !== null && framed.bottom > ruled.bottom ? framed : ruled
}

const framedBox = (lines: ReadonlyArray<string>, cols: number, last: number): Frame | null => {
  const wide = (line: string) => line.length >= Math.max(10, cols - 2)
  const bottom = lines.slice(0, last + 1).findLastIndex((line) => wide(line) && lowerEdge.test(line))
  let top = bottom - 1
  while (top > 0 && (lines[top] ?? "").startsWith("┃")) top--
  return top > 0 && top < bottom - 1 && upperEdge.test(lines[top] ?? "") && wide(lines[top] ?? "") ? { top, bottom } : null
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

/** The text of a panel: what stands inside the rounded box that ends lowest. Its top may be cut off. */
export const panelAt = (lines: ReadonlyArray<string>, cols: number, last: number): ReadonlyArray<string> | null => {
  const wide = (line: string) => line.length >= Math.max(10, cols - 2)
  const bottom = lines.slice(0, last + 1).findLastIndex((line) => wide(line) && /^╰─+╯$/.test(line))
  if (bottom < 1) return null
  let top = bottom - 1
  while (top >= 0 && (lines[top] ?? "").startsWith("│")) top--
  const rows = lines.slice(top + 1, bottom)
  return rows.length === 0 ? null : rows.map((row) => row.replace(/^│ ?/, "").replace(/ *│$/, ""))
}

/** The first row of a question: who asks. */
export const isAsking = (row: string): boolean => / (?:needs information\.|wants you to visit)$/.test(row)

/** What stands over the lowest rule, up to the rule before it: a question of the CLI. Its top may be cut off. */
export const formAt = (lines: ReadonlyArray<string>, cols: number, last: number): ReadonlyArray<string> | null => {
  const rules = lines.flatMap((line, y) => y <= last && isRule(line, cols) ? [y] : [])
  const bottom = rules.at(-1)
  const top = rules.at(-2) ?? 0
  // Its lower rule is drawn last.
  if (bottom !== undefined && isAsking(lines[bottom + 1] ?? "")) return lines.slice(bottom + 1, last + 1)
  return bottom === undefined || bottom - top < 3 ? null : lines.slice(top + 1, bottom)
}

/** The screen without the sidebar, which stands left of everything behind a line of its own. */
export const withoutSidebar = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const edge = /^.{8,}?│(?= *\[?Current\]? )/.exec(lines[0] ?? "")?.[0].length
  if (edge === undefined) return lines
  return lines.map((line) => {
    const at = line.indexOf("│")
    return at < 0 || at >= edge ? line : line.slice(at + 1)
  })
}
