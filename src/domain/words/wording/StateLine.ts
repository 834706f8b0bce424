import { exitText } from "../session/exitText.ts"
import { needOf, needsOf } from "../attention/needsOf.ts"
import { notReadyWords } from "./notReadyWords.ts"
import { currentLine, stateWords } from "../attention/needWords.ts"
import { troublesBeside } from "./troublesOf.ts"
import { shownText } from "./shownText.ts"
import { longLine, oneLine, withoutColours } from "../text/printable.ts"
import { columnsOf, keepStart } from "../text/columns.ts"
import type { QueuedMessage } from "../session/Message.ts"
import { conditionText } from "./conditionText.ts"
import { heldOf, isGivenUp, messagesWhich, waitingOf } from "../session/failedMessage.ts"
import { shortId } from "../session/shortId.ts"
import { isHeldByGuard, pauseEnd } from "../session/queuePause.ts"
import { isAtRest, shownStates } from "../session/states.ts"
import type { SessionStatus } from "../session/Session.ts"

const red = 31

/** What went wrong is red, whatever the state. */
const colourOf = (status: SessionStatus): number => {
  const need = needOf(status)
  return need === null || need.kind === "permission" || need.kind === "question"
    ? shownStates[status.state].colour
    : red
}

export const paint = (text: string, sgr: number, colour: boolean): string =>
  colour ? `\u001b[${sgr}m${text}\u001b[0m` : text

/** Why queued messages of a session at rest are not sent; null while they are about to be, or wait for a turn's end. */
export const blockedText = (status: SessionStatus): string | null => {
  if (status.state === "interrupted")
    return `waits since you interrupted ('leap send ${status.tag} --force TEXT' goes on)`
  if (!isAtRest(status.state)) return null
  if (status.pause && !status.dialog) return `waits: ${status.pause.text}`
  if (status.ready) return null
  const closing = status.dialog ? ` ('leap keys ${status.tag} Esc' closes it)` : ""
  return status.notReady == null ? null : `waits: ${oneLine(notReadyWords(status.notReady), 60)}${closing}`
}

/** The number of messages that wait for the user; null for none. */
export const heldText = (queue: ReadonlyArray<QueuedMessage>): string | null => {
  const held = heldOf(queue)
  return held === 0 ? null : messagesWhich(held, "is held", "are held")
}

/** The number of messages that are given up because their turns failed; null for none. */
export const failedText = (queue: ReadonlyArray<QueuedMessage>): string | null => {
  const failed = queue.filter(isGivenUp).length
  return failed === 0 ? null : messagesWhich(failed, "failed", "failed")
}

/** The queue waits for the user: queued messages are held, and so are new ones. */
export const waitsForUser = ({ pause }: Pick<SessionStatus, "pause">): boolean => pause != null && pause.until === null

/** The commands that let a waiting queue continue; if time does so, those that do it immediately. */
export const pauseHint = (status: Pick<SessionStatus, "pause" | "tag">): string => {
  const end = pauseEnd(status)
  const release = `'leap queue release ${status.tag}'`
  if (isHeldByGuard(status.pause)) return `('leap why ${status.tag}'${end === null ? "" : `, ${release}`})`
  return end === "release" ? `(${release} tries it now)` : `('leap queue retry ${status.tag} all', ${release})`
}

/** Whether its needs include the reason why its queue waits, except for a limit for which leap has a plan. */
export const isPauseAmongNeeds = (status: SessionStatus): boolean =>
  needsOf(status).some(
    ({ id, kind, since }) => id === "" && since === status.pause?.since && (kind !== "limit" || !status.night)
  )

/** The shown parts of a session's state. */
interface StateShown {
  /** The full length of a line. */
  readonly whole?: boolean
  /** Its needs, the reason why its queue waits, and the plan for its limit have rows of their own. */
  readonly rows?: boolean
}

