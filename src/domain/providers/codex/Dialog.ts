import { type Dialog, type DialogKind, type DialogOption, subjectField } from "../../words/session/Screen.ts"

/** Labels of the question about a cheaper model, which Codex 0.169 asks after a usage limit. */
const cheaperModel = [/^Switch to \S+$/, /^Keep current model$/, /^Keep current model \(never show again\)$/]

/** The options. Says whether the question is only a suggestion, or was opened by a user's command. */
const withOptions = (
  options: ReadonlyArray<DialogOption>,
  rows: ReadonlyArray<string>,
  opened: boolean
): Pick<Dialog, "options" | "suggests" | "opened"> =>
  options.length === cheaperModel.length &&
  options.every(({ label }, i) => cheaperModel[i]?.test(label) === true) &&
  /(?:^| )Switch to \S+ for lower credit usage\?$/.test(questionAbove(rows) ?? "")
    ? { options, suggests: true }
    : { options, ...(opened ? { opened } : {}) }

/** What replaces the composer. `ownsKeys`: another view takes the keys, as the key hints in its last row show. */
export interface Overlay {
  readonly dialog: Dialog | null
  readonly ownsKeys: boolean
}

/** Reads what replaces the composer: a question of the CLI, or a list that the user opened. Total. */
export const readOverlay = (lines: ReadonlyArray<string>, last: number): Overlay => {
  const from = overlayTop(lines, last)
  const rows = lines.slice(from, last + 1).map((row) => (scrollRow.test(row) ? "" : row))
  const ownsKeys = rows.slice(-2).some((row) => keyHintRow.test(row))
  const alone = lines.slice(0, from).every((line) => line.trim() === "")
  const kind = dialogKind(rows, alone)
  return {
    dialog:
      kind === null
        ? null
        : {
            kind,
            title: titleOf(rows, kind),
            ...(kind === "permission" ? subjectField(subjectRows(rows)) : {}),
            ...withOptions(readOptions(rows, kind), rows, kind === "question" && backRow.test(rows.at(-1) ?? ""))
          },
    ownsKeys
  }
}

/** The key hints in the last row: `enter select · esc back`, `Press enter to confirm or esc to cancel`, `q close`. */
const keyHintRow = /^ {1,2}(?:.* )?(?:enter|esc|q)(?:\/[a-z]+)? (?:to )?[a-z]/
/** The last row of a list that a user's command opened ("Where should the new conversation run?"). */
const backRow = /^ {1,2}enter select · esc back$/
const optionRow = /^ {0,4}([›>])? {0,3}(\d{1,2})\. (\S.*)$/u
/** An arrow alone in a row: a small screen hides more options above or below. */
const scrollRow = /^[↑↓]\s*$/u
const headRow = /^ {2}>_ OpenAI Codex\b/
const questionRow = /^ {2}Question \d+\/\d+\b/

/**
 * The overlay's first row. Rows of the conversation have a mark in the first column; here only the list's cursor is.
 */
const overlayTop = (lines: ReadonlyArray<string>, last: number): number => {
  let top = last
  for (let y = last; y >= 0; y--) {
    const line = lines[y] ?? ""
    if (line.trim() === "") continue
    const isOwn = line.startsWith("  ") || /^(?:[›>] | \S)/u.test(line) || scrollRow.test(line)
    if (headRow.test(line) || !isOwn) break
    top = y
  }
  return top
}

const dialogKind = (rows: ReadonlyArray<string>, gate: boolean): DialogKind | null => {
  const some = (pattern: RegExp) => rows.some((row) => pattern.test(row))
  if (some(questionRow)) return "question"
  if (!some(optionRow)) return null
  const title = questionAbove(rows)
  const footer = paragraphs(rows).at(-1) ?? ""
  if (/^Press enter to confirm or esc to cancel/.test(footer) || /^Would you like to /.test(title ?? ""))
    return "permission"
  if (/^Implement this plan\?/.test(title ?? "")) return "plan"
  if (gate && rows.some((row) => optionRow.exec(row)?.[1] !== undefined)) {
    return some(/\bsign in\b/i) ? "login" : some(/\btrust\b/i) ? "trust" : "question"
  }
  return title === null ? null : "question"
}

