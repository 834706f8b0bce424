/** Characters that a terminal obeys; of several lines, all but tab and line feed. */
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g

/**
 * Marks of direction, with which a line reads otherwise than what is in it, and characters that nobody sees. The joiners
 * of emoji and of scripts whose letters join are none of them.
 */
const hidden = /[\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/g

/** A text of several lines as people may see it: without what a terminal would obey, and what would hide or reorder it. */
export const printable = (text: string): string => text.replace(controls, "").replace(hidden, "")

const inOneLine = (text: string): ReadonlyArray<string> => [
  // oxlint-disable-next-line no-control-regex
  ...text
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
    .replace(hidden, " ")
    .replace(/\s+/g, " ")
    .trim()
]

/** The beginning of a line, with nothing that would be joined to the mark behind it. */
const beginning = (line: ReadonlyArray<string>, length: number): string =>
  `${line
    .slice(0, length)
    .join("")
    .replace(/\u200d+$/, "")}…`

/** One printable line of at most `limit` characters. */
export const oneLine = (text: string, limit = 80): string => {
  const line = inOneLine(text)
  return line.length <= limit ? line.join("") : beginning(line, limit - 1)
}

/** A line that is not cut to a terminal's width has this many characters at most: more is for those who take --json. */
export const longestLine = 2000

/** One printable line for a pipe or a file: whole, unless nobody could read it. */
export const longLine = (text: string): string => {
  const line = inOneLine(text)
  return line.length <= longestLine
    ? line.join("")
    : `${beginning(line, longestLine)} (${line.length} characters; --json has all)`
}
