import {
  blankFacts,
  type Dialog,
  type DialogOption,
  type ScreenFacts,
  type ScreenView,
  subjectField
} from "../../../../src/domain/words/session/Screen.ts"

const optionRow = /^(?<mark>[ >]) (?<number>[1-9])\) (?<label>\S.*)$/

/** The question in the rows above `toy?`, which is the last one. */
const dialogIn = (rows: ReadonlyArray<string>): Dialog | null => {
  const title = /^toy asks: (.+)$/.exec(rows.findLast((row) => row.startsWith("toy asks: ")) ?? "")?.[1]
  if (rows.at(-1) !== "toy?" || title === undefined) return null
  const options = rows.flatMap((row): ReadonlyArray<DialogOption> => {
    const { label, mark, number } = optionRow.exec(row)?.groups ?? {}
    return label === undefined ? [] : [{ number: Number(number), label, selected: mark === ">" }]
  })
  return { kind: "permission", title, ...subjectField(/^May I run (.+)\?$/.exec(title)?.[1]), options }
}

/** Reads Toy's screen: what it says stands behind two blanks, what it is stands in the first column. Total. */
export const readScreen = (view: ScreenView): ScreenFacts => {
  const rows = view.lines.map((line) => line.trimEnd())
  const end = rows.findLastIndex((row) => row !== "") + 1
  const shown = rows.slice(0, end)
  const facts: ScreenFacts = { ...blankFacts, blank: end === 0 }
  const dialog = dialogIn(shown)
  if (dialog !== null) return { ...facts, dialog }
  if (shown.at(-1) === "toy: thinking") return { ...facts, working: true }
  const box = shown.findIndex((row) => row === "toy>" || row.startsWith("toy> "))
  if (box < 0) return facts
  const draft = [shown[box]?.slice("toy> ".length), ...shown.slice(box + 1)].join("\n").trim()
  // its box is there only while nothing works
  return { ...facts, box: { draft }, resting: true, interrupted: shown[box - 1] === "  (stopped)" }
}
