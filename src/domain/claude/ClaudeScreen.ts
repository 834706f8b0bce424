import type { DialogKind, DialogOption, ScreenFacts, ScreenView } from "../Screen.ts"

/**
 * Reads Claude Code's screen by structure: the input box between two rules, what stands above and below it, and what
 * replaces it. The conversation is indented or marked, so a quoted dialog or spinner never starts a row the same way.
 */
export const readScreen = (view: ScreenView): ScreenFacts => {
  const { lines, title } = view
  const last = lastFilled(lines)
  const named = titleOf(title)
  if (last < 0) return { ...nothing, title: named, blank: true }
  const at = findBox(lines, last)
  if (at === null) return { ...nothing, ...readOverlay(lines, last), title: named }
  if (isOtherView(lines, at, title)) return { ...nothing, picker: true, title: named }
  const above = readAbove(lines, at.top)
  const below = lines.slice(at.bottom + 1, last + 1)
  // A status line of the user's own stands above it, and may look like anything.
  const mode = below.findLast((line) => modeLine.test(line))
  return {
    box: { draft: readDraft(view, at) },
    dialog: null,
    picker: hasMenu(lines, at) || below.some((line) => searchLine.test(line)),
    working: above.working || mode !== undefined && mode.includes(" · esc to interrupt"),
    interrupted: above.interrupted,
    background: mode !== undefined ? countBackground(mode, below, above.awaited) : above.left,
    activity: above.activity,
    title: named,
    blank: false,
    ...above.finished ? { resting: true } : {},
    ...above.refused || isLoggedOut(lines, at, below) ? { loggedOut: true } : {},
    ...mode !== undefined && vimMode.test(mode) ? { mute: true } : {}
  }
}

const nothing: ScreenFacts = {
  box: null, dialog: null, picker: false, working: false, interrupted: false, background: null, activity: null,
  title: null, blank: false
}

/** Rows of the input box: its upper rule, its lower rule. */
interface Box {
  readonly top: number
  readonly bottom: number
}

