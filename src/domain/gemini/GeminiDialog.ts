import type { Dialog, DialogKind, DialogOption, ScreenFacts } from "../Screen.ts"

/**
 * Reads what replaces Gemini CLI's input box: a frame of round corners with a heading, a text and a list of choices. Only
 * the last frame counts, and only while nothing of the conversation follows it; frames in a frame are previews.
 */
export const readOverlay = (lines: ReadonlyArray<string>, last: number): Pick<ScreenFacts, "dialog" | "picker"> => {
  const frame = findFrame(lines, last)
  if (frame === null) {
    const plain = readPlain(lines.slice(0, last + 1))
    return { dialog: plain, picker: plain === null && lines.slice(0, last + 1).some((line) => browserRow.test(line)) }
  }
  const rows = contentOf(lines, frame)
  const dialog = readDialog(rows)
  // A tool that works or has worked has a frame too, with a mark before its name.
  return { dialog, picker: dialog === null && frame.whole && !isToolFrame(rows) }
}

/** A dialog over an input box that stays on screen: the last frame above it, when it asks for a tool. */
export const readAsking = (lines: ReadonlyArray<string>, before: number): Dialog | null => {
  let last = before
  while (last >= 0 && (lines[last] ?? "").trim() === "") last--
  const frame = findFrame(lines, last)
  return frame === null || frame.bottom !== last ? null : readDialog(contentOf(lines, frame))
}

/** The text of the row that takes an answer of the user's own. */
export const customAnswer = "Enter a custom value"
/** The one field of a question that has no choices. */
export const textField = "Type an answer"
/** The last page of several questions. */
export const submitAnswers = "Submit answers"
/** Sends the ticked choices of a question that takes several. */
export const doneTicking = "Done"

/** Drawn for a screen reader a dialog has no frame, and words instead of marks. */
const readPlain = (lines: ReadonlyArray<string>): Dialog | null => {
  if (!lines.some((line) => /^\(checked\) \d+\. /.test(line))) return null
  const head = lines.findLastIndex((line) => /^(?:\? \S|Action Required$|Answer Questions\b|Ready to start )/.test(line))
  return readDialog(lines.slice(Math.max(0, head)).map((line) => line.replace(/^(\(checked\) )?(?=\d+\. )/, (mark) => mark === "" ? "  " : "● ")))
}

/** Rows of a frame's upper and lower side. `whole`: the upper one is on screen. */
interface Frame {
  readonly top: number
  readonly bottom: number
  readonly whole: boolean
}

