import type { DeliveryEvidence } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import { type Delivery, type DeliveryMove, record, stay } from "./DeliveryMemory.ts"
import { moved, type Transition, waits, waitsAside } from "./Transition.ts"
import type { Moments } from "./Waits.ts"
import * as TurnFailures from "../failure/TurnFailures.ts"
import { heldRecord, next, type QueueChange, type QueueEntry, QueueRecord, waiting } from "../queue/Queue.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"
import { goesByItself, isAtRest as rests } from "../../words/session/states.ts"

/** Why the queue waits since a turn failed, and what ends the wait: time, the CLI, the conversation, or the user. */
export const failurePauseTransition = (m: Delivery, moments: Moments): Transition | null =>
  keepBack(m) ?? loggedIn(m, moments) ?? cliToContinue(m, moments) ?? pauseToEnd(m, moments)

/** The pause is over: messages that were held because of it are released. */
export const letGo = (m: Delivery, failures: TurnFailures.TurnFailures): DeliveryMove => {
  const kept = new Set(m.failures.pause?.keptBack ?? [])
  const records = waiting(m.queue)
    .filter(({ message }) => message.status === "held" && kept.has(message.id))
    .map(({ message }) => QueueRecord.cases.Released.make({ v: 1, at: m.evidence.at, id: message.id }))
  const after = failures === m.failures ? m : { ...m, failures }
  return records.length === 0 ? stay(after) : record(after, records)
}

/**
 * No message is in delivery or awaits a late hook report, and the session rests, neither stopped by the user nor
 * exited.
 */
export const isAtRest = ({ ended, evidence: { view }, hookEnds, sent }: Delivery): boolean =>
  sent.length === 0 && (ended.length === 0 || hookEnds === "unheard") && rests(view.state)

/** What the screen shows about a missing login after an event. */
export const loginAskedAfter = (
  { loginAsked }: Delivery,
  { at, screen, seq }: DeliveryEvidence
): Delivery["loginAsked"] => {
  if (screen?.loggedOut === true) return { seq, goneAt: null }
  return loginAsked !== null && loginAsked.goneAt === null && screen !== null && screen.box !== null
    ? { ...loginAsked, goneAt: at }
    : loginAsked
}

/**
 * The login request is gone from the screen since a turn failed because of it: the user has logged in, whatever reason
 * was reported for that turn.
 */
const loggedIn = (m: Delivery, { passed }: Moments): Transition | null => {
  const { lastCountedTurnEnd: countedEnd, failures, loginAsked } = m
  const { problemSeq, view } = m.evidence
  if (failures.pause?.problem.kind !== "auth" || !isAtRest(m)) return null
  const over = () => moved(letGo(m, TurnFailures.over(failures)))
  // a problem that the view had dropped before the failure was counted says nothing of a login
  if (view.problem === null && (countedEnd === null || problemSeq > countedEnd.seq)) return over()
  if (loginAsked === null || loginAsked.goneAt === null || loginAsked.seq < (countedEnd?.seq ?? 0)) return null
  return passed(loginAsked.goneAt + timing.loginGone)
    ? over()
    : waitsAside(m, "its CLI to ask for no login for a while")
}

/** While the queue waits for the user, all messages that would be sent are held, so that surfaces show the reason. */
const keepBack = (m: Delivery): Transition | null => {
  const { pause } = m.failures
  if (pause === null || pause.until !== null) return null
  const problem = pause.problem.kind
  const isOutdated = ({ message }: QueueEntry) =>
    message.status === "held" && message.cause?._tag === "BehindFailure" && message.cause.problem !== problem
  const ids = waiting(m.queue)
    .filter((entry) => goesByItself(entry.message) || isOutdated(entry))
    .map(({ message }) => message.id)
  if (ids.length === 0) return null
  return moved(
    record(
      { ...m, failures: TurnFailures.keptBack(m.failures, ids) },
      ids.map((id) => heldRecord(id, m.evidence.at, { _tag: "BehindFailure", problem }))
    )
  )
}

/** How long leap waits for a CLI that announced to continue by itself, from the end of its limit; milliseconds. */
const continuationTimeout = 300_000

/**
 * Until when nothing is typed because the CLI says that it continues by itself, in milliseconds since the epoch; null
 * if it does not say so.
 */
const continuationEnd = ({ evidence: { screen }, failures: { pause } }: Delivery): number | null =>
  screen?.continues === undefined || pause === null ? null : (pause.until ?? pause.since) + continuationTimeout

/** When the CLI continues by itself after its limit, while nothing is typed because of that; null otherwise. */
export const continuation = (m: Delivery): string | null => {
  const end = continuationEnd(m)
  return end !== null && m.evidence.at < end ? (m.evidence.screen?.continues ?? null) : null
}

/** A message that the user forces is sent nevertheless: the user decided not to wait for ready. */
const cliToContinue = (m: Delivery, { passed }: Moments): Transition | null => {
  const end = continuationEnd(m)
  return end === null || passed(end) || next(m.queue)?.message.force === true
    ? null
    : waits(m, "the CLI to go on by itself after its limit")
}

/** The session is ready again when the pause ends, whether or not a message waits for it. */
const pauseToEnd = (m: Delivery, { passed }: Moments): Transition | null => {
  const until = m.failures.pause?.until ?? null
  return until === null || passed(until) ? null : waitsAside(m, "the next try after a failed turn")
}

/** The effect of the user's operation on a pause: it is over; with `all` the messages held by it are released. */
export const seenToBy = (m: Delivery, resumes: QueueChange["resumes"]): DeliveryMove => {
  if (resumes === undefined || m.failures.pause === null) return stay(m)
  const failures = TurnFailures.resumed(m.failures, m.evidence.at)
  return resumes === "all" ? letGo(m, TurnFailures.keptNone(failures)) : stay({ ...m, failures })
}

/** The effect of an event on the conversation: a new one is empty, and a compacted one has room. */
export const followConversation = (m: Delivery, event: SessionEvent): DeliveryMove => {
  if (event._tag !== "Signal") return stay(m)
  const { signal } = event
  if (signal._tag === "CompactEnded") return letGoIfOver(m, TurnFailures.renewed(m.failures, "compacted"))
  if (signal._tag !== "SessionStarted") return stay(m)
  switch (signal.source) {
    case "startup":
    case "clear":
      return letGoIfOver(m, TurnFailures.renewed(m.failures, "empty"))
    case "resume": {
      const { cutOff } = m.failures
      const failures = TurnFailures.renewed(m.failures, "resumed")
      // without a turn so far it is the conversation that the host was started for
      return letGoIfOver(m, m.lastCountedTurnEnd === null ? { ...failures, cutOff } : failures)
    }
    default:
      return stay(m)
  }
}

const letGoIfOver = (m: Delivery, failures: TurnFailures.TurnFailures): DeliveryMove =>
  failures === m.failures ? stay(m) : failures.pause === null ? letGo(m, failures) : stay({ ...m, failures })
