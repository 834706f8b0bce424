import type { PatchLine } from "./patchLines.ts"

/** What is shown in one row: of the former file and of the present one. A line that is in both is on both sides. */
export interface Pair {
  readonly left: PatchLine | null
  readonly right: PatchLine | null
}

/** Changed lines are put beside those that take their place. */
export const sideBySide = (lines: ReadonlyArray<PatchLine>): ReadonlyArray<Pair> => {
  const pairs: Array<Pair> = []
  let [removed, added]: [Array<PatchLine>, Array<PatchLine>] = [[], []]
  const flush = (): void => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++)
      pairs.push({ left: removed[i] ?? null, right: added[i] ?? null })
    ;[removed, added] = [[], []]
  }
  for (const line of lines) {
    // git says of the line before that it is the last, and has no end
    const isOfLast = line.kind === "about" && line.text.startsWith("\\")
    if (line.kind === "added" || (isOfLast && added.length > 0)) added.push(line)
    else if (line.kind === "removed" || (isOfLast && removed.length > 0)) {
      if (added.length > 0) flush()
      removed.push(line)
    } else {
      flush()
      pairs.push({ left: line, right: line })
    }
  }
  flush()
  return pairs
}

/** A part of a line's text, from and to these characters behind its sign. */
export type Part = readonly [from: number, to: number]

/** A half of a pair of characters is no character. */
const isHalf = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? "")

/**
 * The part in which each of two lines differs from the other; null if they have little in common: all of them is
 * changed then.
 */
const changedParts = (before: string, after: string): readonly [Part, Part] | null => {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before[start] === after[start]) start++
  if (isHalf(before, start) || isHalf(after, start)) start--
  let end = 0
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  if (isHalf(before, before.length - end)) end--
  const common = before.slice(0, start).trim().length + (end === 0 ? 0 : before.slice(-end).trim().length)
  if (common * 3 < Math.min(before.trim().length, after.trim().length)) return null
  return [
    [start, before.length - end],
    [start, after.length - end]
  ]
}

/** The parts of lines in which they differ from the line that takes their place. */
export const differences = (pairs: ReadonlyArray<Pair>): ReadonlyMap<PatchLine, Part> => {
  const found = new Map<PatchLine, Part>()
  for (const { left, right } of pairs) {
    if (left?.kind !== "removed" || right?.kind !== "added") continue
    const parts = changedParts(left.text.slice(1), right.text.slice(1))
    if (parts === null) continue
    found.set(left, parts[0]).set(right, parts[1])
  }
  return found
}
