import { fieldsOf, nonEmptyOf } from "../../words/reading/Fields.ts"
import { jsonOf } from "../../words/formats/Json.ts"
import {
  blankFacts,
  type Dialog,
  type DialogOption,
  type ScreenFacts,
  type ScreenView,
  subjectField
} from "../../words/session/Screen.ts"

export const freeLabel = "Something else:"

/** Marks a draft whose beginning is off screen. */
export const cutDraft = "…"

const menuKeys = /^ Enter to choose\b/
const menuHead = /^(?:── (?<dialog>permission|question) ─+|══ (?<picker>.+?) ═+)$/
const optionRow = /^ (?<mark>[ »]) (?<number>\d+)\. (?<label>.*)$/
const spinnerRow = /^[◜◝◞◟] (?<activity>.+)… \(\d+s\)$/
const footerRow = /^ {2}(?:ask|accept) mode/
const backgroundWork = / · (?<count>\d+) in b/

/** Reads the demo CLI's screen. Its bottom rows are fixed, and only its own glyphs are in the first column. */
export const readScreen = (view: ScreenView): ScreenFacts => {
  const lines = view.lines.map((line) => line.trimEnd())
  const facts: ScreenFacts = { ...blankFacts, title: readTitle(view.title), blank: lines.every((line) => line === "") }
  return readMenu(lines, facts) ?? readBox(view, lines, facts) ?? facts
}

const readTitle = (title: string): ScreenFacts["title"] =>
  /^[◈◆] /u.test(title) ? "work" : /^◇ /u.test(title) ? "rest" : null

const readMenu = (lines: ReadonlyArray<string>, facts: ScreenFacts): ScreenFacts | null => {
  if (!menuKeys.test(lines.at(-1) ?? "")) return null
  const top = lines.findLastIndex((line) => menuHead.test(line))
  const { dialog: kind, picker } = menuHead.exec(lines[top] ?? "")?.groups ?? {}
  if (picker !== undefined) return { ...facts, picker: true }
  const options = lines.slice(top + 2, -1).flatMap(readOption)
  const dialog: Dialog = {
    kind: kind === "permission" ? "permission" : kind === "question" ? "question" : "other",
    title: (top < 0 ? "" : (lines[top + 1] ?? "")).trim(),
    ...(kind === "permission" ? subjectField(subject(lines.slice(top + 2, -1))) : {}),
    options
  }
  return { ...facts, dialog }
}

const subject = (rows: ReadonlyArray<string>): string | null => {
  const options = rows.findIndex((row) => optionRow.test(row))
  const drawn = rows.slice(0, Math.max(options, 0)).map((row) => row.replace(/^\s*│ ?/, ""))
  const input = fieldsOf(jsonOf(drawn.join("").trim()))
  return nonEmptyOf(input["command"]) ?? nonEmptyOf(input["file_path"])
}

const readOption = (line: string): ReadonlyArray<DialogOption> => {
  const { label = "", mark, number } = optionRow.exec(line)?.groups ?? {}
  return number === undefined ? [] : [{ number: Number(number), label, selected: mark === "»" }]
}

const readBox = (view: ScreenView, lines: ReadonlyArray<string>, facts: ScreenFacts): ScreenFacts | null => {
  const rule = "─".repeat(view.cols)
  const bottom = lines.length - 2
  if (lines[bottom] !== rule) return null
  const top = lines.slice(0, bottom).lastIndexOf(rule)
  const glyph = lines[top + 1]?.[0]
  if (top < 0 || (glyph !== "»" && glyph !== "⋮")) return null
  const draft = lines
    .slice(top + 1, bottom)
    .map((line) => line.slice(2))
    .join("\n")
    .trim()
  const placeholder = glyph === "»" && bottom - top === 2 && view.faint(top + 1).trim() === draft
  const footer = lines.at(-1) ?? ""
  const above = lines.slice(0, top)
  while (above.at(-1)?.startsWith("  ↳ ") === true) above.pop()
  const activity = spinnerRow.exec(above.at(-1) ?? "")?.groups?.["activity"]
  return {
    ...facts,
    box: { draft: placeholder ? "" : glyph === "⋮" ? `${cutDraft}${draft}` : draft },
    working: activity !== undefined,
    interrupted:
      above.findLastIndex((line) => line.startsWith("⊘ ")) > above.findLastIndex((line) => line.startsWith("» ")),
    background: footerRow.test(footer) ? Number(backgroundWork.exec(footer)?.groups?.["count"] ?? 0) : null,
    activity: activity ?? null
  }
}
