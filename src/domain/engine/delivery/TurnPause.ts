import type { DeliveryEvidence } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import { type Delivery, type DeliveryMove, record, stay } from "./DeliveryMemory.ts"
import { moved, type Transition, waits, waitsAside } from "./Transition.ts"
import type { Moments } from "./Waits.ts"
import * as TurnFailures from "../failure/TurnFailures.ts"
import { heldRecord, next, type QueueChange, type QueueEntry, QueueRecord, waiting } from "../queue/Queue.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"
import { goesByItself, isAtRest as rests } from "../../words/session/states.ts"

/** What the queue waits for since a turn failed, and what ends that: time, the CLI, the conversation, or the user. */
export const turnPauseTransition = (m: Delivery, moments: Moments): Transition | null =>
  keepBack(m) ?? loggedIn(m, moments) ?? cliToContinue(m, moments) ?? pauseToEnd(m, moments)

/** The pause is over for good: what was held because of it is released. */
export const letGo = (m: Delivery, failures: TurnFailures.TurnFailures): DeliveryMove => {
  const kept = new Set(m.failures.pause?.keptBack ?? [])
  const records = waiting(m.queue)
    .filter(({ message }) => message.status === "held" && kept.has(message.id))
    .map(({ message }) => QueueRecord.cases.Released.make({ v: 1, at: m.evidence.at, id: message.id }))
  const after = failures === m.failures ? m : { ...m, failures }
  return records.length === 0 ? stay(after) : record(after, records)
}

/**
 * No message is under way, nor to be told of late, as a hook may where one was heard, and the session rests, neither
 * stopped by the user nor exited.
 */
export const isAtRest = ({ ended, evidence: { view }, hookEnds, sent }: Delivery): boolean =>
  sent.length === 0 && (ended.length === 0 || hookEnds === "unheard") && rests(view.state)

/** What the screen says of a login that is missing, after an event. */
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
 * What the CLI said of a missing login it says no more, since a turn failed of it: then the user has logged in,
 * whatever that turn was told to have failed of.
 */
const loggedIn = (m: Delivery, { passed }: Moments): Transition | null => {
  const { lastCountedTurnEnd: countedEnd, failures, loginAsked } = m
  const { view } = m.evidence
  if (failures.pause?.problem.kind !== "auth" || !isAtRest(m)) return null
  const over = () => moved(letGo(m, TurnFailures.over(failures)))
  if (view.problem === null) return over()
  if (loginAsked === null || loginAsked.goneAt === null || loginAsked.seq < (countedEnd?.seq ?? 0)) return null
  return passed(loginAsked.goneAt + timing.loginGone)
    ? over()
    : waitsAside(m, "its CLI to ask for no login for a while")
}

/** While the human is waited for, all that would go out is held, so that every surface says so, and for what by now. */
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

/** How long leap waits for a CLI to go on by itself as it said, from the end of its limit; milliseconds. */
const continuationPatience = 300_000

/**
 * Until when nothing is typed beside a CLI that says that it goes on by itself, in milliseconds since the epoch; null
 * where it does not say so.
 */
const continuationEnd = ({ evidence: { screen }, failures: { pause } }: Delivery): number | null =>
  screen?.continues === undefined || pause === null ? null : (pause.until ?? pause.since) + continuationPatience

/** When the CLI goes on by itself after its limit, in its words, while nothing is typed beside that; null for not. */
export const continuation = (m: Delivery): string | null => {
  const end = continuationEnd(m)
  return end !== null && m.evidence.at < end ? (m.evidence.screen?.continues ?? null) : null
}

/** What the user forces goes out all the same: that it does not wait for ready is their word. */
const cliToContinue = (m: Delivery, { passed }: Moments): Transition | null => {
  const end = continuationEnd(m)
  return end === null || passed(end) || next(m.queue)?.message.force === true
    ? null
    : waits(m, "the CLI to go on by itself after its limit")
}

/** The session is ready again when the pause ends, whether or not a message waits for that. */
const pauseToEnd = (m: Delivery, { passed }: Moments): Transition | null => {
  const until = m.failures.pause?.until ?? null
  return until === null || passed(until) ? null : waitsAside(m, "the next try after a failed turn")
}

/** What the user's word on the queue does to a pause: it is over, and what is held because of it may go or not. */
export const seenToBy = (m: Delivery, resumes: QueueChange["resumes"]): DeliveryMove => {
  if (resumes === undefined || m.failures.pause === null) return stay(m)
  const failures = TurnFailures.resumed(m.failures, m.evidence.at)
  return resumes === "all" ? letGo(m, TurnFailures.keptNone(failures)) : stay({ ...m, failures })
}

/** What an event says of the conversation: a new one is empty, and one that was compacted has room. */
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
      // with no turn so far it is the conversation that the host was started for
      return letGoIfOver(m, m.lastCountedTurnEnd === null ? { ...failures, cutOff } : failures)
    }
    default:
      return stay(m)
  }
}

const letGoIfOver = (m: Delivery, failures: TurnFailures.TurnFailures): DeliveryMove =>
  failures === m.failures ? stay(m) : failures.pause === null ? letGo(m, failures) : stay({ ...m, failures })
