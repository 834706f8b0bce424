import { andThen, announce, type Delivery, type DeliveryMove, nameOf, record, stay } from "./DeliveryMemory.ts"
import { timing } from "./DeliveryLimits.ts"
import { lastEnd } from "./ReportedTurns.ts"
import { moved, type Moments, type Verdict, waits, waitsAside } from "./Waits.ts"
import { faultOf } from "../failure/fault.ts"
import { behindFailure } from "../failure/pauseText.ts"
import * as TurnFailures from "../failure/TurnFailures.ts"
import { problemOf, unknownProblem } from "../reading/ProblemText.ts"
import { failureWhy } from "../wording/TurnEnding.ts"
import { find, isFailed, type QueueEntry, QueueRecord, type QueueState, waiting } from "../queue/Queue.ts"
import type { Problem } from "../session/Session.ts"
import type { SessionEvent } from "../session/SessionEvent.ts"
import { turnOver } from "../session/states.ts"

/** The last end of a turn that is counted in {@link Delivery.failures}. */
export interface CountedEnd {
  /** The event with which it was counted, and the beginning of its turn by then, as it was told. */
  readonly seq: number
  readonly start: number
  /** What had been counted before it: more may be told of the same end. */
  readonly before: TurnFailures.TurnFailures
  /** The message whose turn it was; null for the user's own prompt. */
  readonly id: string | null
}

/** What is wrong, as the session says it; where it says nothing (any more), as the failure's own text does. */
const problemIn = (m: Delivery, failure: string): Problem =>
  m.evidence.view.problem ?? problemOf(failure) ?? unknownProblem(failure)

/**
 * Counts a failed turn, on top of what had been counted before it, and does with its message what follows. Where only
 * time is waited for now, what was held for the human's word waits for that time too.
 */
const count = (
  m: Delivery,
  before: TurnFailures.TurnFailures,
  failure: string,
  id: string | null,
  hasMessage = id !== null
): DeliveryMove => {
  const { at, seq, turns } = m.evidence
  const [failures, verdict] = TurnFailures.failed(before, problemIn(m, failure), at, id !== null)
  const kept = m.failures.pause?.keptBack ?? []
  const counted: Delivery = {
    ...m,
    failures: { ...failures, pause: failures.pause === null ? null : { ...failures.pause, keptBack: kept } },
    countedEnd: { seq, start: turns.start.seq, before, id }
  }
  const isTimed = failures.pause?.until != null
  return andThen(isTimed ? letGo(counted, TurnFailures.keptNone(counted.failures)) : stay(counted), (m) =>
    id !== null && hasMessage ? settle(m, id, failure, verdict) : stay(m)
  )
}

/** What becomes of a message whose turn failed. It is wherever the last word on it has put it. */
const settle = (m: Delivery, id: string, failure: string, verdict: TurnFailures.Verdict): DeliveryMove => {
  const { at } = m.evidence
  const why = failureWhy(failure)
  const outcome = "failed"
  const ending = (status: "done" | "held") =>
    QueueRecord.cases.StatusChanged.make({ v: 1, at, id, status, why, outcome })
  const back = QueueRecord.cases.Requeued.make({ v: 1, at, id, counted: false, why, outcome })
  switch (verdict) {
    case "finished":
      return record(m, [ending("done")])
    case "queued":
      return record(m, [back])
    case "held":
      return andThen(record(m, [back, ending("held")]), (m) =>
        announce({ ...m, failures: TurnFailures.keptBack(m.failures, [id]) }, `${nameOf(m, id)} is held: ${why}`)
      )
  }
}

/** The turn of a message failed: it goes back into the queue, unless the failure is its own. */
export const messageFailed = (m: Delivery, id: string, failure: string): DeliveryMove =>
  count(m, m.failures, failure, id)

/**
 * Records for messages that the limit cut off, and whose turn has gone on without them being sent again: what they
 * asked for is in the conversation. `sentBefore`: milliseconds since the epoch.
 */
