import type { Dialog, DialogKind, DialogOption, ScreenFacts, ScreenView } from "../../words/session/Screen.ts"

/** Claude Code for a screen reader (`--ax-screen-reader`): words instead of marks, numbers to type, a `$` box. */

/** The speaker, at the beginning of each part of the conversation, and the first row of all. */
const partRow = /^(?:you|claude|tool(?: error)?): |^\[Screen Reader Mode: on\b/
const modeRow = /^(?:\S+ )+on(?: \(shift\+tab to cycle\))?(?: {2}· {2}.*)?$/
const shellRow = /^! for shell mode$/
const workRow = /^(\p{Lu}[^…:]{1,60}…)(?: {2,}\(.*)?$/u
const finishedRow = /^\p{Lu}\S* for .* · done \d/u
const interruptRow = /^Interrupted · /
const loggedOutRow = /^Not logged in · .*\/login$/
const menuRow = /^(?:\/\S|[+*◇] \S| {20,}\S)/
const choiceRow = /^(?:Select with numbers \[1-\d+\]|Enter y\/n: ?|Enter text for option \d+\b)/
const numberedRow = /^(\d{1,2})\. (?:\(selected\) )?(\S.*)$/

/** Reads the screen in the look for a screen reader; null: the screen has the usual look. */
export const readFlat = ({ cursor, lines }: ScreenView, last: number): Partial<ScreenFacts> | null => {
  const from = Math.max(
    0,
    lines.findLastIndex((line, y) => y <= last && partRow.test(line))
  )
  const choice = lines.findLastIndex((line, y) => y <= last && y > from && choiceRow.test(line))
  if (choice >= 0) {
    const dialog = readChoice(lines.slice(from, choice + 1), typedIn(lines.slice(choice, last + 1)))
    return { dialog, picker: dialog === null }
  }
  const box = lines.findLastIndex((line, y) => y <= last && y > from && /^\$(?:\s|$)/.test(line))
  const shell = lines.findLastIndex(
    (line, y) => y <= last && y > from && shellRow.test(line) && !(lines[y + 1] ?? "").startsWith("/ ")
  )
  if (box < 0 && shell < 0) return null
  const isShell = box < 0
  const above = lines.slice(Math.max(from, (isShell ? shell : box) - 8), isShell ? shell : box)
  // Rows between the conversation and the box have no mark, except for the mode.
  const mode = above.find((line) => modeRow.test(line))
  if (!isShell && mode === undefined && !partRow.test(lines[from] ?? "")) return null
  const first = (lines[box] ?? "").slice(1)
  const below = lines.slice((isShell ? shell : box) + 1, last + 1)
  // Announcements may follow an empty box.
  const isEmpty = !isShell && first.trim() === "" && cursor.y === box
  const rows = isShell
    ? below.filter((line) => !/ to paste deleted text$/.test(line))
    : isEmpty
      ? []
      : [first, ...below]
  const filled = lines.slice(from, Math.max(box, 0)).findLast((line) => line !== "")
  const work = above.findLast((line) => workRow.test(line))
  const finished = above.some((line) => finishedRow.test(line))
  const working = (work !== undefined && !finished) || mode?.includes("esc to interrupt") === true
  const tasks = /· +(\d+) (?:shell|monitor|task|agent|teammate)s?\b/.exec(mode ?? "")?.[1]
  return {
    box: {
      draft:
        (isShell ? "!" : "") +
        rows
          .map((row) => row.trim())
          .join("\n")
          .trim()
    },
    picker: /^\s*\/|(?:^|\s)@\S*$/.test(isShell ? "" : first) && menuRow.test(filled ?? ""),
    working,
    interrupted: above.some((line) => interruptRow.test(line)),
    background: mode === undefined ? null : Number(tasks ?? 0),
    activity: working ? (workRow.exec(work ?? "")?.[1] ?? null) : null,
    ...(finished && !working ? { resting: true } : {}),
    ...(above.some((line) => loggedOutRow.test(line)) ? { loggedOut: true } : {})
  }
}

/** The text in the answer's field: what follows the colon of the first row with one, and its wrapped rows. */
const typedIn = (rows: ReadonlyArray<string>): string => {
  const colon = rows.findIndex((row) => row.includes(":"))
  const end = rows.findIndex((row, y) => y > colon && /^(?:Esc to cancel\b|$)/.test(row))
  if (colon < 0) return ""
  return rows
    .slice(colon, end < 0 ? undefined : end)
    .join("")
    .replace(/^[^:]*:/, "")
    .trim()
}

/** Reads the question above the row with the key hints; null: a list that the user opened. */
const readChoice = (rows: ReadonlyArray<string>, typed: string): Dialog | null => {
  const first = rows.findLastIndex((row) => /^1\. /.test(row))
  const isYesNo = /^Enter y\/n/.test(rows.at(-1) ?? "")
  const above = rows.slice(0, isYesNo || first < 0 ? -1 : first)
  const permission = above.findLast((row) => row.startsWith("Permission Required: "))
  const question = above.findLast((row) => /\?$/.test(row) && !row.startsWith("> "))
  const kind = kindOf(above)
  if (kind === null) return null
  const subject = /^Do you want to (?:make this edit to|create|overwrite|update|edit|write to|delete) (.+)\?$/.exec(
    question ?? ""
  )?.[1]
  const asked = above.findLast((row) => row.startsWith("> "))?.slice(2)
  const title =
    kind === "permission"
      ? [permission?.slice("Permission Required: ".length), question].filter((part) => part !== undefined).join(": ")
      : isYesNo
        ? "Review your answers"
        : kind === "question"
          ? asked
          : question
  return {
    kind,
    title: (title ?? "a dialog").slice(0, 200),
    ...(kind === "permission" && subject !== undefined ? { subject } : {}),
    options: isYesNo ? ["Submit answers", "Cancel"].map(unnumbered) : first < 0 ? [] : optionsIn(rows.slice(first, -1)),
    typed
  }
}

const unnumbered = (label: string): DialogOption => ({ number: null, label, selected: false })

const kindOf = (rows: ReadonlyArray<string>): DialogKind | null => {
  const some = (pattern: RegExp) => rows.some((row) => pattern.test(row))
  if (some(/^Permission Required: /) || some(/^Do you want to .*\?$/)) return "permission"
  if (some(/^Questions?: /)) return "question"
  if (some(/^(?:Accessing workspace:|WARNING: .*Bypass Permissions mode|Quick safety check)/)) return "trust"
  if (some(/^Select login method:/)) return "login"
  return /Would you like to +proceed\?/.test(rows.join(" ")) || some(/^Exit plan mode\?|^Ready to code\?/)
    ? "plan"
    : null
}

/** The options. A narrow screen wraps them; a dash precedes their explanation. */
const optionsIn = (rows: ReadonlyArray<string>): ReadonlyArray<DialogOption> => {
  const texts: Array<string> = []
  for (const row of rows) {
    const match = numberedRow.exec(row)
    if (match !== null && Number(match[1]) === texts.length + 1) texts.push(match[2] ?? "")
    else if (texts.length > 0 && row !== "" && !/^"/.test(row)) texts.push(`${texts.pop()} ${row.trim()}`)
  }
  return texts.map((text, n) => ({ number: n + 1, label: text.split(" — ")[0] ?? "", selected: false }))
}
