import {
  type Dialog,
  type DialogKind,
  type DialogOption,
  type ScreenFacts,
  subjectField
} from "../../words/session/Screen.ts"

/** Reads what replaces the input box: the last rounded frame, unless the conversation continues below it. */
export const readOverlay = (lines: ReadonlyArray<string>, last: number): Pick<ScreenFacts, "dialog" | "picker"> => {
  const frame = findFrame(lines, last)
  if (frame === null) {
    const rows = lines.slice(0, last + 1)
    const plain = readPlain(rows)
    return {
      dialog: plain,
      picker: plain === null && (rows.some((line) => sessionBrowserRow.test(line)) || closeRow.test(rows.at(-1) ?? ""))
    }
  }
  const rows = contentOf(lines, frame)
  const dialog = readDialog(rows)
  // A running or finished tool also has a frame, with a mark before its name.
  return { dialog, picker: dialog === null && frame.complete && !isToolFrame(rows) }
}

/** Reads a dialog above a box that stays: in the last frame above it, if nothing follows that frame. */
export const readDialogAbove = (lines: ReadonlyArray<string>, above: number): Dialog | null => {
  let last = above
  while (last >= 0 && (lines[last] ?? "").trim() === "") last--
  const frame = findFrame(lines, last)
  return frame === null || frame.bottom !== last ? null : readDialog(contentOf(lines, frame))
}

/** Labels: the user's own answer, the field of a question without choices, the last page of several questions. */
export const customAnswer = "Enter a custom value"
export const textField = "Type an answer"
export const submitAnswers = "Submit answers"
/** The option that sends the ticked choices of a question with several answers. */
export const doneTicking = "Done"

const plainHead = /^(?:\? +\S|Action Required$|Answer Questions\b|Ready to start |Do you (?:trust|want) )/
/** The last row of a list that the user opened, in the look for a screen reader. */
const closeRow = /^\(Press \S+ to close\)$/

/** Reads a dialog for a screen reader, with words instead of marks and no frame; a question's choices are not drawn. */
const readPlain = (screen: ReadonlyArray<string>): Dialog | null => {
  const lines = screen.slice(screen.findLastIndex((line) => /^(?:User|Model): /.test(line)) + 1)
  const isList = lines.some((line) => /^\(checked\) \d+\. /.test(line))
  const isAsking = lines.slice(-4).some((line) => /^Answer Questions\b/.test(line))
  if (!isList && !isAsking) return null
  const head = lines.findLastIndex((line) => plainHead.test(line))
  return readDialog(
    lines
      .slice(Math.max(0, head))
      .map((line) => line.replace(/^(\(checked\) )?(?=\d+\. )/, (mark) => (mark === "" ? "  " : "● ")))
  )
}

/** Rows of a frame's upper and lower side. `complete`: the upper side is on screen. */
interface Frame {
  readonly top: number
  readonly bottom: number
  readonly complete: boolean
}

