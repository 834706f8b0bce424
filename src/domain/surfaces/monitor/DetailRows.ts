import { leftOut, proposalLines, proposedName } from "../operations/proposalLines.ts"
import type { ProposedEdit } from "../../words/session/Proposal.ts"
import type { FeedSession } from "../../words/session/Feed.ts"
import { needsOf } from "../../words/attention/needsOf.ts"
import { besideDialog, needLine } from "../../words/attention/needWords.ts"
import { failedWhy, isGivenUp } from "../../words/session/failedMessage.ts"
import { shortId } from "../../words/session/shortId.ts"
import { contextLong, costLong, costSource } from "../../words/wording/Format.ts"
import { troublesOf } from "../../words/wording/troublesOf.ts"
import { shownText } from "../../words/wording/shownText.ts"
import { clean, shorten, wrap } from "../tui/Cells.ts"
import { fitLine, filled, ruleLine, span, type Style, type StyledLine } from "../tui/Paint.ts"
import { differences, sideBySide } from "../../store/worktrees/sideBySide.ts"
import { patchSpans } from "./ChangesRows.ts"
import { gitOf, isAsking, type MonitorState, selectedOf } from "./MonitorState.ts"
import { ageOf, contextStyle, lineOf, modesText, placeText, signOf } from "./SessionCells.ts"
import { whyLine } from "../../words/wording/nowText.ts"

/** The most characters of a text that are wrapped: its few rows never show more. */
const textMost = 4_000

const block = (sign: string, text: string, cols: number, most: number): ReadonlyArray<StyledLine> =>
  wrap(text.slice(0, textMost), Math.max(1, cols - 2), most).map((row, i) => [
    span(i === 0 ? `${sign} ` : "  ", "accent"),
    span(row)
  ])

const factsLine = (session: FeedSession, now: number): StyledLine => {
  const modes = modesText(session, now)
  const { attached, context, cost } = session.status
  const facts: ReadonlyArray<readonly [string, Style]> = [
    [context === null ? "" : `context ${contextLong(context)}`, contextStyle(context?.percent ?? null)],
    [cost === null ? "" : `cost ${costLong(cost)}${cost.floor === undefined ? "" : lineOf(costSource(cost))}`, "plain"],
    [modes === "" ? "" : `modes ${modes}`, "accent"],
    [attached === 0 ? "" : `${attached} attached`, "plain"],
    ...troublesOf(session.status).map(({ text }) => [lineOf(text), "bad"] as const)
  ]
  return facts
    .filter(([text]) => text !== "")
    .flatMap(([text, style], i) => [...(i === 0 ? [] : [span(" · ", "faint")]), span(text, style)])
}

const placeLine = (state: MonitorState, session: FeedSession): StyledLine => {
  const git = gitOf(state, session)
  const changed =
    git === null || git.changed === null
      ? ""
      : git.changed === 0
        ? ", nothing changed"
        : `, ${git.changed} ${git.changed === 1 ? "file" : "files"} changed`
  return [
    span(placeText(state, session), "faint"),
    ...(git === null ? [] : [span(` ${clean(git.branch)}`, "badge1"), span(changed, "plain")])
  ]
}

const queueLines = ({ status }: FeedSession, cols: number): ReadonlyArray<StyledLine> => {
  const waiting = status.queue.filter(
    (message) => message.status === "queued" || message.status === "held" || isGivenUp(message)
  )
  return waiting
    .slice(0, 3)
    .map((message, i): StyledLine => [
      isGivenUp(message) ? span("! ", "bad") : message.status === "held" ? span("‖ ", "bad") : span("▸ ", "accent"),
      span(`${shortId(message.id)} `, "faint"),
      span(shorten(lineOf(`${shownText(message)}${failedWhy(message)}`), Math.max(1, cols - 9))),
      ...(i === 2 && waiting.length > 3 ? [span(` … ${waiting.length - 3} more`, "faint")] : [])
    ])
}

const clashMost = 3

/** The files that other sessions write too. */
const clashLines = (state: MonitorState, { status }: FeedSession, cols: number): ReadonlyArray<StyledLine> =>
  (state.clashes.get(status.tag) ?? [])
    .slice(0, clashMost)
    .map(({ others, path }): StyledLine => [
      span(
        shorten(lineOf(`≠ ${others.join(", ")} ${others.length === 1 ? "writes" : "write"} ${path} too`), cols),
        "warn"
      )
    ])

