import { needOf } from "../../words/attention/needsOf.ts"
import { needWords } from "../../words/attention/needWords.ts"
import { shownNeeds } from "../../words/attention/shownNeeds.ts"
import { mutedUntil } from "../notify/mutedUntil.ts"
import { tilde } from "../picker/Rows.ts"
import { ageText } from "../queueClient/panels.ts"
import { heldOf, isGivenUp, waitingOf } from "../../words/session/failedMessage.ts"
import type { FeedSession } from "../../words/session/Feed.ts"
import { contextShort, costText } from "../../words/wording/Format.ts"
import { clean, pad, shorten, shortenStart, width } from "../tui/Cells.ts"
import { padLine, span, type Style, type StyledLine } from "../tui/Paint.ts"
import { shownStates } from "../../words/session/states.ts"
import { nowText, whyLine } from "../../words/wording/nowText.ts"
import { gitOf, type GitSeen, type MonitorState, runs } from "./MonitorState.ts"

/** How a state is shown. Each has its own sign, so that colour is never the only difference. */
interface Sign {
  readonly sign: string
  readonly word: string
  readonly style: Style
}

const styles: Readonly<Record<(typeof shownStates)["idle"]["colour"], Style>> = {
  32: "live",
  33: "warn",
  34: "badge2",
  35: "badge1",
  36: "accent",
  90: "faint"
}

const signFor = (state: FeedSession["status"]["state"]): Sign => {
  const { colour, sign, word } = shownStates[state]
  return { sign, word, style: styles[colour] }
}

export const signOf = ({ link, status }: FeedSession): Sign => {
  if (link === "foreign") return { sign: "~", word: "other leap", style: "bad" }
  if (link === "silent") return { sign: "~", word: "no answer", style: "bad" }
  const need = needOf(status)
  return need === null ? signFor(status.state) : { ...shownNeeds[need.kind], word: needWords[need.kind] }
}

/** Texts of models are cut before anything else. */
const textMost = 600
export const lineOf = (text: string): string => clean(text.slice(0, textMost).replace(/\s+/g, " ").trim())

export const ageOf = ({ status }: FeedSession, now: number): string => {
  const since = Date.parse(status.since)
  return Number.isNaN(since) ? "" : ageText(now - since)
}

/** Waiting, held and given up messages: `3`, `3+1h`, `1f`; "" for none. */
export const queueText = ({ status }: FeedSession): string => {
  const held = heldOf(status.queue)
  const waiting = waitingOf(status.queue)
  const failed = status.queue.filter(isGivenUp).length
  return [waiting > 0 ? `${waiting}` : "", held > 0 ? `${held}h` : "", failed > 0 ? `${failed}f` : ""]
    .filter((part) => part !== "")
    .join("+")
}

/** The modes that differ from leap's own defaults; "" for none. */
export const modesText = ({ status: { modes } }: FeedSession, now: number): string =>
  [
    modes.autoSend === "always" ? "auto" : "",
    modes.churn === "send" ? "send" : "",
    modes.night === "on" ? "night" : "",
    mutedUntil(modes.mute, now) === null ? "" : "mute"
  ]
    .filter((part) => part !== "")
    .join("+")

export const contextStyle = (percent: number | null): Style =>
  percent === null || percent < 70 ? "live" : percent < 90 ? "warn" : "bad"

/** The fill of the context, with a mark if it is nearly full. */
export const contextText = ({ status }: FeedSession): string =>
  `${contextShort(status)}${(status.context?.percent ?? 0) >= 90 ? "!" : ""}`

/** `main`, `main*3` with changed files; "" without git. */
export const gitText = (git: GitSeen): string =>
  git === null || git === undefined
    ? ""
    : `${clean(git.branch.slice(0, 200))}${git.changed === null || git.changed === 0 ? "" : `*${git.changed}`}`

/** The file that others write too, and who: `≠ main.ts (api)`; "" for none. */
export const clashText = ({ clashes }: MonitorState, { status: { tag } }: FeedSession): string => {
  const [first, ...more] = clashes.get(tag) ?? []
  if (first === undefined) return ""
  const name = first.path.slice(first.path.lastIndexOf("/") + 1)
  return lineOf(`≠ ${name} (${first.others.join(", ")})${more.length === 0 ? "" : ` +${more.length}`}`)
}

/** The user's last prompt after a sign, which answers do not have; "" for none. */
const promptText = ({ status: { lastMessage } }: FeedSession): string =>
  lastMessage === null || lastMessage.trim() === "" ? "" : `› ${lineOf(lastMessage)}`

/**
 * What it does now. `beside`: the columns that it shares with the prompt, which gets at most half of them and yields to
 * a need; null if the prompt has a column of its own.
 */
const nowCell = (session: FeedSession, beside: number | null): string => {
  const now = lineOf(nowText(session.status))
  const isAlone = beside === null || !runs(session) || needOf(session.status) !== null
  const prompt = isAlone ? "" : shorten(promptText(session), Math.floor(beside / 2))
  return prompt === "" ? now : `${prompt} · ${now}`
}

export const placeText = (state: MonitorState, session: FeedSession): string =>
  clean(tilde(session.status.cwd, state.home).slice(-textMost))

