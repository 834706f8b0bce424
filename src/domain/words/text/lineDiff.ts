/** Cells of the table of two texts' lines, at most: beyond them all lines count as changed. */
const cellsMost = 250_000
/** Unchanged lines that are shown before and after a change. */
const context = 3

/** The lines of a text; a line feed at its end begins no other line. */
export const linesOf = (text: string): ReadonlyArray<string> => (text === "" ? [] : text.replace(/\n$/, "").split("\n"))

/** The lines that two lists have in common at their start. */
const commonStart = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): number => {
  const most = Math.min(before.length, after.length)
  let n = 0
  while (n < most && before[n] === after[n]) n++
  return n
}

const signed = (sign: string, lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.map((line) => sign + line)

/** The changes between the lines, by the longest common subsequence. */
const middle = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [rows, cols] = [before.length, after.length]
  if (rows * cols > cellsMost || rows === 0 || cols === 0) return [...signed("-", before), ...signed("+", after)]
  const width = cols + 1
  // length of the longest common subsequence of what follows
  const rest = new Uint16Array((rows + 1) * width)
  for (let i = rows - 1; i >= 0; i--)
    for (let j = cols - 1; j >= 0; j--)
      rest[i * width + j] =
        before[i] === after[j]
          ? rest[(i + 1) * width + j + 1]! + 1
          : Math.max(rest[(i + 1) * width + j]!, rest[i * width + j + 1]!)
  const lines: Array<string> = []
  let [i, j] = [0, 0]
  while (i < rows || j < cols) {
    if (i < rows && j < cols && before[i] === after[j]) {
      lines.push(` ${before[i]}`)
      ;[i, j] = [i + 1, j + 1]
    } else if (j >= cols || (i < rows && rest[(i + 1) * width + j]! >= rest[i * width + j + 1]!))
      lines.push(`-${before[i++]}`)
    else lines.push(`+${after[j++]}`)
  }
  return lines
}

/** Long runs of unchanged lines become one gap (`@`). */
const withGaps = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isChanged = lines.map((line) => line[0] !== " ")
  const isNear = lines.map((_, n) => isChanged.slice(Math.max(0, n - context), n + context + 1).includes(true))
  return lines.flatMap((line, n) => (isNear[n] === true ? [line] : n > 0 && isNear[n - 1] !== true ? [] : ["@"]))
}

/** The difference of two texts, by lines: each with `+`, `-` or a blank before it; `@` for unchanged lines left out. */
export const lineDiff = (before: string, after: string): ReadonlyArray<string> => {
  const [old, present] = [linesOf(before), linesOf(after)]
  const start = commonStart(old, present)
  const end = commonStart(old.slice(start).toReversed(), present.slice(start).toReversed())
  return withGaps([
    ...signed(" ", old.slice(0, start)),
    ...middle(old.slice(start, old.length - end), present.slice(start, present.length - end)),
    ...signed(" ", old.slice(old.length - end))
  ])
}