/** The files of an edit that waits for an answer, in at most so many rows. */
const editLines = (edit: ProposedEdit, cols: number, most: number): ReadonlyArray<StyledLine> => {
  const lines = edit.files.flatMap((file): ReadonlyArray<StyledLine> => {
    const its = proposalLines(file)
    const parts = differences(sideBySide(its))
    return [
      [span(shorten(clean(proposedName(file)), cols))],
      ...its.map((line) => fitLine(patchSpans(line, parts.get(line)), cols))
    ]
  })
  const shown = lines.length > most || edit.unshown + edit.unlisted > 0 ? lines.slice(0, Math.max(0, most - 1)) : lines
  const left = leftOut({ ...edit, unshown: edit.unshown + lines.length - shown.length })
  return left === null ? shown : [...shown, [span(shorten(`${left}: its screen has them`, cols), "faint")]]
}

/** What a dialog asks for: the edit or the whole command if that is known, else what its screen shows of it. */
const subjectLines = (
  { proposal, question }: FeedSession["status"],
  cols: number,
  most: number
): ReadonlyArray<StyledLine> => {
  if (proposal?.edit != null) return editLines(proposal.edit, cols, most)
  const [text, rows] = proposal?.command == null ? [question?.subject ?? "", 3] : [proposal.command, most]
  return wrap(text.slice(0, textMost), Math.max(1, cols - 2), rows).map((row): StyledLine => [span(`  ${row}`)])
}

/** Rows of a dialog's own, at least, for what it asks for. */
const subjectLeast = 3

const dialogLines = (session: FeedSession, cols: number, rows: number): ReadonlyArray<StyledLine> => {
  const question = session.status.question ?? null
  if (!isAsking(session) || question === null) return []
  const title = wrap(question.title.slice(0, textMost), cols, 2)
  const options = question.options.slice(0, 6)
  // A third of the rows stays for the session's screen.
  const room = Math.floor(rows * 0.6) - title.length - options.length - 1
  return [
    ...title.map((row): StyledLine => [span(row, "plain", true)]),
    ...subjectLines(session.status, cols, Math.max(subjectLeast, room)),
    ...options.map(({ label, number }): StyledLine => [
      span(`${String(number ?? "-").padStart(3)} `, "accent"),
      span(shorten(lineOf(label), Math.max(1, cols - 4)))
    ])
  ]
}

/** The selected session in detail: exactly `rows` lines of exactly `cols` columns. */
export const detailLines = (state: MonitorState, cols: number, rows: number): ReadonlyArray<StyledLine> => {
  const session = selectedOf(state)
  if (session === null) return filled([], cols, rows)
  const { status } = session
  const { style, word } = signOf(session)
  const name = shorten(
    `${clean(status.tag)} · ${clean(status.displayName)} · ${word} ${ageOf(session, state.now)}`,
    cols
  )
  const dialog = dialogLines(session, cols, rows)
  const needs = needsOf(status)
  const beside = dialog.length > 0 ? besideDialog(needs) : needs
  const told = needs.length > 0 ? beside.map((need) => lineOf(needLine(need))) : [lineOf(whyLine(status))]
  const why = told.flatMap((line) => wrap(line, cols, 2).map((row): StyledLine => [span(row, style)]))
  const facts = factsLine(session, state.now)
  const text: ReadonlyArray<StyledLine> = [
    ruleLine(name, cols, "plain"),
    ...dialog,
    ...why,
    ...clashLines(state, session, cols),
    placeLine(state, session),
    ...(facts.length === 0 ? [] : [facts]),
    ...queueLines(session, cols),
    ...block("›", status.lastMessage ?? "", cols, 2),
    ...block("•", status.lastResponse ?? "", cols, rows >= 20 ? 6 : 2)
  ]
  // The text leaves room for the screen, but a dialog is never cut for that, although the screen shows it again.
  const shown = text.slice(0, Math.max(1 + dialog.length, Math.floor(rows * 0.6)))
  const room = rows - shown.length - 1
  return filled(room < 2 ? text : [...shown, ...screenLines(state, status.tag, cols, room)], cols, rows)
}

/** The end of the session's screen, below a line. */
const screenLines = (state: MonitorState, tag: string, cols: number, room: number): ReadonlyArray<StyledLine> => {
  const lines = state.screen?.tag === tag ? state.screen.lines : null
  if (lines === null) return []
  return [ruleLine("screen", cols), ...lines.slice(-room).map((line): StyledLine => [span(line)])]
}