const topRow = /^ ?╭─+/
const bottomRow = /^ ?╰─+/
const borderRow = /^ ?[╭╰]─+[╮╯]?$/
const sideRow = /^ ?│/
const sessionBrowserRow = /^ ?❯ |^ ?(?:Chat Sessions \(|No (?:auto-saved )?(?:conversations|sessions) )/
/** The only row that may follow a dialog: the warning after a first Ctrl+C. */
const quitWarningRow = /^ ?Press Ctrl\+[CD] again to exit\.$/

/** The last frame on screen, followed at most by that warning. Its first rows may be scrolled out of view. */
const findFrame = (lines: ReadonlyArray<string>, last: number): Frame | null => {
  let bottom = last
  while (bottom >= 0 && !bottomRow.test(lines[bottom] ?? "")) {
    const line = lines[bottom] ?? ""
    if (line !== "" && !quitWarningRow.test(line)) return null
    bottom--
  }
  if (bottom < 0) return null
  for (let y = bottom - 1; y >= 0; y--) {
    const line = lines[y] ?? ""
    if (topRow.test(line)) return { top: y, bottom, complete: true }
    if (!sideRow.test(line)) return { top: y, bottom, complete: false }
  }
  return { top: -1, bottom, complete: false }
}

/** The rows within a frame, without its sides; the sides of inner frames stay. */
const contentOf = (lines: ReadonlyArray<string>, { bottom, top }: Frame): ReadonlyArray<string> =>
  lines.slice(top + 1, bottom).map((line) => withoutSides(line).trimEnd())

const withoutSides = (line: string): string => line.replace(/^ ?│ ?/, "").replace(/ *│$/, "")

const toolMark = /^[✓✕x⊷⊶o-] {1,2}\S/

const isToolFrame = (rows: ReadonlyArray<string>): boolean => toolMark.test(rows.find((row) => row !== "") ?? "")

const optionRow = /^( *)(●)? {0,4}(\d{1,3})\. {1,3}(\S.*)$/u
const bareRow = /^ *●? {1,8}Done$/u

/** Reads a dialog; null for a picker, a view that the user opened, and the frame of a tool. */
const readDialog = (content: ReadonlyArray<string>): Dialog | null => {
  if (isToolFrame(content)) return null
  const rows = content.filter((row) => row !== "" && !sideRow.test(row) && !borderRow.test(row))
  const options = readOptions(rows)
  const kind = kindOf(rows, options)
  if (kind === null) return null
  return {
    kind,
    title: titleOf(rows, kind),
    ...(kind === "permission" ? subjectField(subjectRows(content)) : {}),
    options: kind === "question" || kind === "plan" ? answers(rows, options) : options
  }
}

const hiddenRow = /^\.\.\. .*\bhidden\b.*\.\.\.$/

/** The subject of a permission: the file in its head, else the content of its inner frame, if that is in view. */
const subjectRows = (content: ReadonlyArray<string>): ReadonlyArray<string> => {
  const head = content.find((row) => /^\? +\S/.test(row)) ?? ""
  const file = /^\? +(?:Edit +(.+?):(?: |$)|WriteFile +Writing to (.+?)$)/.exec(head.replace(/ {2,}\d+ of \d+$/, ""))
  if (file !== null) return [(file[1] ?? file[2] ?? "").trim()]
  const top = content.findIndex((row) => /^ ?╭─+╮?$/.test(row))
  const bottom = content.findIndex((row, y) => y > top && /^ ?╰─+╯?$/.test(row))
  if (top < 0 || bottom < 0) return []
  return content
    .slice(top + 1, bottom)
    .map((row) => withoutSides(row).trim())
    .map((row) => (hiddenRow.test(row) ? "…" : row))
}

const headMatches = ([first = ""]: ReadonlyArray<string>, pattern: RegExp): boolean => pattern.test(first.trim())
const footerMatches = (rows: ReadonlyArray<string>, pattern: RegExp): boolean =>
  rows.slice(-3).some((row) => pattern.test(row.trim()))

/** The footers that only questions have: the first key sends or selects, and the last one cancels. */
const askFooter = /^Enter to (?:select|submit)\b.*\bEsc to cancel$/
const consentFooter = /^Enter to select · ↑\/↓ to navigate$/
const limitRow = new RegExp(
  String.raw`^(?:Usage limit reached for |We are currently experiencing high demand|Model ".*" ` +
    String.raw`(?:was not found|is not available)|It seems like you don't have access to )`
)
const creditRow = /\bAI Credits?\b/i

const kindOf = (rows: ReadonlyArray<string>, options: ReadonlyArray<DialogOption>): DialogKind | null => {
  const someRow = (pattern: RegExp) => rows.some((row) => pattern.test(row.trim()))
  const someOption = (pattern: RegExp) => options.some(({ label }) => pattern.test(label))
  if (headMatches(rows, /^Ready to start implementation\?/)) return "plan"
  if (headMatches(rows, /^Answer Questions\b/) || footerMatches(rows, askFooter)) return "question"
  if (
    someRow(/^Do you trust the files in this folder\?/) ||
    someRow(/^Do you want to accept and load these policies\?/)
  )
    return "trust"
  if (someOption(/^Allow (?:once|for|tool|all|this)\b/) || someOption(/^No, suggest changes\b/)) return "permission"
  if (someRow(/^(?:\? +)?A potential loop was detected/)) return "question"
  if (someOption(/^(?:Keep trying|Stop|Switch to \S+)$/) && (someRow(limitRow) || someOption(/^Keep trying$/)))
    return "question"
  if (someRow(creditRow) && someRow(/^Usage limit reached|^You have /) && options.length > 0) return "question"
  if (someRow(/^(?:\? +)?Get started$/) && someRow(/^How would you like to authenticate/)) {
    // A picker that the user opened shows no problem.
    return someRow(
      /^(?:No authentication method selected|.*\b(?:error|failed|invalid|expired|not found|missing|cancelled)\b)/i
    )
      ? "login"
      : null
  }
  if (
    someRow(/^Enter Gemini API Key$/) ||
    someRow(/^(?:Further action is required|\S* ?Waiting for (?:authentication|verification))/)
  )
    return "login"
  if (someOption(/^Verify your account$/) || someOption(/^Change authentication$/)) return "login"
  if (options.length === 2 && someOption(/^Yes$/) && someOption(/^No$/) && footerMatches(rows, consentFooter))
    return "permission"
  if (
    someRow(/^(?:Admin settings have changed|.*Press 'r' to restart)/) ||
    someRow(/^(?:> )?Do you want to connect .* to Gemini CLI\?/)
  )
    return "other"
  return someRow(/^New Agents Discovered/i) ? "other" : null
}

const readOptions = (rows: ReadonlyArray<string>): ReadonlyArray<DialogOption> => {
  let found: Array<DialogOption> = []
  let column = -1
  for (const row of rows) {
    const match = optionRow.exec(row)
    if (match !== null) {
      const number = Number(match[3])
      const start = row.indexOf(". ")
      // Numbered lines in the text above the options, or in a description, are no options.
      if (start !== column && found.some(({ selected }) => selected)) continue
      if (start !== column || number !== (found.at(-1)?.number ?? 0) + 1) found = []
      column = start
      found.push({ number, label: (match[4] ?? "").trim(), selected: match[2] !== undefined })
    } else if (found.length > 0 && bareRow.test(row)) {
      found.push({ number: null, label: doneTicking, selected: row.includes("●") })
    }
  }
  return found
}

/** The options of a question: its choices and a text field, which is the last numbered row; or only a text field. */
const answers = (rows: ReadonlyArray<string>, options: ReadonlyArray<DialogOption>): ReadonlyArray<DialogOption> => {
  const single = (label: string): ReadonlyArray<DialogOption> => [{ number: null, label, selected: true }]
  if (rows.some((row) => /^Review your answers:?$/.test(row.trim()))) return single(submitAnswers)
  if (!footerMatches(rows, askFooter)) return options
  if (options.length === 0)
    return single(
      fieldLabel(
        textField,
        rows
          .findLast((row) => /^ *> /.test(row))
          ?.trim()
          .slice(2) ?? ""
      )
    )
  if (rows.some((row) => /^ *▼$/.test(row))) return options
  const last = options.findLastIndex(({ number }) => number !== null)
  return options.map((option, index) => {
    if (index !== last) return option
    const ticked = /^\[.\] /.exec(option.label)?.[0] ?? ""
    return { ...option, label: ticked + fieldLabel(customAnswer, option.label.slice(ticked.length)) }
  })
}

/** A field's label with its content: the question's own hint, or the typed text. */
const fieldLabel = (name: string, text: string): string =>
  text === "" || text === customAnswer ? name : `${name}: ${text}`

const titleOf = (rows: ReadonlyArray<string>, kind: DialogKind): string => {
  const clean = rows
    .map((row) =>
      row
        .trim()
        .replace(/ {2,}\d+ of \d+$/, "")
        .replace(/\s+/g, " ")
        .replace(/^[\u2800-\u28ff] /u, "")
    )
    .filter((row) => !/^[←●▲▼]/u.test(row))
  const texts = clean.filter((row) => /^[\p{L}\p{N}"“?]/u.test(row) && !/^\d{1,3}\. /.test(row) && !askFooter.test(row))
  const question = clean.find((row) =>
    /^(?:Allow execution of|Apply this change\?|Do you want to|Review your answers)/.test(row)
  )
  const heading = (texts[0] ?? "").replace(/^\? /, "")
  switch (kind) {
    case "permission":
      return join(
        /^Action Required$/.test(heading) ? (clean.find((row) => /^\? /.test(row)) ?? "").replace(/^\? /, "") : heading,
        question ?? ""
      )
    case "question":
    case "plan":
      return question ?? (/^Answer Questions\b/.test(heading) ? texts[1] : heading) ?? "a question"
    default:
      return (heading === "Get started" ? (texts[1] ?? heading) : heading) || "a dialog"
  }
}

const join = (heading: string, question: string): string =>
  (heading === question || question === "" ? heading : heading === "" ? question : `${heading}: ${question}`).slice(
    0,
    200
  ) || "a permission"
