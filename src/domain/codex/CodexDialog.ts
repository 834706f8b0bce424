import type { Dialog, DialogKind, DialogOption } from "../Screen.ts"

/** What replaces the composer. `owned`: it is another view of the CLI, known by the keys that its last row names. */
export interface Overlay {
  readonly dialog: Dialog | null
  readonly owned: boolean
}

/** Reads what stands in the composer's place: a question that the CLI asks, or a list that the user opened. Total. */
export const readOverlay = (lines: ReadonlyArray<string>, last: number): Overlay => {
  const from = overlayTop(lines, last)
  const rows = lines.slice(from, last + 1)
  const owned = rows.slice(-2).some((row) => hints.test(row))
  // A gate of the start has the screen for itself.
  const alone = lines.slice(0, from).every((line) => line.trim() === "")
  const kind = dialogKind(rows, alone)
  return { dialog: kind === null ? null : { kind, title: titleOf(rows, kind), options: readOptions(rows, kind) }, owned }
}

/** The keys that a view names in its last row: `enter select · esc back`, `Press enter to confirm or esc to cancel`, `q close`. */
const hints = /^ {1,2}(?:.* )?(?:enter|esc|q)(?:\/[a-z]+)? (?:to )?[a-z]/
const optionRow = /^ {0,4}([›>])? {0,3}(\d{1,2})\. (\S.*)$/u
/** The head of the conversation. */
const headRow = /^ {2}>_ OpenAI Codex\b/
const question = /^ {2}Question \d+\/\d+\b/

/** The conversation is marked in its first column; the overlay's only mark there is the cursor of its list. */
const overlayTop = (lines: ReadonlyArray<string>, last: number): number => {
  let top = last
  for (let y = last; y >= 0; y--) {
    const line = lines[y] ?? ""
    if (line.trim() === "") continue
    if (headRow.test(line) || !line.startsWith("  ") && !/^(?:[›>] | \S)/u.test(line)) break
    top = y
  }
  return top
}

const dialogKind = (rows: ReadonlyArray<string>, gate: boolean): DialogKind | null => {
  const some = (pattern: RegExp) => rows.some((row) => pattern.test(row))
  if (some(question)) return "question"
  if (!some(optionRow)) return null
  const title = questionOver(rows)
  const foot = paragraphs(rows).at(-1) ?? ""
  if (/^Press enter to confirm or esc to cancel/.test(foot) || /^Would you like to /.test(title ?? "")) return "permission"
  if (/^Implement this plan\?/.test(title ?? "")) return "plan"
  if (gate && rows.some((row) => optionRow.exec(row)?.[1] !== undefined)) {
    return some(/\bsign in\b/i) ? "login" : some(/\btrust\b/i) ? "trust" : "question"
  }
  return title === null ? null : "question"
}

const optionsTop = (rows: ReadonlyArray<string>): number => {
  const first = rows.findLastIndex((row) => Number(optionRow.exec(row)?.[2]) === 1)
  return first < 0 ? rows.length : first
}

/** What a narrow terminal has broken into rows, whole again: rows that follow each other at the margin. */
const paragraphs = (rows: ReadonlyArray<string>): ReadonlyArray<string> => {
  const whole: Array<string> = []
  rows.forEach((row, y) => {
    if (!/^ {2}\S/.test(row) || optionRow.test(row)) return
    const goes = y > 0 && /^ {2}\S/.test(rows[y - 1] ?? "") && !optionRow.test(rows[y - 1] ?? "")
    whole.push(goes ? `${whole.pop()} ${row.trim()}` : row.trim())
  })
  return whole
}

/** The question over the options: the nearest text above them that ends like one. */
const questionOver = (rows: ReadonlyArray<string>): string | null =>
  paragraphs(rows.slice(0, optionsTop(rows))).findLast((text) => text.endsWith("?") && !/^(?:\$|Reason:) /.test(text)) ?? null

const titleOf = (rows: ReadonlyArray<string>, kind: DialogKind): string => {
  const over = rows.slice(0, optionsTop(rows)).map((row) => row.trim()).filter((row) => row !== "")
  const asked = kind === "question" ? over.findLast((row) => !question.test(`  ${row}`)) : questionOver(rows)
  const command = kind === "permission" ? over.find((row) => row.startsWith("$ ") || row.startsWith("Destination: ")) : undefined
  return [asked ?? over[0] ?? "a dialog", command].filter((part) => part !== undefined).join(" ").slice(0, 200)
}

/**
 * A label is the first column of its row; what stands behind two blanks, or below, explains it. An approval's label only goes
 * on there, and the one that names Escape for its key stops the turn.
 */
const readOptions = (rows: ReadonlyArray<string>, kind: DialogKind): ReadonlyArray<DialogOption> => {
  const options: Array<DialogOption> = []
  for (const row of rows.slice(optionsTop(rows))) {
    const match = optionRow.exec(row)
    const before = options.at(-1)
    if (match !== null && Number(match[2]) === options.length + 1) {
      options.push({ number: options.length + 1, label: (match[3] ?? "").split(/ {2,}/)[0]?.trim() ?? "", selected: match[1] !== undefined })
    } else if (before !== undefined && kind === "permission" && /^ {5}\S/.test(row)) {
      options.splice(-1, 1, { ...before, label: `${before.label} ${row.trim()}` })
    }
  }
  return kind !== "permission" ? options : options.map((option) => / \(esc\)$/.test(option.label) ? { ...option, endsTurn: true } : option)
}