const topRow = /^ ?╭─+/
const bottomRow = /^ ?╰─+/
const borderRow = /^ ?[╭╰]─+[╮╯]?$/
const sideRow = /^ ?│/
const browserRow = /^ ?❯ |^ ?(?:Chat Sessions \(|No (?:auto-saved )?(?:conversations|sessions) )/
/** What may stand under a dialog: the warning that comes with the first Ctrl+C. */
const underRow = /^ ?Press Ctrl\+[CD] again to exit\.$/

/** The last frame on screen, with nothing but a warning under it. Its upper part may have scrolled away. */
const findFrame = (lines: ReadonlyArray<string>, last: number): Frame | null => {
  let bottom = last
  while (bottom >= 0 && !bottomRow.test(lines[bottom] ?? "")) {
    const line = lines[bottom] ?? ""
    if (line !== "" && !underRow.test(line)) return null
    bottom--
  }
  if (bottom < 0) return null
  for (let y = bottom - 1; y >= 0; y--) {
    const line = lines[y] ?? ""
    if (topRow.test(line)) return { top: y, bottom, whole: true }
    if (!sideRow.test(line)) return { top: y, bottom, whole: false }
  }
  return { top: -1, bottom, whole: false }
}

/** The rows within a frame, without its sides; those of a frame in it keep theirs. */
const contentOf = (lines: ReadonlyArray<string>, { bottom, top }: Frame): ReadonlyArray<string> =>
  lines.slice(top + 1, bottom).map((line) => line.replace(/^ ?│ ?/, "").replace(/ *│$/, "").trimEnd())

const toolMark = /^[✓✕x⊷⊶o-] {1,2}\S/

const isToolFrame = (rows: ReadonlyArray<string>): boolean => toolMark.test(rows.find((row) => row !== "") ?? "")

const optionRow = /^( *)(●)? {0,4}(\d{1,3})\. {1,3}(\S.*)$/u
const bareRow = /^ *●? {1,8}Done$/u

/** Null for a picker or a view of the user's own, and for the frame of a tool. */
const readDialog = (all: ReadonlyArray<string>): Dialog | null => {
  if (isToolFrame(all)) return null
  const rows = all.filter((row) => row !== "" && !sideRow.test(row) && !borderRow.test(row))
  const options = readOptions(rows)
  const kind = kindOf(rows, options)
  if (kind === null) return null
  return { kind, title: titleOf(rows, kind), options: kind === "question" || kind === "plan" ? answers(rows, options) : options }
}

const heads = ([first = ""]: ReadonlyArray<string>, pattern: RegExp): boolean => pattern.test(first.trim())
const footer = (rows: ReadonlyArray<string>, pattern: RegExp): boolean => rows.slice(-3).some((row) => pattern.test(row.trim()))

/** The rows that only dialogs about a question have: one key sends or selects, one cancels, nothing else is offered. */
const askFooter = /^Enter to (?:select|submit)\b.*\bEsc to cancel$/
const consentFooter = /^Enter to select · ↑\/↓ to navigate$/
const limitRow = /^(?:Usage limit reached for |We are currently experiencing high demand|Model ".*" (?:was not found|is not available)|It seems like you don't have access to )/
const creditRow = /\bAI Credits?\b/i

const kindOf = (rows: ReadonlyArray<string>, options: ReadonlyArray<DialogOption>): DialogKind | null => {
  const some = (pattern: RegExp) => rows.some((row) => pattern.test(row.trim()))
  const offers = (pattern: RegExp) => options.some(({ label }) => pattern.test(label))
  if (heads(rows, /^Ready to start implementation\?/)) return "plan"
  if (heads(rows, /^Answer Questions\b/) || footer(rows, askFooter)) return "question"
  if (some(/^Do you trust the files in this folder\?/) || some(/^Do you want to accept and load these policies\?/)) return "trust"
  if (offers(/^Allow (?:once|for|tool|all|this)\b/) || offers(/^No, suggest changes\b/)) return "permission"
  if (some(/^(?:\? )?A potential loop was detected/)) return "question"
  if (offers(/^(?:Keep trying|Stop|Switch to \S+)$/) && (some(limitRow) || offers(/^Keep trying$/))) return "question"
  if (some(creditRow) && some(/^Usage limit reached|^You have /) && options.length > 0) return "question"
  if (some(/^(?:\? )?Get started$/) && some(/^How would you like to authenticate/)) {
    // Opened by the user it has nothing to complain of.
    return some(/^(?:No authentication method selected|.*\b(?:error|failed|invalid|expired|not found|missing|cancelled)\b)/i) ? "login" : null
  }
  if (some(/^Enter Gemini API Key$/) || some(/^(?:Further action is required|\S* ?Waiting for (?:authentication|verification))/)) return "login"
  if (offers(/^Verify your account$/) || offers(/^Change authentication$/)) return "login"
  if (options.length === 2 && offers(/^Yes$/) && offers(/^No$/) && footer(rows, consentFooter)) return "permission"
  if (some(/^(?:Admin settings have changed|.*Press 'r' to restart)/) || some(/^(?:> )?Do you want to connect .* to Gemini CLI\?/)) return "other"
  return some(/^New Agents Discovered/i) ? "other" : null
}

const readOptions = (rows: ReadonlyArray<string>): ReadonlyArray<DialogOption> => {
  let found: Array<DialogOption> = []
  let column = -1
  for (const row of rows) {
    const match = optionRow.exec(row)
    if (match !== null) {
      const number = Number(match[3])
      const at = row.indexOf(". ")
      // A list in the text before them is none of them, nor is one in a description.
      if (at !== column && found.some(({ selected }) => selected)) continue
      if (at !== column || number !== (found.at(-1)?.number ?? 0) + 1) found = []
      column = at
      found.push({ number, label: (match[4] ?? "").trim(), selected: match[2] !== undefined })
    } else if (found.length > 0 && bareRow.test(row)) {
      found.push({ number: null, label: doneTicking, selected: row.includes("●") })
    }
  }
  return found
}

/** The answers that a question takes: its choices, of which the last numbered one is a text field; or a text alone. */
const answers = (rows: ReadonlyArray<string>, options: ReadonlyArray<DialogOption>): ReadonlyArray<DialogOption> => {
  const one = (label: string): ReadonlyArray<DialogOption> => [{ number: null, label, selected: true }]
  if (rows.some((row) => /^Review your answers:?$/.test(row.trim()))) return one(submitAnswers)
  if (!footer(rows, askFooter)) return options
  if (options.length === 0) return one(named(textField, rows.findLast((row) => /^ *> /.test(row))?.trim().slice(2) ?? ""))
  // A list that scrolls may not show its end.
  if (rows.some((row) => /^ *▼$/.test(row))) return options
  const last = options.findLastIndex(({ number }) => number !== null)
  return options.map((option, index) => {
    if (index !== last) return option
    const ticked = /^\[.\] /.exec(option.label)?.[0] ?? ""
    return { ...option, label: ticked + named(customAnswer, option.label.slice(ticked.length)) }
  })
}

/** A field by its name, with what stands in it: a hint of the question's own, or what was typed. */
const named = (name: string, text: string): string => text === "" || text === customAnswer ? name : `${name}: ${text}`

const titleOf = (rows: ReadonlyArray<string>, kind: DialogKind): string => {
  const clean = rows.map((row) => row.trim().replace(/ {2,}\d+ of \d+$/, "").replace(/\s+/g, " ").replace(/^[\u2800-\u28ff] /u, "")).filter((row) => !/^[←●▲▼]/u.test(row))
  const texts = clean.filter((row) => /^[\p{L}\p{N}"“?]/u.test(row) && !/^\d{1,3}\. /.test(row) && !askFooter.test(row))
  const asks = clean.find((row) => /^(?:Allow execution of|Apply this change\?|Do you want to|Review your answers)/.test(row))
  const heading = (texts[0] ?? "").replace(/^\? /, "")
  switch (kind) {
    case "permission":
      return join(/^Action Required$/.test(heading) ? (clean.find((row) => /^\? /.test(row)) ?? "").replace(/^\? /, "") : heading, asks ?? "")
    case "question":
    case "plan":
      return asks ?? (/^Answer Questions\b/.test(heading) ? texts[1] : heading) ?? "a question"
    default:
      return (heading === "Get started" ? texts[1] ?? heading : heading) || "a dialog"
  }
}

const join = (heading: string, question: string): string =>
  (heading === question || question === "" ? heading : heading === "" ? question : `${heading}: ${question}`).slice(0, 200) || "a permission"