const modeLine = /^ {2}(?:-- [A-Z -]+ -- )?(?:⏸|⏵⏵) .+ on\b/
/** With vim's keys Escape belongs to the editor: the mode line does not say that it interrupts. */
const vimMode = /^ {2}-- /
/** At the right edge, over the box or behind the mode line. */
const loggedOutNote = / {8,}Not logged in · .*\/login$/
const searchLine = /^ {2}search (?:prompts|history):/
const promptRow = /^[❯!#&](?:[\s\u00a0]|$)/
const spinnerRow = /^[·✢✳✶✻✽*∗] (?! )(?:[^…]{1,60}…|.*· retrying in \d+)/u
/** A turn's end. What it left running stands there for as long as it runs. */
const doneRow = /^[·✢✳✶✻✽*∗] \p{Lu}\S* for (?:.*?)((?: · \d+ \w+ still running)+)$/u
/** The same, with the time of day: no row within a turn has that. */
const finishedRow = /^[·✢✳✶✻✽*∗] \p{Lu}\S* for .*· done \d/u
const awaitRow = /^[·✢✳✶✻✽*∗] Waiting for (\d+) background /u
const interruptRow = /^ {2}⎿ {1,2}\s?Interrupted\b/
const refusedRow = /^ {2}⎿ {1,2}\s?Not logged in · .*\/login$/
const queuedRow = /^ {2}⎿ {1,2}Queued · /
const runningRow = /^ {2}⎿ {1,2}Running…(?: \(\w+\))?$/
const menuRow = /^ {2}(?:❯ | {2})(?:\/\S|[+*◇] \S)/
const optionRow = /^ {0,4}([❯›])? {0,3}(\d{1,2})\.\s+(.+)$/
const footerRow = /(?:^| |· )(?:Esc to (?:cancel|close|go back|exit)|Enter to (?:select|confirm|view|save|submit)|(?:↑\/↓|←\/→|Tab\/Arrow keys) to (?:navigate|switch|adjust|scroll))/u

const titleOf = (title: string): "work" | "rest" | null =>
  /^[◐◑◒◓] /u.test(title) ? "work" : /^✳ /u.test(title) ? "rest" : null

const lastFilled = (lines: ReadonlyArray<string>) => {
  let y = lines.length - 1
  while (y >= 0 && lines[y] === "") y--
  return y
}

/** A rule across the screen in the first column; a short badge may be set into it. */
const isRule = (line: string): boolean => {
  if (!line.startsWith("──")) return false
  let count = 0
  for (const glyph of line) if (glyph === "─") count++
  return count >= 20 && line.length - count <= 40
}

/** The upper rule of a box whose first rows are scrolled away: there is no prompt sign. */
const scrolledRule = /^─{3} ↑ \d+ more ─+$/

const isHeavyRule = (line: string): boolean => line.startsWith("▔▔▔▔▔▔▔▔▔▔")

const findBox = (lines: ReadonlyArray<string>, last: number): Box | null => {
  for (let bottom = last; bottom > 1; bottom--) {
    if (!isRule(lines[bottom] ?? "")) continue
    for (let y = bottom - 1; y >= 0; y--) {
      const line = lines[y] ?? ""
      if (scrolledRule.test(line)) return { top: y, bottom }
      if (isRule(line) || isHeavyRule(line)) break
      if (promptRow.test(line) && isRule(lines[y - 1] ?? "")) return { top: y - 1, bottom }
    }
  }
  return null
}

/** The agents view has a box of its own, for a new session. */
const isOtherView = (lines: ReadonlyArray<string>, at: Box, title: string): boolean =>
  title.endsWith("claude agents") || lines.slice(at.bottom + 1).some((line) => /^ {2}enter to (?:return|open)\b/.test(line))

const readDraft = (view: ScreenView, at: Box): string => {
  const rows: Array<string> = []
  for (let y = at.top + 1; y < at.bottom; y++) rows.push((view.lines[y] ?? "").slice(2).trimEnd())
  const text = rows.join("\n").replaceAll("\u00a0", " ").trim()
  if (text === "") return ""
  const first = view.lines[at.top + 1] ?? ""
  const shell = /^[❯ ]/.test(first) ? "" : first.slice(0, 1)
  // A placeholder is faint but for the caret, which stands on its first letter.
  const faint = view.faint(at.top + 1)
  const placeholder = rows.length === 1 && view.cursor.x <= 2 && faint.slice(3).trim() !== "" &&
    faint.slice(3).trimEnd() === first.slice(3).trimEnd()
  return placeholder ? shell : shell + text
}

/** Suggestions stand directly over the box, or under it in the classic renderer. */
const hasMenu = (lines: ReadonlyArray<string>, { bottom, top }: Box): boolean =>
  menuRow.test(lines[top - 1] ?? "") || menuRow.test(lines[bottom + 1] ?? "")

interface Above {
  readonly working: boolean
  readonly interrupted: boolean
  readonly awaited: number
  /** Background work that the last turn's end names; null where it names none. */
  readonly left: number | null
  /** The last prompt was not taken for want of a login. */
  readonly refused: boolean
  /** The last thing in the conversation is a turn's end. */
  readonly finished: boolean
  readonly activity: string | null
}

/** The last block of the conversation and what stands between it and the box. */
const readAbove = (lines: ReadonlyArray<string>, top: number): Above => {
  let interrupted = false
  let working = false
  let activity: string | null = null
  let awaited = 0
  let left: number | null = null
  let finished = false
  let refused = false
  let below = 0
  for (let y = top - 1; y >= 0 && top - y < 60; y--) {
    // A panel may stand at the right, behind a line of its own.
    const line = (lines[y] ?? "").replace(/ *│.*$/, "")
    if (line.trim() === "" || isAside(line)) continue
    if (line.startsWith(" ")) {
      if (interruptRow.test(line) && (below === 0 || below === wrapped(lines, y))) interrupted = true
      if (below === 0 && refusedRow.test(line)) refused = true
      if (below < 6 && queuedRow.test(line)) {
        working = true
        activity ??= "a prompt is queued"
      }
      if (below < 3 && runningRow.test(line)) working = true
      below++
      continue
    }
    const waits = awaitRow.exec(line)
    const done = doneRow.exec(line)
    if (below === 0 && finishedRow.test(line)) finished = true
    if (done !== null) left = countOf(done[1] ?? "", / · (\d+) \w+ still running/g)
    if (waits !== null) awaited = Number(waits[1])
    else if (spinnerRow.test(line)) {
      working = true
      activity = line.slice(2).replace(/\s*\(.*$/u, "").trim()
    } else if (queueHead(line, lines, y)) continue
    break
  }
  return { working, interrupted, awaited, left, refused, finished, activity }
}

/** On a narrow screen the interrupt line goes on in the rows below: how many of them. */
const wrapped = (lines: ReadonlyArray<string>, y: number): number => {
  let text = lines[y] ?? ""
  let count = 0
  while (count < 4 && /^ {5}\S/.test(lines[y + count + 1] ?? "")) text += ` ${(lines[y + ++count] ?? "").trim()}`
  return /Interrupted · What should Claude do instead\?$/.test(text) ? count : -1
}

/** A queued prompt stands under the turn that runs: what is above it still counts. */
const queueHead = (line: string, lines: ReadonlyArray<string>, y: number) =>
  line.startsWith("❯ ") && queuedRow.test(lines[y + 1] ?? "")

/** Without a login it takes no prompt. */
const isLoggedOut = (lines: ReadonlyArray<string>, { top }: Box, below: ReadonlyArray<string>): boolean =>
  [lines[top - 1] ?? "", lines[top - 2] ?? "", ...below].some((line) => loggedOutNote.test(line))

/** The effort note at the right edge, over the box. */
const isAside = (line: string): boolean => /^ {20,}\S/.test(line)

const countBackground = (mode: string, below: ReadonlyArray<string>, awaited: number): number => {
  const count = countOf(mode, /· (\d+) (?:shell|monitor|task|agent|teammate)s?\b/g)
  const agents = below.filter((line) => /^ {2}[◯○] /u.test(line)).length
  return count + Math.max(agents, awaited)
}

const countOf = (row: string, pattern: RegExp): number => [...row.matchAll(pattern)].reduce((sum, match) => sum + Number(match[1]), 0)

/** What replaces the box: a dialog, or another screen of the CLI that owns the keys. */
const readOverlay = (lines: ReadonlyArray<string>, last: number): Pick<ScreenFacts, "dialog" | "picker" | "working"> => {
  const from = overlayTop(lines, last)
  const rows = lines.slice(from, last + 1)
  const kind = dialogKind(rows)
  if (kind === null) {
    const owned = rows.some((row) => footerRow.test(row)) || rows.some((row) => /^ {0,4}❯ \S/.test(row)) ||
      rows.some((row) => row.includes("Showing detailed transcript")) || isHeavyRule(rows[0] ?? "")
    return { dialog: null, picker: owned, working: rows.some((row) => /^ {2}working · Showing detailed transcript/.test(row)) }
  }
  // A form has fields instead of options.
  const options = kind === "elicitation" ? [] : readOptions(rows)
  return { dialog: { kind, title: titleRow(rows, kind), options }, picker: false, working: false }
}

/** The rule over the overlay: not one that only parts its options. */
const overlayTop = (lines: ReadonlyArray<string>, last: number): number => {
  for (let y = last; y >= 0; y--) {
    const line = lines[y] ?? ""
    if (isHeavyRule(line)) return y
    if (isRule(line) && !optionRow.test(lines[y + 1] ?? "")) return y
  }
  return 0
}

const dialogKind = (rows: ReadonlyArray<string>): DialogKind | null => {
  const options = rows.some((row) => /^ {0,4}[❯›] \S/.test(row)) || rows.some((row) => optionRow.test(row))
  const some = (pattern: RegExp) => rows.some((row) => pattern.test(row))
  if (some(/requests your input/)) return "elicitation"
  if (some(/^ {1,3}Auto mode can't check actions/)) return "permission"
  // What is asked before the first prompt stands under a thin rule; what the user opens stands under a thick one.
  if (!isHeavyRule(rows[0] ?? "") && some(/^ {1,2}(?:Enter to confirm|Space to select) · .*Esc to (?:cancel|reject all)$/)) return "trust"
  if (!options) return null
  if (some(/^\s*(?:Accessing workspace:|WARNING: .*Bypass Permissions mode|Quick safety check)/)) return "trust"
  if (some(/^ {0,3}Select login method:/)) return "login"
  if (some(/Would you like to proceed\?|^\s*Exit plan mode\?|^\s*Ready to code\?/)) return "plan"
  if (some(/^\s*Do you want to .*\?|^ {0,3}Do you want to /)) return "permission"
  if (some(/^ ?(?:← {1,2})?[☐☒✔] /u) || some(/^Review your answers/) || some(/^Enter to select · /)) return "question"
  return null
}

const titleRow = (rows: ReadonlyArray<string>, kind: DialogKind): string => {
  const clean = rows.map((row) => row.trim())
  if (clean.includes("Review your answers")) return "Review your answers"
  const question = kind === "permission" || kind === "plan" || kind === "question"
    ? clean.find((row) => /\?$/.test(row) && !/^[❯›]/.test(row))
    : undefined
  const first = clean.find((row) => /^[\p{L}☐☒]/u.test(row))
  const head = kind === "permission" && first !== undefined && question !== undefined && first !== question ? `${first}: ` : ""
  return (head + (question ?? first ?? "a dialog")).slice(0, 200)
}

const readOptions = (rows: ReadonlyArray<string>): ReadonlyArray<DialogOption> => {
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
  // Numbers that stand in a text above options without any are none of them: the cursor is on one of these.
  return numbered[0]?.number === 1 || numbered.some(({ selected }) => selected) ? numbered : bareOptions(rows)
}

/** Options without numbers: the rows in line with the one that the cursor is on. */
const bareOptions = (rows: ReadonlyArray<string>): ReadonlyArray<DialogOption> => {
  const at = rows.findIndex((row) => /^ {0,4}[❯›] \S/.test(row))
  if (at < 0) return []
  const indent = /^ */.exec(rows[at] ?? "")?.[0].length ?? 0
  const option = (row: string | undefined): DialogOption | null => {
    const match = /^( {0,4})([❯›] | {2})(\S.*)$/.exec(row ?? "")
    return match === null || match[1]?.length !== indent
      ? null
      : { number: null, label: (match[3] ?? "").trim(), selected: match[2] !== "  " }
  }
  let first = at
  while (first > 0 && option(rows[first - 1]) !== null) first--
  const found: Array<DialogOption> = []
  for (let y = first; y < rows.length; y++) {
    const next = option(rows[y])
    if (next === null) break
    found.push(next)
  }
  return found
}
