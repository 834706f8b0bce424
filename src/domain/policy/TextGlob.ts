/**
 * A pattern over plain text: `*` matches any text (blanks and slashes included), `?` one UTF-16 unit, and `\` makes the
 * next character literal. A final ` *` also matches nothing: `git push *` matches `git push`. Matching is linear in the
 * text's length for every pattern.
 */
export interface TextGlob {
  /** The text between the stars, in UTF-16 units; -1 matches any unit. */
  readonly parts: ReadonlyArray<ReadonlyArray<number>>
  /** The pattern without its final ` *`, or null. */
  readonly short: TextGlob | null
}

/** The longest accepted pattern, in UTF-16 units. */
export const longestPattern = 1_000

/** Parses a pattern; null if it is empty, too long, or ends in a lone `\`. */
export const textGlob = (pattern: string): TextGlob | null => {
  if (pattern === "" || pattern.length > longestPattern) return null
  const parts: Array<Array<number>> = [[]]
  let starred = false
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!
    starred = char === "*"
    if (char === "*") parts.push([])
    else if (char === "?") parts.at(-1)!.push(-1)
    else if (char !== "\\") parts.at(-1)!.push(char.charCodeAt(0))
    else if (++i < pattern.length) parts.at(-1)!.push(pattern.charCodeAt(i))
    else return null
  }
  const before = parts.at(-2)
  const optional = starred && before?.at(-1) === 0x20 && (before.length > 1 || parts.length > 2)
  return { parts, short: optional ? { parts: [...parts.slice(0, -2), before.slice(0, -1)], short: null } : null }
}

const fits = (part: ReadonlyArray<number>, text: string, at: number): boolean => {
  if (at < 0 || at + part.length > text.length) return false
  for (let i = 0; i < part.length; i++) if (part[i] !== -1 && part[i] !== text.charCodeAt(at + i)) return false
  return true
}

const find = (part: ReadonlyArray<number>, text: string, from: number): number => {
  for (let at = from; at + part.length <= text.length; at++) if (fits(part, text, at)) return at
  return -1
}

/** Where the pattern's parts up to `count` end in the text, each as far left as possible; -1 if they do not fit. */
const reach = ({ parts }: TextGlob, text: string, count: number): number => {
  if (!fits(parts[0]!, text, 0)) return -1
  let end = parts[0]!.length
  for (let i = 1; i < count; i++) {
    const at = find(parts[i]!, text, end)
    if (at < 0) return -1
    end = at + parts[i]!.length
  }
  return end
}

export const matches = (glob: TextGlob, text: string): boolean => {
  const { parts, short } = glob
  if (short !== null && matches(short, text)) return true
  const last = parts.at(-1)!
  if (parts.length === 1) return text.length === last.length && fits(last, text, 0)
  const end = reach(glob, text, parts.length - 1)
  return end >= 0 && text.length - last.length >= end && fits(last, text, text.length - last.length)
}

/** Whether the pattern matches every text with this beginning. */
export const matchesAll = (glob: TextGlob, beginning: string): boolean =>
  glob.parts.length > 1 && glob.parts.at(-1)!.length === 0 && reach(glob, beginning, glob.parts.length - 1) >= 0

/** Whether the pattern may match a text with this beginning. It may be true wrongly, but never false wrongly. */
export const matchesSome = ({ parts }: TextGlob, beginning: string): boolean => {
  const head = parts[0]!
  return fits(head.slice(0, beginning.length), beginning.slice(0, head.length), 0)
}

/** A literal part of a pattern, as a regular expression. */
export const literal = (part: string): string => part.replace(/[\\^$.|+(){}[\]*?]/g, "\\$&")
