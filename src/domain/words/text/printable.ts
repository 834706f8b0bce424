/** Characters that a terminal obeys, except tab and line feed. */
// oxlint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g

/** Direction marks, which reorder a line, and invisible characters except joiners. */
const hidden = /[\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]+/g

/** A text of several lines, without characters that a terminal would execute, or that would hide or reorder text. */
export const printable = (text: string): string => text.replace(controls, "").replace(hidden, "")

/** The escape sequences with which programs colour their output. */
// oxlint-disable-next-line no-control-regex
const escapes = /\u001b\[[0-?]*[ -/]*[@-~]/g

export const withoutColours = (text: string): string => text.replace(escapes, "")

const inOneLine = (text: string): ReadonlyArray<string> => [
  // oxlint-disable-next-line no-control-regex
  ...text
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, " ")
    .replace(hidden, " ")
    .replace(/\s+/g, " ")
    .trim()
]

/** The start of a line, without characters that would join the mark after it. */
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

/** The most characters of a line that is not cut to a terminal's width. `--json` prints more. */
export const longestLine = 2000

/** One printable line for a pipe or a file, complete unless it is unreadably long. */
export const longLine = (text: string): string => {
  const line = inOneLine(text)
  return line.length <= longestLine
    ? line.join("")
    : `${beginning(line, longestLine)} (${line.length} characters; --json has all)`
}