interface Column {
  readonly name: string
  readonly width: number
  readonly cell: (session: FeedSession) => { readonly text: string; readonly style: Style; readonly bold?: boolean }
  /** The end of the text is the important part. */
  readonly fromEnd?: boolean
  /** Whether a session has a value in it; by default, whether its text is not empty. */
  readonly isFilled?: (session: FeedSession) => boolean
}

/** The columns that have room, from left to right. */
export const columnsOf = (state: MonitorState, cols: number): ReadonlyArray<Column> => {
  const { now, sessions } = state
  const longest = state.names.reduce((most, tag) => Math.max(most, width(tag)), 3)
  const branches = [...sessions.values()].reduce(
    (most, session) => Math.max(most, width(gitText(gitOf(state, session)))),
    6
  )
  const queues = [...sessions.values()].reduce((most, session) => Math.max(most, queueText(session).length), 4)
  const plain = (text: string, style: Style = "plain") => ({ text, style })
  const tag: Column = {
    name: "TAG",
    width: Math.min(longest, Math.max(10, Math.floor(cols / 5))),
    cell: (session) => ({
      text: clean(session.status.tag),
      style: "plain",
      bold: session.status.tag === state.selected
    })
  }
  const what: Column = {
    name: "STATE",
    width: 16,
    cell: (session) => {
      const { style, word } = signOf(session)
      const age = ageOf(session, now)
      return { text: `${pad(word, 11)} ${age.padStart(4)}`, style }
    }
  }
  const fixed: ReadonlyArray<Column & { readonly from: number; readonly place: number }> = [
    {
      place: 2,
      from: 0,
      name: "Q",
      width: Math.min(queues, 8),
      cell: (session) => plain(queueText(session), "accent")
    },
    {
      place: 3,
      from: 0,
      name: "CTX",
      width: 5,
      cell: (session) => {
        const { context } = session.status
        return plain(contextText(session), context === null ? "faint" : contextStyle(context.percent))
      },
      isFilled: ({ status }) => status.context !== null
    },
    { place: 0, from: 90, name: "CLI", width: 9, cell: ({ status }) => plain(clean(status.cli), "faint") },
    { place: 4, from: 90, name: "COST", width: 8, cell: ({ status }) => plain(costText(status.cost)) },
    { place: 1, from: 110, name: "MODES", width: 9, cell: (session) => plain(modesText(session, now), "accent") },
    {
      place: 5,
      from: 90,
      name: "BRANCH",
      width: Math.min(branches, cols >= 140 ? 20 : 12),
      cell: (session) => plain(gitText(gitOf(state, session)), "badge1")
    }
  ]
  // an empty column leaves its room to the others
  const isUsed = ({ cell, isFilled, name }: Column): boolean =>
    name === "Q" ||
    state.names.some((tag) => {
      const session = sessions.get(tag)
      return session !== undefined && (isFilled?.(session) ?? cell(session).text !== "")
    })
  const shown = fixed.filter((column) => cols >= column.from && isUsed(column)).toSorted((a, b) => a.place - b.place)
  const head = [tag, what]
  // the marks before the tag
  const used = 4 + [...head, ...shown].reduce((sum, column) => sum + column.width + 1, 0)
  const rest = cols - used
  const rests = cols >= 130 ? [0.4, 0.36, 0.24] : cols >= 104 ? [0.56, 0.44] : [1]
  const room = rest - (rests.length - 1)
  const first = Math.max(0, Math.floor(room * (rests[0] ?? 1)))
  const second = Math.max(0, Math.floor(room * (rests[1] ?? 0)))
  const flexible: ReadonlyArray<Column> = [
    {
      name: "WHY",
      width: first,
      cell: (session) => {
        const clash = clashText(state, session)
        if (clash !== "") return plain(`${clash} · ${lineOf(whyLine(session.status))}`, "warn")
        const text = nowCell(session, rests.length === 1 ? first : null)
        return plain(text, runs(session) ? "plain" : "faint")
      }
    },
    { name: "PROMPT", width: second, cell: (session) => plain(promptText(session), "faint") },
    {
      name: "DIRECTORY",
      width: Math.max(0, room - first - second),
      fromEnd: true,
      cell: (session) => plain(placeText(state, session), "faint")
    }
  ]
  return [...head, ...shown, ...flexible.slice(0, rests.length)]
}

const cellText = ({ fromEnd, width: cols }: Column, text: string): string =>
  pad(fromEnd === true ? shortenStart(text, cols) : shorten(text, cols), cols)

export const headLine = (columns: ReadonlyArray<Column>, cols: number): StyledLine =>
  padLine([span(`    ${columns.map((column) => cellText(column, column.name)).join(" ")}`, "faint")], cols)

/** One row of the list, in exactly so many columns. */
export const sessionLine = (
  state: MonitorState,
  session: FeedSession,
  columns: ReadonlyArray<Column>,
  cols: number
): StyledLine => {
  const isSelected = session.status.tag === state.selected
  const isMarked = state.marked.has(session.status.tag)
  const { sign, style } = signOf(session)
  return padLine(
    [
      span(isSelected ? "❯" : " ", "accent", isSelected),
      span(isMarked ? "+" : " ", "accent", true),
      span(`${sign} `, style, style === "warn" || style === "bad"),
      ...columns.flatMap((column) => {
        const cell = column.cell(session)
        return [span(cellText(column, cell.text), cell.style, cell.bold), span(" ")]
      })
    ],
    cols
  )
}
