import { type Dialog, type DialogOption, type ScreenView, subjectField } from "../../words/session/Screen.ts"

/** The rows and columns (`right` exclusive) of a dialog, without what is displayed beside it. */
export interface Panel {
  readonly view: ScreenView
  readonly from: number
  readonly to: number
  readonly left: number
  readonly right: number
}

export const textOf = (view: ScreenView, y: number, left: number, right: number): string =>
  view
    .runs(y)
    .map(({ text, x }) => text.slice(Math.max(0, left - x), Math.max(0, right - x)))
    .join("")
    .trimEnd()

export const backgroundAt = (view: ScreenView, y: number, column: number): string =>
  view.runs(y).findLast(({ x }) => x <= column)?.background ?? ""

/** The first column after the run of one background that begins at `left`. */
export const edgeOf = (view: ScreenView, y: number, left: number): number => {
  const next = view.runs(y).find(({ background, x }) => x > left && background !== backgroundAt(view, y, left))
  return next?.x ?? view.cols
}

/** Whether the choice is selected: it has another background. */
const isHighlighted = ({ left, view }: Panel, y: number, column: number): boolean =>
  backgroundAt(view, y, column) !== backgroundAt(view, y, left)

interface Row {
  readonly y: number
  readonly text: string
}

const headRow = /^ {1,3}△ +(\S.*)$/
/** The key hints are beside the choices, or below them; a narrow window cuts them off. */
const keyHints = / *(?:\S+ (?:fullscreen|minimize)|⇆ ?select|enter confirm).*$/
/** In a narrow window the meaning of the keys is in a row below them. */
const questionKeys =
  /(?:^| )(?:esc(?: +[a-z]+){0,4} +dismiss|enter (?:save)? +esc (?:save +)?cancel|Waiting for question event)/
const choicesRow = /^ {1,4}(?:Allow once|Confirm)(?: {2,}|$)/
const optionRow = /^( {1,3})(\d{1,2})\. (.+)$/
/** The label of the last option. The user's own answer is displayed below it. */
export const ownAnswer = "Type your own answer"

/**
 * Reads a dialog by its frame: a permission has a head with a triangle, and choices side by side; a question has
 * numbered options, and a row of keys at its bottom. Null: neither. `needsFooter`: a permission must also have its keys
 * at the bottom, or "Waiting for permission event" there.
 */
export const readDialog = (panel: Panel, needsFooter = false): Dialog | null => {
  const rows: Array<Row> = []
  for (let y = panel.from; y <= panel.to; y++) rows.push({ y, text: textOf(panel.view, y, panel.left, panel.right) })
  const filled = rows.filter(({ text }) => text.trim() !== "")
  const footer = filled
    .slice(-3)
    .map(({ text }) => text.trim())
    .join(" ")
  const head = filled[0]
  if (head !== undefined && headRow.test(head.text)) {
    const hasFooter =
      !needsFooter || /(?:^| )(?:⇆ select|enter (?:confirm|save)|Waiting for permission event)/.test(footer)
    return hasFooter ? permission(panel, filled) : null
  }
  return questionKeys.test(footer) ? question(panel, filled) : null
}

const permission = (panel: Panel, rows: ReadonlyArray<Row>): Dialog => {
  const choicesIndex = rows.findLastIndex(({ text }) => choicesRow.test(text.replace(keyHints, "")))
  const choices = rows[choicesIndex]
  const options: Array<DialogOption> = []
  if (choices !== undefined) {
    for (const match of choices.text.replace(keyHints, "").matchAll(/\S+(?: \S+)*/g)) {
      const label = match[0]
      options.push({
        number: null,
        label,
        selected: isHighlighted(panel, choices.y, panel.left + match.index),
        ...(label === "Reject" ? { endsTurn: true } : {})
      })
    }
  }
  const above = rows.slice(0, choicesIndex < 0 ? undefined : choicesIndex).map(({ text }) => text)
  return {
    kind: "permission",
    title: permissionTitle(rows, choicesIndex),
    ...subjectField(subjectRows(above)),
    options
  }
}

/** A scrollbar, at the right edge of what is drawn in a panel. */
const scrollbar = / +[█▀▄]$/u

/** The subject of a permission: the command after its prompt, else the file or the address below the head. */
const subjectRows = (rows: ReadonlyArray<string>): ReadonlyArray<string> => {
  const plain = rows.map((row) => row.replace(scrollbar, ""))
  const prompt = plain.findIndex((row) => /^ {1,3}\$ /.test(row))
  if (prompt >= 0) return plain.slice(prompt).map((row, y) => (y === 0 ? row.replace(/^ {1,3}\$ /, "") : row))
  const named = /^\s*\S (?:Edit|Write|Read|List|Access external directory|WebFetch|Patch) (.+)$/u.exec(plain[1] ?? "")
  return named === null ? [] : [named[1] ?? ""]
}

const permissionTitle = (rows: ReadonlyArray<Row>, choices: number): string => {
  const head = headRow.exec(rows[0]?.text ?? "")?.[1] ?? ""
  const request = rows[1]?.text.trim() ?? ""
  const action = /^\S (\S.*)$/u.exec(request)?.[1]
  if (head !== "Permission required" || action === undefined) return `${head}: ${request}`.slice(0, 200)
  const body = rows.slice(2, choices < 0 ? undefined : choices).find(({ text }) => /^ {1,3}\$ /.test(text))
  return (body === undefined ? action : `${action}: ${body.text.trim().slice(2)}`).slice(0, 200)
}

const question = (panel: Panel, rows: ReadonlyArray<Row>): Dialog => {
  const options: Array<DialogOption> = []
  let first = rows.length - 1
  for (const [index, { text, y }] of rows.entries()) {
    const match = optionRow.exec(text)
    if (match === null) continue
    const number = Number(match[2])
    if (number === 1) {
      options.length = 0
      first = index
    }
    if (number !== options.length + 1) continue
    const label = (match[3] ?? "").trim()
    const typed = label.endsWith(ownAnswer) ? typedAnswer(panel, rows, index) : null
    options.push({
      number,
      label: typed === null ? label : `${label}: ${typed}`,
      selected: isHighlighted(panel, y, panel.left + (match[1]?.length ?? 0))
    })
  }
  const tabs = rows.slice(-2).some(({ text }) => /(?:^| )⇆ tab\b/.test(text))
  const head = rows
    .slice(tabs ? 1 : 0, Math.max(first, tabs ? 2 : 1))
    .map(({ text }) => text.trim())
    .join(" ")
  if (tabs && options.length === 0) {
    return {
      kind: "question",
      title: head.slice(0, 200) || "Review",
      options: [{ number: null, label: "Submit", selected: true }]
    }
  }
  return { kind: "question", title: head.slice(0, 200), options }
}

/** The user's own answer while typed, "" at its start. The cursor is then visible in its option's row or below. */
const typedAnswer = ({ view }: Panel, rows: ReadonlyArray<Row>, option: number): string | null => {
  const { visible, y } = view.cursor
  const below = rows[option + 1]
  if (!visible || below === undefined || y < (rows[option]?.y ?? 0)) return null
  const text = below.text.trim()
  return text === ownAnswer || y < below.y ? "" : text
}
