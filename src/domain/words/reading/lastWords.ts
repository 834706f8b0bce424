const lineLimit = 20

const complaint =
  /\b(errors?|no|not|can't|cannot|couldn't|unable|fail(s|ed|ure)?|invalid|corrupt(ed)?|unknown|missing|denied)\b/i

/**
 * Why a CLI ended, from its last screen: the last line that looks like an error, if it is near the end, else the last
 * line; null for an empty screen. A line that fills the width continues in the next one.
 */
export const lastWords = (screen: string, cols: number): string | null => {
  const lines: Array<string> = []
  let continues = false
  for (const line of screen.split("\n")) {
    const text = line.trimEnd()
    if (continues) lines.push((lines.pop() ?? "") + text)
    else lines.push(text)
    continues = [...text].length >= cols
  }
  const filled = lines
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .slice(-lineLimit)
  return filled.findLast((line) => complaint.test(line)) ?? filled.at(-1) ?? null
}