/** The row of the first option, or of the first that a small screen shows. */
const optionsTop = (rows: ReadonlyArray<string>): number => {
  const numbers = rows.map((row) => Number(optionRow.exec(row)?.[2] ?? 0))
  const first = numbers.lastIndexOf(1)
  if (first >= 0) return first
  let top = numbers.findLastIndex((number) => number > 1)
  for (let y = top - 1; y >= 0; y--) if (numbers[y] === (numbers[top] ?? 0) - 1) top = y
  return top < 0 ? rows.length : top
}

/** Joins the rows into which a narrow terminal has wrapped a paragraph: adjacent rows at the margin. */
const paragraphs = (rows: ReadonlyArray<string>): ReadonlyArray<string> => {
  const joined: Array<string> = []
  rows.forEach((row, y) => {
    if (!/^ {2}\S/.test(row) || optionRow.test(row)) return
    const continues = y > 0 && /^ {2}\S/.test(rows[y - 1] ?? "") && !optionRow.test(rows[y - 1] ?? "")
    joined.push(continues ? `${joined.pop()} ${row.trim()}` : row.trim())
  })
  return joined
}

/** The question above the options: the nearest paragraph that ends with a question mark. */
const questionAbove = (rows: ReadonlyArray<string>): string | null =>
  paragraphs(rows.slice(0, optionsTop(rows))).findLast(
    (text) => text.endsWith("?") && !/^(?:\$|Reason:) /.test(text)
  ) ?? null

const titleOf = (rows: ReadonlyArray<string>, kind: DialogKind): string => {
  const above = rows
    .slice(0, optionsTop(rows))
    .map((row) => row.trim())
    .filter((row) => row !== "")
  const asked = paragraphs(rows.slice(0, optionsTop(rows)))
    .map((text) => text.replace(/^Question \d+\/\d+(?: \([^)]*\))? ?/, ""))
    .findLast((text) => text !== "")
  const questionText =
    kind !== "question" ? questionAbove(rows) : rows.some((row) => questionRow.test(row)) ? asked : above.at(-1)
  const command =
    kind === "permission" ? above.find((row) => row.startsWith("$ ") || row.startsWith("Destination: ")) : undefined
  return [questionText ?? above[0] ?? "a dialog", command]
    .filter((part) => part !== undefined)
    .join(" ")
    .slice(0, 200)
}

/** The subject of a permission: the command after its prompt, or the files after "Destination". */
const subjectRows = (rows: ReadonlyArray<string>): ReadonlyArray<string> => {
  const above = rows.slice(0, optionsTop(rows))
  const from = above.findIndex((row) => /^ {2}(?:\$|Destination:) /.test(row))
  if (from < 0) return []
  const area = above.slice(from)
  // The command's further lines are indented like its first; one of them may be blank.
  return area.map((row) => row.replace(/^ {2}(?:\$|Destination:) /, "").replace(/^ *\[… \d+ lines?\].*$/, "…"))
}

/** The options. Only permission dialogs wrap their labels. The option with the key `esc` ends the turn. */
const readOptions = (rows: ReadonlyArray<string>, kind: DialogKind): ReadonlyArray<DialogOption> => {
  const options: Array<DialogOption> = []
  for (const row of rows.slice(optionsTop(rows))) {
    const match = optionRow.exec(row)
    const previous = options.at(-1)
    const number = Number(match?.[2])
    if (match !== null && (previous === undefined || number === (previous.number ?? 0) + 1)) {
      options.push({
        number,
        label: (match[3] ?? "").split(/ {2,}/)[0]?.trim() ?? "",
        selected: match[1] !== undefined
      })
    } else if (previous !== undefined && kind === "permission" && /^ {5}\S/.test(row)) {
      options.splice(-1, 1, { ...previous, label: `${previous.label} ${row.trim()}` })
    }
  }
  return kind !== "permission"
    ? options
    : options.map((option) => (/ \(esc\)$/.test(option.label) ? { ...option, endsTurn: true } : option))
}
