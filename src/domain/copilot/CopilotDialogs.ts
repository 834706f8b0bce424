import type { Dialog, DialogKind, DialogOption } from "../Screen.ts"
import { formAt, isAsking, panelAt } from "./CopilotFrame.ts"

/** The dialog that replaces the input box: a panel in a rounded frame, or a question between two rules; null for none. */
export const dialogIn = (lines: ReadonlyArray<string>, cols: number, last: number): Dialog | null => {
  const panel = panelAt(lines, cols, last)
  if (panel !== null) return readPanel(panel)
  const form = formAt(lines, cols, last)
  return form === null ? null : readForm(form)
}

/** Frames and rules inside a panel hold what it asks about. */
const isInset = (row: string): boolean => /^[│╭╰─▄▀]/.test(row)

// In a narrow panel the rows of a wrapped option lose a column.
const numbered = /^(❯ ?| {1,2})(\d{1,2})\. (\S.*)$/

const readPanel = (panel: ReadonlyArray<string>): Dialog | null => {
  const rows = panel.filter((row) => !isInset(row))
  const options = numberedOptions(rows)
  const kind = options.length === 0 ? null : panelKind(rows, options)
  if (kind === null) return null
  const asked = rows.findLast((row) => /^(?:Do|Would) you .*\?$/.test(row))
  const head = rows.find((row) => row !== "")?.trim() ?? ""
  const title = asked === undefined || asked === head ? head : head === "" || numbered.test(head) ? asked : `${head}: ${asked}`
  return { kind, title: title.slice(0, 200) || "a dialog", options }
}

/** A panel that only chooses a setting is no dialog: null. */
const panelKind = (rows: ReadonlyArray<string>, options: ReadonlyArray<DialogOption>): DialogKind | null => {
  const some = (pattern: RegExp) => rows.some((row) => pattern.test(row))
  const head = rows.find((row) => row !== "") ?? ""
  if (/^Confirm folder trust/.test(head)) return "trust"
  if (/^Plan Ready for Review/.test(head)) return "plan"
  if (/^(?:Sign|Log) in\b/i.test(head)) return "login"
  if (/^(?:Select|Choose|Pick) /.test(head)) return null
  if (/^Allow path access/.test(head) || some(/^Do you want to /) || some(/ wants (?:elevated permissions|to read )/)) return "permission"
  if (options.some(({ label }) => /^No, and tell Copilot what to do\b/.test(label))) return "permission"
  return options.some(({ label }) => /^(?:Yes|No)\b/.test(label)) ? "other" : null
}

/** The last list that counts from 1, each option with the rows that its text is wrapped to. */
const numberedOptions = (rows: ReadonlyArray<string>): ReadonlyArray<DialogOption> => {
  let found: Array<DialogOption> = []
  let open = false
  for (const row of rows) {
    const match = numbered.exec(row)
    const number = Number(match?.[2])
    if (match !== null && number === 1) found = []
    if (match !== null && number === found.length + 1) {
      const label = (match[3] ?? "").trim()
      const option = { number, label, selected: match[1]?.startsWith("❯") === true }
      found.push(/^No, and tell Copilot what to do\b/.test(label) ? { ...option, open: true } : option)
      open = true
      continue
    }
    const before = found.at(-1)
    if (open && before !== undefined && /^ {1,5}\S/.test(row)) {
      found[found.length - 1] = { ...before, label: `${before.label} ${row.trim()}` }
    } else open = false
  }
  return found
}

const readForm = (form: ReadonlyArray<string>): Dialog | null => {
  const rows = form.map((row) => row.startsWith(" ") ? row.slice(1) : row)
  const asked = isAsking(rows[0] ?? "")
  const hints = rows.filter((row) => row !== "").slice(-2).join(" ")
  if (!asked && !/\besc cancel$|\bany key dismiss$/.test(hints)) return null
  const message = rows.slice(1).find((row) => row !== "")?.trim() ?? "a question"
  // Its beginning is cut off, and with it some of the choices.
  if (!asked) return { kind: "question", title: "a question", options: [], declines: true }
  const kind = (rows[0] ?? "").startsWith("Copilot ") ? "question" : "elicitation"
  return { kind, title: message.slice(0, 200), options: choices(rows), declines: true }
}

/** A request to visit an address, which may stand in the frame of half blocks that the input box has elsewhere. */
export const visitIn = (rows: ReadonlyArray<string>): Dialog | null => {
  const form = rows.map((row) => row.replace(/^┃ ?/, ""))
  return /^ \S.* wants you to visit$/.test(form[0] ?? "") || /^ any key dismiss$/.test(form.at(-1) ?? "") ? readForm(form) : null
}

/** The label of a field that takes a text, in place of choices. */
export const answerField = "(your answer)"

/** The choices of the field that is open: the list that the cursor is in, each with the rows it is wrapped to. */
const choices = (rows: ReadonlyArray<string>): ReadonlyArray<DialogOption> => {
  const at = rows.findIndex((row) => /^ ?❯(?: |$)/.test(row))
  if (at < 0) return []
  if (isInset(rows[at - 1] ?? "")) return [{ number: null, label: answerField, selected: true, open: true }]
  const option = (row: string): DialogOption | null => {
    const match = /^(❯ | {2})(\S.*)$/.exec(row)
    return match === null ? null : { number: null, label: (match[2] ?? "").trim(), selected: match[1] === "❯ " }
  }
  let first = at
  while (first > 0 && rows[first - 1] !== "") first--
  const found: Array<DialogOption> = []
  for (const row of rows.slice(first)) {
    if (row === "") break
    const next = option(row)
    const before = found.at(-1)
    if (next !== null) found.push(next)
    else if (before !== undefined) found[found.length - 1] = { ...before, label: `${before.label} ${row.trim()}` }
  }
  return found
}
