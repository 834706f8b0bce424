import { type DialogKind, type DialogOption, type ScreenFacts, subjectField } from "../../words/session/Screen.ts"

/** In a list that scrolls, an arrow marks the option next to the hidden ones. */
const optionRow = /^ {0,4}(?:([❯›])|[↑↓])? {0,3}(\d{1,2})\.\s+(.+)$/
const footerRow = new RegExp(
  String.raw`(?:^| |· )(?:Esc to (?:cancel|close|go back|exit)|Enter to (?:select|confirm|view|save|submit)` +
    String.raw`|(?:↑\/↓|←\/→|Tab\/Arrow keys) to (?:navigate|switch|adjust|scroll))`,
  "u"
)

/** A rule that is mostly a session's name, or is the name up to its last column. */
const nameRule = /^(?:──+)? \S.* ─$/

/** A rule across the screen from the first column; it may contain a badge. */
export const isRule = (line: string): boolean => {
  if (line.length >= 20 && nameRule.test(line)) return true
  if (!line.startsWith("──")) return false
  let count = 0
  for (const glyph of line) if (glyph === "─") count++
  return count >= 20 && line.length - count <= 40
}

export const isHeavyRule = (line: string): boolean => line.startsWith("▔▔▔▔▔▔▔▔▔▔")

/** Reads the rows below an older box: options with a pointer are a dialog, and anything else takes the keys. */
export const readUnder = (below: ReadonlyArray<string>): Pick<ScreenFacts, "dialog" | "picker" | "working"> => {
  const overlay = readOverlay(below, below.length - 1)
  if (overlay.dialog !== null) return overlay
  const options = readOptions(below)
  return options.some(({ number, selected }) => number !== null && selected)
    ? { dialog: { kind: "other", title: "a dialog", options }, picker: false, working: false }
    : { dialog: null, picker: true, working: overlay.working }
}

/** Reads what replaces the box: a dialog, or another screen of the CLI that takes the keys. */
export const readOverlay = (
  lines: ReadonlyArray<string>,
  last: number
): Pick<ScreenFacts, "dialog" | "picker" | "working"> => {
  const from = overlayTop(lines, last)
  const rows = lines.slice(from, last + 1)
  const kind = dialogKind(rows)
  if (kind === null) {
    const isPicker =
      rows.some((row) => footerRow.test(row)) ||
      rows.some((row) => /^ {0,4}❯ \S/.test(row)) ||
      rows.some((row) => row.includes("Showing detailed transcript")) ||
      isHeavyRule(rows[0] ?? "")
    return {
      dialog: null,
      picker: isPicker,
      working: rows.some((row) => /^ {2}working · Showing detailed transcript/.test(row))
    }
  }
  const options = kind === "elicitation" ? [] : readOptions(rows)
  const subject = kind === "permission" ? subjectField(subjectRows(rows)) : {}
  const opened = kind === "other" ? { declines: true, opened: true } : {}
  return {
    dialog: { kind, title: titleRow(rows, kind), ...subject, options, ...opened },
    picker: false,
    working: false
  }
}

const dashedRule = /^╌{10,}$/
const fileQuestion = /^Do you want to (?:make this edit to|create|overwrite|update|edit|write to|delete) (.+)\?$/

/** The subject of a permission: the file in its question, else the rows between dashed rules or below its heading. */
const subjectRows = (rows: ReadonlyArray<string>): ReadonlyArray<string> => {
  const rules = rows.flatMap((row, y) => (dashedRule.test(row.trim()) ? [y] : []))
  const bottom = rules.at(-1) ?? 0
  const from = rows.findLastIndex((row) => /^\s*Do you want to /.test(row))
  if (from < 0) return []
  const first = rows.findIndex((row, y) => y > from && /^ {0,4}(?:[❯›] |\d{1,2}\. )/.test(row))
  const question = rows.slice(from, first < 0 ? undefined : first).map((row) => row.trim())
  const file = fileQuestion.exec(question.join(" "))?.[1]
  if (file !== undefined) return [file]
  const area = rules.length === 0 ? rows.slice(1, from) : rows.slice((rules.at(-2) ?? -1) + 1, bottom)
  const plain = area.map((row) => row.replace(/^ {0,2}│ ?/, "").trim())
  const address = plain.findIndex((row) => row.startsWith("url: "))
  if (address >= 0) {
    const next = plain.findIndex((row, y) => y > address && /^[a-z_]+: /.test(row))
    return plain.slice(address, next < 0 ? undefined : next).map((row) => row.replace(/^url: /, ""))
  }
  return rules.length === 1 ? ["…", ...plain] : plain
}

/** The overlay's first row: the lowest rule with content below it that does not separate options. */
const overlayTop = (lines: ReadonlyArray<string>, last: number): number => {
  let hasContent = false
  for (let y = last; y >= 0; y--) {
    const line = lines[y] ?? ""
    if (isHeavyRule(line)) return y
    if (!isRule(line)) hasContent ||= line.trim() !== ""
    else if (hasContent && !optionRow.test(lines[y + 1] ?? "") && !chatRow.test(lines[y + 1] ?? "")) return y
  }
  return 0
}

