/** Lines of a screen's end in which a CLI says why it ended. */
const looked = 20

const complaint = /\b(errors?|no|not|can't|cannot|couldn't|unable|fail(s|ed|ure)?|invalid|corrupt(ed)?|unknown|missing|denied)\b/i

/**
 * What a CLI that ended said last of what went wrong: of the screen's last lines the last one that sounds like it, else the
 * last one; null for an empty screen. A line that fills the width goes on in the next one.
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
  const said = lines.map((line) => line.trim()).filter((line) => line !== "").slice(-looked)
  return said.findLast((line) => complaint.test(line)) ?? said.at(-1) ?? null
}
