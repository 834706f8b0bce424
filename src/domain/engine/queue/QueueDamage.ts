import type { QueueProblem } from "../../words/session/Session.ts"

export const asideOf = (file: string): string => `${file}.damaged`

/** The lines of a file; the last one may lack its end. */
export const splitLines = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const lines: Array<Uint8Array> = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start)
    lines.push(bytes.subarray(start, end < 0 ? bytes.length : end))
    start = end < 0 ? bytes.length : end + 1
  }
  return lines
}

/** A line that is both in the log and in the file of damaged lines counts once. */
export const damageOf = (file: string, lines: ReadonlyArray<Uint8Array>): QueueProblem | null => {
  const decoder = new TextDecoder("latin1")
  const count = new Set(lines.map((line) => decoder.decode(line))).size
  if (count === 0) return null
  const aside = asideOf(file)
  const [what, left] = count === 1 ? ["a line", "it"] : [`${count} lines`, "them"]
  return {
    kind: "damaged",
    file: aside,
    message:
      `${what} of the queue's log could not be read: messages may be missing, or be as they were before a change; ` +
      `what is left of ${left} is kept in ${aside}, until you remove that file`
  }
}