/** The row below the options of a question with pictures; there it has no number. */
const chatRow = /^(?:❯ | {2})Chat about this$/
const confirmRow = /^ {1,4}Enter to confirm · Esc to cancel$/

const dialogKind = (rows: ReadonlyArray<string>): DialogKind | null => {
  const options = rows.some((row) => /^ {0,4}[❯›] \S/.test(row)) || rows.some((row) => optionRow.test(row))
  const some = (pattern: RegExp) => rows.some((row) => pattern.test(row))
  const pointed = some(/^ {0,4}[❯›] \S/)
  if (some(/requests your input/)) return "elicitation"
  if (some(/^ {1,3}Auto mode can't check actions/)) return "permission"
  // A question that the CLI asks before the first prompt has a thin rule; one that a command opened has a thick one.
  const isOpened = isHeavyRule(rows[0] ?? "")
  if (!isOpened && some(/^ {1,2}(?:Enter to confirm|Space to select) · .*Esc to (?:cancel|reject all)$/)) return "trust"
  if (!options) return null
  // In a list Enter saves or selects. Only in a question that a command asks before its work does it confirm.
  if (isOpened && pointed && confirmRow.test(rows.findLast((row) => row.trim() !== "") ?? "")) return "other"
  if (some(/^\s*(?:Accessing workspace:|WARNING: .*Bypass Permissions mode|Quick safety check)/)) return "trust"
  if (some(/^ {0,3}Select login method:/)) return "login"
  // A narrow pane wraps a question.
  if (/Would you like to +proceed\?/.test(rows.join(" ")) || some(/^\s*Exit plan mode\?|^\s*Ready to code\?/))
    return "plan"
  if (some(/^\s*Do you want to .*\?|^ {0,3}Do you want to /) || (pointed && some(/^ {0,3}Do you want(?: to)?$/)))
    return "permission"
  // The question may be out of sight.
  if (pointed && some(/^ ↑ \d+ more lines?\s*$/) && some(/^ Esc to cancel · Tab to amend\s*$/)) return "permission"
  if (some(/^ ?(?:← {1,2})?[☐☒✔] /u) || some(/^Review your answers/) || some(/^Enter to select · /)) return "question"
  return null
}

const titleRow = (rows: ReadonlyArray<string>, kind: DialogKind): string => {
  const clean = rows.map((row) => row.trim())
  if (clean.includes("Review your answers")) return "Review your answers"
  const question =
    kind === "permission" || kind === "plan" || kind === "question"
      ? clean.find((row) => /\?$/.test(row) && !/^[❯›]/.test(row))
      : undefined
  const options = rows.findIndex((row) => optionRow.test(row))
  const first = clean.find((row, y) => (options < 0 || y < options) && /^[\p{L}☐☒]/u.test(row))
  const head =
    kind === "permission" && first !== undefined && question !== undefined && first !== question ? `${first}: ` : ""
  return (head + (question ?? first ?? "a dialog")).slice(0, 200)
}

/** The rows without the picture at their right. */
const withoutPicture = (rows: ReadonlyArray<string>): ReadonlyArray<string> => {
  const x = rows.map((row) => /\S {2,}(?=┌─+┐?$)/.exec(row)).find((found) => found !== null)
  const at = x === undefined ? -1 : x.index + x[0].length
  return at < 0 ? rows : rows.map((row) => (/^[┌│└]/.test(row.slice(at)) ? row.slice(0, at).trimEnd() : row))
}

const readOptions = (drawn: ReadonlyArray<string>): ReadonlyArray<DialogOption> => {
  const rows = withoutPicture(drawn)
  const numbered: Array<DialogOption> = []
  for (const row of rows) {
    const match = optionRow.exec(row)
    if (match === null) continue
    const number = Number(match[2])
    if (number === 1) numbered.length = 0
    if (number === (numbered.at(-1)?.number ?? number - 1) + 1) {
      numbered.push({ number, label: (match[3] ?? "").trim(), selected: match[1] !== undefined })
    }
  }
  // Numbered lines in the text above unnumbered options are no options: the cursor is then on an unnumbered row.
  return numbered[0]?.number === 1 || numbered.some(({ selected }) => selected) ? numbered : bareOptions(rows)
}

/** Unnumbered options: adjacent rows with the same indentation as the row under the cursor. */
const bareOptions = (rows: ReadonlyArray<string>): ReadonlyArray<DialogOption> => {
  const cursorRow = rows.findIndex((row) => /^ {0,4}[❯›] \S/.test(row))
  if (cursorRow < 0) return []
  const indent = /^ */.exec(rows[cursorRow] ?? "")?.[0].length ?? 0
  const option = (row: string | undefined): DialogOption | null => {
    const match = /^( {0,4})([❯›] | {2})(\S.*)$/.exec(row ?? "")
    return match === null || match[1]?.length !== indent
      ? null
      : { number: null, label: (match[3] ?? "").trim(), selected: match[2] !== "  " }
  }
  let first = cursorRow
  while (first > 0 && option(rows[first - 1]) !== null) first--
  const found: Array<DialogOption> = []
  for (let y = first; y < rows.length; y++) {
    const next = option(rows[y])
    if (next === null) break
    found.push(next)
  }
  return found
}
