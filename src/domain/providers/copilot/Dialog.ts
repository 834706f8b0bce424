import { type Dialog, type DialogKind, type DialogOption, subjectField } from "../../words/session/Screen.ts"
import { bareAt, formAt, isQuestionHead, numberedRow, panelAt } from "./ScreenFrame.ts"

/** The dialog that replaces the box: a panel, framed or bare, or a question between two rules; null: none. */
export const readDialog = (lines: ReadonlyArray<string>, cols: number, last: number): Dialog | null => {
  const panel = bareAt(lines, last) ?? panelAt(lines, cols, last)
  if (panel !== null) return readPanel(panel)
  const form = formAt(lines, cols, last)
  return form === null ? null : readForm(form)
}

/** Frames and rules inside a panel hold the subject of its question. */
const isInset = (row: string): boolean => /^[│╭╰─▄▀]/.test(row)

const readPanel = (panel: ReadonlyArray<string>): Dialog | null => {
  const rows = panel.filter((row) => !isInset(row))
  const options = numberedOptions(rows)
  const kind = options.length === 0 ? null : panelKind(rows, options)
  if (kind === null) return null
  const question = rows.findLast((row) => /^(?:Do|Would) you .*\?$/.test(row))
  // A small screen may cut off the rows above the options.
  const head =
    rows
      .slice(
        0,
        rows.findIndex((row) => numberedRow.test(row))
      )
      .find((row) => row !== "")
      ?.trim() ?? ""
  const title = question === undefined || question === head ? head : head === "" ? question : `${head}: ${question}`
  const subject = kind === "permission" ? subjectField(subjectRows(panel, question ?? "")) : {}
  return { kind, title: title.slice(0, 200) || "a dialog", ...subject, options }
}

/** The subject of a permission: the file in its question, else the content of the last frame above it. */
const subjectRows = (panel: ReadonlyArray<string>, question: string): ReadonlyArray<string> => {
  const file = /^Do you want to (?:create|delete|edit|update|write|modify) (.+)\?$/.exec(question)?.[1]
  if (file !== undefined) return [file]
  const bottom = panel.findLastIndex((row) => /^╰─+╯$/.test(row))
  const top = panel.findLastIndex((row, y) => y < bottom && /^╭─+╮$/.test(row))
  const rows = panel.slice(top + 1, Math.max(bottom, 0)).map((row) => row.replace(/^│ ?/, "").replace(/ *│$/, ""))
  return top < 0 && bottom >= 0 ? ["…", ...rows] : rows
}

/** A narrow screen cuts off the label. */
const refusal = /^No, and tell Copil/

const panelKind = (rows: ReadonlyArray<string>, options: ReadonlyArray<DialogOption>): DialogKind | null => {
  const some = (pattern: RegExp) => rows.some((row) => pattern.test(row))
  const head = rows.find((row) => row !== "") ?? ""
  if (/^Confirm folder trust/.test(head)) return "trust"
  if (/^Plan Ready for Review/.test(head)) return "plan"
  if (/^(?:Sign|Log) in\b/i.test(head)) return "login"
  if (/^(?:Select|Choose|Pick) /.test(head)) return null
  if (/^Allow path access/.test(head) || some(/^Do you want to /) || some(/ wants (?:elevated permissions|to read )/))
    return "permission"
  if (options.some(({ label }) => refusal.test(label))) return "permission"
  return options.some(({ label }) => /^(?:Yes|No)\b/.test(label)) ? "other" : null
}

/** The last list that counts from 1; each option's label includes its wrapped rows. */
const numberedOptions = (rows: ReadonlyArray<string>): ReadonlyArray<DialogOption> => {
  let found: Array<DialogOption> = []
  let open = false
  for (const row of rows) {
    const match = numberedRow.exec(row)
    const number = Number(match?.[2])
    if (match !== null && number === 1) found = []
    if (match !== null && number === found.length + 1) {
      const label = (match[3] ?? "").trim()
      const option = { number, label, selected: match[1]?.startsWith("❯") === true }
      found.push(refusal.test(label) ? { ...option, open: true } : option)
      open = true
      continue
    }
    const previous = found.at(-1)
    if (open && previous !== undefined && /^ {1,5}\S/.test(row)) {
      found[found.length - 1] = { ...previous, label: `${previous.label} ${row.trim()}` }
    } else open = false
  }
  return found
}

const readForm = (form: ReadonlyArray<string>): Dialog | null => {
  const first = form.findIndex((row) => row !== "")
  const rows = form.slice(Math.max(0, first)).map((row) => (row.startsWith(" ") ? row.slice(1) : row))
  const complete = isQuestionHead(rows[0] ?? "")
  const hints = rows
    .filter((row) => row !== "")
    .slice(-2)
    .join(" ")
  if (!complete && !/\besc cancel$|\bany key dismiss$/.test(hints)) return null
  const message =
    rows
      .slice(1)
      .find((row) => row !== "")
      ?.trim() ?? "a question"
  // The first rows are cut off, and maybe options with them, unless the row that names their field is visible.
  if (!complete) {
    const options = rows.some((row) => /^\S.*:$/.test(row)) ? choices(rows) : []
    return { kind: "question", title: "a question", options, declines: true }
  }
  const kind = (rows[0] ?? "").startsWith("Copilot ") ? "question" : "elicitation"
  return { kind, title: message.slice(0, 200), options: choices(rows), declines: true }
}

/** A request to visit an address. Its frame of half blocks may be that of the input box. */
export const readVisitRequest = (rows: ReadonlyArray<string>): Dialog | null => {
  const form = rows.map((row) => row.replace(/^┃ ?/, ""))
  return /^ \S.* wants you to visit$/.test(form[0] ?? "") || /^ any key dismiss$/.test(form.at(-1) ?? "")
    ? readForm(form)
    : null
}

export const answerField = "(your answer)"

/** The open field's options: the list with the cursor in it, wrapped labels joined. */
const choices = (rows: ReadonlyArray<string>): ReadonlyArray<DialogOption> => {
  const cursorRow = rows.findIndex((row) => /^ ?❯(?: |$)/.test(row))
  if (cursorRow < 0) return []
  if (isInset(rows[cursorRow - 1] ?? "")) return [{ number: null, label: answerField, selected: true, open: true }]
  const option = (row: string): DialogOption | null => {
    const match = /^(❯ | {2})(\S.*)$/.exec(row)
    return match === null ? null : { number: null, label: (match[2] ?? "").trim(), selected: match[1] === "❯ " }
  }
  let first = cursorRow
  while (first > 0 && rows[first - 1] !== "") first--
  const found: Array<DialogOption> = []
  for (const row of rows.slice(first)) {
    if (row === "") break
    const next = option(row)
    const previous = found.at(-1)
    if (next !== null) found.push(next)
    else if (previous !== undefined) found[found.length - 1] = { ...previous, label: `${previous.label} ${row.trim()}` }
  }
  return found
}