export const goneOn = (queue: QueueState, at: number, sentBefore = Infinity): ReadonlyArray<QueueRecord> =>
  queue.entries
    .filter(({ attemptedAt = Infinity, message }) => {
      const isBack = message.status === "queued" || message.status === "held"
      return isBack && message.night !== true && isFailed(message) && attemptedAt < sentBefore
    })
    .map(({ message: { id } }) =>
      QueueRecord.cases.StatusChanged.make({
        v: 1,
        at,
        id,
        status: "done",
        why: "its turn went on after the limit",
        outcome: "completed"
      })
    )

/** The CLI's own continuation after its limit was answered, with no word of the user's in between. */
const ownContinuation = (m: Delivery): ReadonlyArray<QueueRecord> =>
  m.continuesSeq > m.evidence.turns.userEnterSeq && m.failures.pause?.problem.kind === "rate_limited"
    ? goneOn(m.queue, m.evidence.at)
    : []

/**
 * A turn was answered: what waited because of the session's or the account's failure goes out again. Where the failure
 * was not understood, another's answer says nothing of the message that failed: it waits for the human's word.
 */
export const turnAnswered = (m: Delivery): DeliveryMove => {
  const { seq, turns } = m.evidence
  const countedEnd = { seq, start: turns.start.seq, before: m.failures, id: null }
  const failures = TurnFailures.answered(m.failures)
  const { pause } = m.failures
  const gone = m.sent.length === 0 ? ownContinuation(m) : []
  if (gone.length > 0) return andThen(record({ ...m, continuesSeq: 0 }, gone), turnAnswered)
  const isUnderstood = pause !== null && faultOf(pause.problem) !== "unknown" && faultOf(pause.problem) !== "message"
  const counted = { ...m, countedEnd, continuesSeq: 0 }
  return isUnderstood ? letGo(counted, failures) : stay({ ...counted, failures })
}

/** The pause is over for good: what was held because of it is released. */
const letGo = (m: Delivery, failures: TurnFailures.TurnFailures): DeliveryMove => {
  const kept = new Set(m.failures.pause?.keptBack ?? [])
  const records = waiting(m.queue)
    .filter(({ message }) => message.status === "held" && kept.has(message.id))
    .map(({ message }) => QueueRecord.cases.Released.make({ v: 1, at: m.evidence.at, id: message.id }))
  const after = failures === m.failures ? m : { ...m, failures }
  return records.length === 0 ? stay(after) : record(after, records)
}

/** More is told of an end that is counted already: why it failed, or that it did. */
const amend = (m: Delivery, { before, id }: CountedEnd, failure: string): DeliveryMove => {
  const entry = id === null ? null : find(m.queue, id)
  // What has gone out again, or was taken out, stays as it is.
  const isThere = entry !== null && !entry.attempting && isFailed(entry.message)
  const problem = problemIn(m, failure)
  if (m.failures.pause?.problem.kind === problem.kind && m.failures.pause.problem.message === problem.message)
    return stay(m)
  return count(m, before, failure, id, isThere)
}

/**
 * Turns that are not those of messages under way: how they end is known by what the CLI reports, once the session
 * rests.
 * Null where nothing follows, and nothing is waited for.
 */
export const failedTurnsTransition = (m: Delivery, moments: Moments): Verdict | null =>
  ownTurnEnded(m, moments) ?? keepBack(m) ?? cliToContinue(m, moments) ?? pauseToEnd(m, moments)