/** The parts of a session's state, in order: its need or activity, the plan for a limit, the queue, faults, the end. */
const stateParts = (status: SessionStatus, colour: boolean, { rows = false, whole = false }: StateShown) => {
  const queued = waitingOf(status.queue)
  const held = heldOf(status.queue)
  const failed = status.queue.filter(isGivenUp).length
  const need = needOf(status)
  const isTold = rows || isPauseAmongNeeds(status)
  const detail = rows && need !== null ? null : currentLine(status)
  const blocker = status.pause && isTold ? null : blockedText(status)
  const parts: Array<string> = []
  if (detail !== null && detail !== "") parts.push(whole ? longLine(detail) : oneLine(detail, 60))
  if (status.night && !rows && need?.kind !== "limit") parts.push(status.night.text)
  if (queued > 0) parts.push(`${queued} queued`)
  if (queued > 0 && blocker !== null) parts.push(blocker)
  if (held > 0) parts.push(`${held} held`)
  if (failed > 0) parts.push(`${failed} failed`)
  if (queued === 0 && status.pause && blocker !== null) parts.push(blocker)
  parts.push(...troublesBeside(status).map(({ short }) => short))
  if (status.state === "exited" && status.exit !== null) parts.push(exitText(status.exit))
  return { state: paint(`● ${stateWords(status)}`, colourOf(status), colour), parts }
}

/** The state of a session in one line: `● running · Reading files · 2 queued`. */
export const stateLine = (status: SessionStatus, colour: boolean, shown: StateShown = {}): string => {
  const { parts, state } = stateParts(status, colour, shown)
  return [state, ...parts].join(" · ")
}

/** The line in this many columns. */
export const stateIn = (status: SessionStatus, colour: boolean, columns: number): string => {
  const whole = stateLine(status, false)
  if (columnsOf(whole) <= columns) return stateLine(status, colour)
  const cut = keepStart(oneLine(whole, Infinity), columns)
  // the state itself comes first, and only it is coloured
  const { state } = stateParts(status, false, {})
  return cut.length < state.length ? cut : paint(state, colourOf(status), colour) + cut.slice(state.length)
}

/** The receipt of a message in one word: a done one may have been interrupted, or have failed. */
export const receiptWord = ({ outcome, status }: Pick<QueuedMessage, "outcome" | "status">): string =>
  status === "done" && outcome !== undefined && outcome !== "completed" ? outcome : status

/**
 * One message of a list: its short id, its receipt and the beginning of its text; with `whole` the full length of a
 * line.
 */
export const messageLine = (message: QueuedMessage, whole = false): string => {
  const cut = (text: string, limit: number): string => (whole ? longLine(text) : oneLine(text, limit))
  return (
    `${shortId(message.id)}  ${receiptWord(message).padEnd(9)}  ` +
    cut(shownText(message), 70) +
    (message.when === undefined ? "" : `  (${cut(conditionText(message.when), 80)})`) +
    (message.why === null ? "" : `  (${cut(message.why, 80)})`)
  )
}

/**
 * Rows with columns as wide as their widest cell on a terminal; the last column is not padded. `wrap`: the lines of its
 * cells, for a terminal with this many columns before them (`withinColumns`).
 */
export const table = (
  rows: ReadonlyArray<ReadonlyArray<string>>,
  wrap: (cell: string, before: number) => ReadonlyArray<string> = (cell) => [cell]
): string => {
  const wide = (cell: string) => columnsOf(withoutColours(cell))
  const widths: Array<number> = []
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, wide(cell))))
  return rows
    .flatMap((row) => {
      const cells = row.slice(0, -1).map((cell, i) => cell + " ".repeat(widths[i]! - wide(cell) + 2))
      const before = cells.join("")
      const indent = wide(before)
      return wrap(row.at(-1) ?? "", indent).map((line, i) => ((i === 0 ? before : " ".repeat(indent)) + line).trimEnd())
    })
    .join("\n")
}
