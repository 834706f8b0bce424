import type { Dialog, DialogOption, ScreenView } from "../Screen.ts"

/** The rows of a dialog, without what stands beside it. */
export interface Panel {
  readonly view: ScreenView
  readonly from: number
  readonly to: number
  /** Columns: the first, and the one behind the last. */
  readonly left: number
  readonly right: number
}

/** A row's text between two columns. */
export const textOf = (view: ScreenView, y: number, left: number, right: number): string =>
  view.runs(y).map(({ text, x }) => text.slice(Math.max(0, left - x), Math.max(0, right - x))).join("").trimEnd()

/** The background of a cell. */
export const backgroundAt = (view: ScreenView, y: number, column: number): string =>
  view.runs(y).findLast(({ x }) => x <= column)?.background ?? ""

/** The column behind the stretch of one background that begins at `left`. */
export const edgeOf = (view: ScreenView, y: number, left: number): number => {
  const behind = view.runs(y).find(({ background, x }) => x > left && background !== backgroundAt(view, y, left))
  return behind?.x ?? view.cols
}

/** The choice that the keys are on has a background of its own. */
const isLit = ({ left, view }: Panel, y: number, column: number): boolean =>
  backgroundAt(view, y, column) !== backgroundAt(view, y, left)

interface Row {
  readonly y: number
  readonly text: string
}

const headRow = /^ {1,3}△ +(\S.*)$/
/** The keys stand beside the choices, or under them; a narrow window cuts them off. */
const hints = / *(?:\S+ (?:fullscreen|minimize)|⇆ ?select|enter confirm).*$/
const choicesRow = /^ {1,4}(?:Allow once|Confirm)(?: {2,}|$)/
const optionRow = /^( {1,3})(\d{1,2})\. (.+)$/
/** Text that is being typed as an answer stands under the last option. */
export const ownAnswer = "Type your own answer"

/**
 * Reads a dialog by its frame: a permission has a head with a triangle and choices side by side, a question has numbered
 * options and a row of keys at its foot. Null for what is neither. `footed`: a permission must have its choices or keys, too.
 */
export const readDialog = (panel: Panel, footed = false): Dialog | null => {
  const rows: Array<Row> = []
  for (let y = panel.from; y <= panel.to; y++) rows.push({ y, text: textOf(panel.view, y, panel.left, panel.right) })
  const filled = rows.filter(({ text }) => text.trim() !== "")
  const foot = filled.slice(-3).map(({ text }) => text.trim()).join(" ")
  const head = filled[0]
  if (head !== undefined && headRow.test(head.text)) {
    const has = !footed || /(?:^| )(?:⇆ select|enter (?:confirm|save)|Waiting for permission event)/.test(foot)
    return has ? permission(panel, filled) : null
  }
  return /(?:^| )(?:esc dismiss|enter save {1,2}esc cancel|Waiting for question event)/.test(foot) ? question(panel, filled) : null
}

const permission = (panel: Panel, rows: ReadonlyArray<Row>): Dialog => {
  const at = rows.findLastIndex(({ text }) => choicesRow.test(text.replace(hints, "")))
  const choices = rows[at]
  const options: Array<DialogOption> = []
  if (choices !== undefined) {
    for (const match of choices.text.replace(hints, "").matchAll(/\S+(?: \S+)*/g)) {
      const label = match[0]
      options.push({
        number: null,
        label,
        selected: isLit(panel, choices.y, panel.left + match.index),
        ...(label === "Reject" ? { endsTurn: true } : {})
      })
    }
  }
  return { kind: "permission", title: permissionTitle(rows, at), options }
}

const permissionTitle = (rows: ReadonlyArray<Row>, choices: number): string => {
  const head = headRow.exec(rows[0]?.text ?? "")?.[1] ?? ""
  const what = rows[1]?.text.trim() ?? ""
  // what is asked for stands under the head, behind a sign
  const sign = /^\S (\S.*)$/u.exec(what)?.[1]
  if (head !== "Permission required" || sign === undefined) return `${head}: ${what}`.slice(0, 200)
  const body = rows.slice(2, choices < 0 ? undefined : choices).find(({ text }) => /^ {1,3}\$ /.test(text))
  return (body === undefined ? sign : `${sign}: ${body.text.trim().slice(2)}`).slice(0, 200)
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
      selected: isLit(panel, y, panel.left + (match[1]?.length ?? 0))
    })
  }
  const tabs = rows.slice(-2).some(({ text }) => /(?:^| )⇆ tab\b/.test(text))
  const head = rows.slice(tabs ? 1 : 0, Math.max(first, tabs ? 2 : 1)).map(({ text }) => text.trim()).join(" ")
  if (tabs && options.length === 0) {
    return { kind: "question", title: head.slice(0, 200) || "Review", options: [{ number: null, label: "Submit", selected: true }] }
  }
  return { kind: "question", title: head.slice(0, 200), options }
}

/** The own answer while it is being typed, "" at its start: the cursor shows then, and in the rows under its option. */
const typedAnswer = ({ view }: Panel, rows: ReadonlyArray<Row>, option: number): string | null => {
  const { visible, y } = view.cursor
  const under = rows[option + 1]
  if (!visible || under === undefined || y < (rows[option]?.y ?? 0)) return null
  const text = under.text.trim()
  return text === ownAnswer || y < under.y ? "" : text
}