const ownTurnEnded = (m: Delivery, { passed }: Moments): Verdict | null => {
  const { countedEnd } = m
  const { overSince, prompt, turns, view, workSeq } = m.evidence
  if (m.sent.length > 0 || m.ended.length > 0) return null
  if (!turnOver.has(view.state) || view.state === "interrupted" || view.state === "exited") return null
  const end = lastEnd(turns, workSeq)
  const last = countedEnd?.seq ?? 0
  if (end !== null && end.seq > last) {
    if (end.failure === null) return moved(turnAnswered(m))
    if (view.problem === null && !passed((overSince ?? 0) + timing.failureTold)) return waits(m, "why a turn failed")
    const isSame = countedEnd !== null && countedEnd.start === turns.start.seq && workSeq <= countedEnd.seq
    return moved(
      isSame
        ? amend({ ...m, countedEnd: { ...countedEnd, seq: m.evidence.seq } }, countedEnd, end.failure)
        : count(m, m.failures, end.failure, null)
    )
  }
  const began = Math.max(workSeq, turns.start.seq, prompt.seq)
  if (end === null && view.problem !== null && began > last)
    return moved(count(m, m.failures, view.problem.message, null))
  // What the CLI said of a missing login it says no more.
  return m.failures.pause?.problem.kind === "auth" && view.problem === null
    ? moved(letGo(m, TurnFailures.resumed(m.failures)))
    : null
}

/** While the human is waited for, all that would go out is held, so that every surface says so. */
const keepBack = (m: Delivery): Verdict | null => {
  const { pause } = m.failures
  if (pause === null || pause.until !== null) return null
  const isDue = ({ message }: QueueEntry) => message.status === "queued" && !message.force && message.when === undefined
  const ids = waiting(m.queue)
    .filter(isDue)
    .map(({ message }) => message.id)
  if (ids.length === 0) return null
  const why = behindFailure(pause)
  return moved(
    record(
      { ...m, failures: TurnFailures.keptBack(m.failures, ids) },
      ids.map((id) => QueueRecord.cases.StatusChanged.make({ v: 1, at: m.evidence.at, id, status: "held", why }))
    )
  )
}

/** How long leap waits for a CLI to go on by itself as it said, from the end of its limit; milliseconds. */
const continuationPatience = 300_000

/** The CLI says that it goes on by itself, and there is time for it yet: nothing is typed beside that. */
const cliToContinue = (m: Delivery, { passed }: Moments): Verdict | null => {
  const { screen } = m.evidence
  const { pause } = m.failures
  if (screen?.continues === undefined || pause === null) return null
  return passed((pause.until ?? pause.since) + continuationPatience)
    ? null
    : waits(m, "the CLI to go on by itself after its limit")
}

/** The session is ready again when the pause ends, whether or not a message waits for that. */
const pauseToEnd = (m: Delivery, { passed }: Moments): Verdict | null => {
  const until = m.failures.pause?.until ?? null
  return until === null || passed(until) ? null : waitsAside(m, "the next try after a failed turn")
}

/** What the user's word on the queue does to a pause: one message goes, or, where it is for all or a new try, all. */
export const seenToBy = (
  m: Delivery,
  { records, resumes = false }: { readonly records: ReadonlyArray<QueueRecord>; readonly resumes?: boolean }
): DeliveryMove => {
  const isForAll = resumes || records.some(({ _tag }) => _tag === "Retried")
  if (m.failures.pause === null || !(isForAll || records.some(({ _tag }) => _tag === "Released"))) return stay(m)
  const resumed = TurnFailures.resumed(m.failures)
  return isForAll ? letGo(m, resumed) : stay({ ...m, failures: resumed })
}

/** What an event says of the conversation: a new one is empty, and one that was compacted has room. */
export const followConversation = (m: Delivery, event: SessionEvent): DeliveryMove => {
  if (event._tag !== "Signaled") return stay(m)
  const { signal } = event
  if (signal._tag === "CompactEnded") return letGoIfOver(m, TurnFailures.renewed(m.failures, "compacted"))
  if (signal._tag !== "SessionStarted") return stay(m)
  switch (signal.source) {
    case "startup":
    case "clear":
      return letGoIfOver(m, TurnFailures.renewed(m.failures, "empty"))
    case "resume":
      return letGoIfOver(m, TurnFailures.renewed(m.failures, "resumed"))
    default:
      return stay(m)
  }
}

const letGoIfOver = (m: Delivery, failures: TurnFailures.TurnFailures): DeliveryMove =>
  failures === m.failures ? stay(m) : failures.pause === null ? letGo(m, failures) : stay({ ...m, failures })
