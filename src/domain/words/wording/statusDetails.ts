import { needRows } from "../attention/needWords.ts"
import { shownText } from "./shownText.ts"
import { isGivenUp } from "../session/failedMessage.ts"
import type { SessionStatus } from "../session/Session.ts"
import { shortId } from "../session/shortId.ts"
import { longLine, oneLine, printable } from "../text/printable.ts"
import { contextLong, costLong, costSource } from "./Format.ts"
import { limitLasts } from "./limitText.ts"
import { troublesBeside } from "./troublesOf.ts"
import { failedText, heldText, isPauseAmongNeeds, pauseHint, receiptWord, stateLine, table } from "./StateLine.ts"

/** How long the usage limit lasts, why the queue waits, and leap's plan for the limit. */
export const limitRows = (session: SessionStatus, now: number | null): ReadonlyArray<ReadonlyArray<string>> => {
  const { night, pause } = session
  const limit = limitLasts(session, now)
  return [
    ...(limit === null ? [] : [["limit", limit]]),
    ...(pause ? [["queue waits", `${isPauseAmongNeeds(session) ? "" : `${pause.text} `}${pauseHint(session)}`]] : []),
    ...(night ? [["night", night.text]] : [])
  ]
}

const isHeld = ({ status }: SessionStatus["queue"][number]): boolean => status === "held"

/** Messages of the queue, each with its receipt and the reason for it. */
export const receiptRows = (
  { queue }: Pick<SessionStatus, "queue">,
  cut: (text: string, limit: number) => string
): ReadonlyArray<ReadonlyArray<string>> =>
  queue.map((message) => [
    `message ${receiptWord(message)}`,
    `${shortId(message.id)}  ${cut(shownText(message), 80)}` +
      (message.why === null ? "" : `  (${cut(message.why, 80)})`)
  ])

/** One session, a line for each known fact; with `whole` the full length of a line for each text. */
export const statusDetails = (
  session: SessionStatus,
  { colour, now = null, whole }: { readonly colour: boolean; readonly whole: boolean; readonly now?: number | null }
): string => {
  const cut = (text: string, limit: number): string => (whole ? longLine(text) : oneLine(text, limit))
  const them = (isOne: typeof isHeld): string => (session.queue.filter(isOne).length === 1 ? "it" : "them")
  const held = heldText(session.queue)
  const failed = failedText(session.queue)
  return table([
    ["session", `${session.tag} (${session.displayName})`],
    ["state", stateLine(session, colour, { whole, rows: true })],
    ...needRows(session),
    ...(session.question?.options ?? []).map(({ label, number }, i) => [
      i === 0 ? "options" : "",
      `${number ?? "-"}  ${cut(label, 100)}`
    ]),
    // the reason why the queue waits has a row of its own
    ...(session.notReady?._tag === "QueueWaits" && session.pause ? [] : [["why", cut(session.reason, 120)]]),
    ...troublesBeside(session).map(({ text, what }) => [what, printable(text)]),
    ...limitRows(session, now),
    ["ready", session.ready ? "yes" : "no"],
    ["since", session.since],
    ["directory", cut(session.cwd, 200)],
    ...(session.branch ? [["branch", cut(session.branch, 100)]] : []),
    ["process", session.pid === null ? "none" : `${session.pid} (host ${session.hostPid})`],
    ["viewers", String(session.attached)],
    ...(session.context === null ? [] : [["context", contextLong(session.context)]]),
    ...(session.cost === null ? [] : [["cost", `${costLong(session.cost)}${printable(costSource(session.cost))}`]]),
    ...(session.lastMessage === null ? [] : [["you said", cut(session.lastMessage, 100)]]),
    ...(session.lastResponse === null ? [] : [["it said", cut(session.lastResponse, 100)]]),
    ...session.background.map((task) => ["background", `${task.kind}: ${cut(task.title, 80)} (${task.state})`]),
    ...receiptRows(session, cut),
    ...(failed === null
      ? []
      : [["failed", `${failed}: 'leap queue retry ${session.tag} all' sends ${them(isGivenUp)} again`]]),
    ...(held === null ? [] : [["held", `${held}: 'leap queue release ${session.tag}' lets ${them(isHeld)} go out`]])
  ])
}
