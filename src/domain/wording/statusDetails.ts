import { shownText } from "./shownText.ts"
import type { SessionStatus } from "../session/Session.ts"
import { shortId } from "../session/shortId.ts"
import { oneLine, printable } from "../text/printable.ts"
import { contextLong, costLong } from "./Format.ts"
import { limitText } from "./limitText.ts"
import { isFailed } from "../session/failedMessage.ts"
import {
  failedText,
  heldText,
  pauseHint,
  receiptWord,
  stateLine,
  table,
  unwiredLine,
  waitsForWord
} from "./StateLine.ts"

/** How long the usage limit lasts, and what becomes of it. */
export const limitRows = (session: SessionStatus, now: number | null): ReadonlyArray<ReadonlyArray<string>> => {
  const { night, pause, problem } = session
  const hint = waitsForWord(session) ? ` ${pauseHint(session)}` : ""
  return [
    ...(problem?.kind !== "rate_limited"
      ? []
      : problem.until === null
        ? [["limit", "until a time that is not known"]]
        : [["limit", limitText(problem.until, now, problem.within)]]),
    ...(pause ? [["queue waits", `${pause.text}${hint}`]] : []),
    ...(night ? [["night", night.text]] : [])
  ]
}

const them = (count: string): string => (/^1 /.test(count) ? "it" : "them")

/** One session, a line for each thing that is known of it; with `whole` no text is cut. */
export const statusDetails = (
  session: SessionStatus,
  { colour, now = null, whole }: { readonly colour: boolean; readonly whole: boolean; readonly now?: number | null }
): string => {
  const cut = (text: string, limit: number): string => oneLine(text, whole ? Infinity : limit)
  const held = heldText(session.queue)
  const failed = failedText(session.queue)
  const unwired = unwiredLine(session)
  return table([
    ["session", `${session.tag} (${session.displayName})`],
    ["state", stateLine(session, colour, whole)],
    ...(session.question?.options ?? []).map(({ label, number }, i) => [
      i === 0 ? "options" : "",
      `${number ?? "-"}  ${cut(label, 100)}`
    ]),
    ["why", cut(session.reason, 120)],
    ...(unwired === null ? [] : [["hooks", printable(unwired)]]),
    ...limitRows(session, now),
    ["ready", session.ready ? "yes" : "no"],
    ["since", session.since],
    ["directory", cut(session.cwd, 200)],
    ...(session.branch ? [["branch", cut(session.branch, 100)]] : []),
    ["process", session.pid === null ? "none" : `${session.pid} (host ${session.hostPid})`],
    ["viewers", String(session.attached)],
    ...(session.context === null ? [] : [["context", contextLong(session.context)]]),
    ...(session.cost === null
      ? []
      : [["cost", `${costLong(session.cost)}${session.cost.estimated ? " (by leap's price table)" : ""}`]]),
    ...(session.lastMessage === null ? [] : [["you said", cut(session.lastMessage, 100)]]),
    ...(session.lastResponse === null ? [] : [["it said", cut(session.lastResponse, 100)]]),
    ...(session.queueProblem ? [["queue", printable(session.queueProblem.message)]] : []),
    ...session.background.map((task) => ["background", `${task.kind}: ${cut(task.title, 80)} (${task.state})`]),
    ...session.queue.map((message) => [
      `message ${receiptWord(message)}`,
      `${shortId(message.id)}  ${cut(shownText(message), 80)}` +
        (isFailed(message) && message.why !== null ? `  (${cut(message.why, 80)})` : "")
    ]),
    ...(failed === null
      ? []
      : [["failed", `${failed}: 'leap queue retry ${session.tag} all' lets ${them(failed)} go out again`]]),
    ...(held === null ? [] : [["held", `${held}: 'leap queue release ${session.tag}' lets ${them(held)} go out`]])
  ])
}
