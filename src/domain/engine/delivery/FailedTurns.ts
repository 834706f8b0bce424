import {
  andThen,
  announce,
  type CountedTurnEnd,
  type Delivery,
  type DeliveryMove,
  type FailedTurn,
  nameOf,
  record,
  stay
} from "./DeliveryMemory.ts"
import { timing } from "./DeliveryLimits.ts"
import type { EndedTurn, SentMessage } from "./Phase.ts"
import { lastEnd } from "./ReportedTurns.ts"
import { sharedEnd } from "./TurnEnds.ts"
import { isAtRest, letGo, failurePauseTransition } from "./FailurePause.ts"
import { moved, type Transition, waits } from "./Transition.ts"
import type { Moments } from "./Waits.ts"
import * as TurnFailures from "../failure/TurnFailures.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"
import { because } from "../../words/wording/causeWords.ts"
import { deliveryWords } from "../../words/wording/deliveryWords.ts"
import { failureOf } from "../../words/session/failedMessage.ts"
import { find, isFailed, QueueRecord, waiting } from "../queue/Queue.ts"
import type { Problem } from "../../words/session/Session.ts"

/** The problem as the session shows it, or as reported with that failure; else as the failure's own text says it. */
const problemIn = ({ evidence: { told, view } }: Delivery, failure: string): Problem =>
  view.problem ?? (told?.failure === failure ? told.problem : null) ?? problemOf(failure)

/**
 * The model has surely done nothing in this turn, nor in that of a message that is held because of an earlier one: that
 * message would be released with this turn's.
 */
const isUntouched = ({ evidence, failures, queue }: Delivery, { actsAfter, id }: FailedTurn): boolean =>
  actsAfter !== null &&
  evidence.modelSeq < actsAfter &&
  !waiting(queue).some(
    ({ message }) =>
      message.id !== id &&
      message.status === "held" &&
      isFailed(message) &&
      failures.pause?.keptBack.includes(message.id) === true
  )

/** The turn of a message. Signs of other turns behind its attempt count as signs of its own. */
const turnOf = ({ attemptSeq, id, reported }: Pick<SentMessage, "attemptSeq" | "id" | "reported">): FailedTurn => ({
  id,
  actsAfter: reported === null ? null : attemptSeq
})

/** The last turn of the user's own. */
const ownTurn = ({ evidence: { turns } }: Delivery): FailedTurn => ({
  id: null,
  actsAfter: turns.start.seq > turns.userEnterSeq ? turns.start.seq : null
})

/**
 * Counts a failed turn, added to the failures before it, and applies the effect on its message. If the queue no longer
 * waits for the user, messages held for that become ordinary ones.
 */
const count = (
  m: Delivery,
  before: TurnFailures.TurnFailures,
  failure: string,
  turn: FailedTurn,
  hasMessage = turn.id !== null,
  start = m.evidence.turns.start.seq
): DeliveryMove => {
  const { id } = turn
  const { at, seq } = m.evidence
  const problem = problemIn(m, failure)
  const keptBack = m.failures.pause?.keptBack ?? []
  const [failed, verdict] = TurnFailures.failed(before, problem, at, id !== null, isUntouched(m, turn))
  const beside = id !== null && keptBack.includes(id) ? null : TurnFailures.pauseKeptForUser(before, failed)
  const met = beside ?? failed
  const failures = id === null ? met : TurnFailures.withCutOff(met, id, problem)
  const counted: Delivery = { ...m, lastCountedTurnEnd: { ...turn, seq, start, before } }
  const { pause } = failures
  return andThen(
    beside !== null
      ? stay({ ...counted, failures })
      : pause !== null && pause.until === null
        ? stay({ ...counted, failures: { ...failures, pause: { ...pause, keptBack } } })
        : letGo(counted, failures),
    (m) => (id !== null && hasMessage ? applyFailure(m, id, failure, verdict) : stay(m))
  )
}

const toldOf = (failure: string) => ({ ...because({ _tag: "TurnFailed", failure }), outcome: "failed" }) as const

/** The effect of a failed turn on its message, which is wherever its last record has put it. */
const applyFailure = (m: Delivery, id: string, failure: string, verdict: TurnFailures.Verdict): DeliveryMove => {
  const { at } = m.evidence
  const told = toldOf(failure)
  const ending = (status: "done" | "held") => QueueRecord.cases.StatusChanged.make({ v: 1, at, id, status, ...told })
  const back = QueueRecord.cases.Requeued.make({ v: 1, at, id, counted: false, ...told })
  switch (verdict) {
    case "finished":
      return record(m, [ending("done")])
    case "queued":
      return record(m, [back])
    case "held":
      return andThen(record(m, [back, ending("held")]), (m) =>
        announce({ ...m, failures: TurnFailures.keptBack(m.failures, [id]) }, `${nameOf(m, id)} is held: ${told.why}`)
      )
  }
}

/**
 * A message's turn failed: the message goes back into the queue, unless the failure is its own. `reported`: the
 * beginning of its turn, as the CLI reported it; null: not reported. A turn of two messages is one failure.
 */
export const messageFailed = (
  m: Delivery,
  message: Pick<SentMessage, "attemptSeq" | "id" | "reported" | "behind">,
  failure: string,
  turn = turnOf(message)
): DeliveryMove => {
  const { lastCountedTurnEnd: countedEnd, evidence } = m
  const { id, reported } = message
  if (countedEnd === null || sharedEnd(evidence.turns, message) === null)
    return count(m, m.failures, failure, turn, true, reported ?? undefined)
  const problem = problemIn(m, failure)
  const [, verdict] = TurnFailures.failed(countedEnd.before, problem, evidence.at, true, isUntouched(m, turn))
  return applyFailure({ ...m, failures: TurnFailures.withCutOff(m.failures, id, problem) }, id, failure, verdict)
}

/** Records for messages that are back in the queue but were answered nevertheless. */
const answeredAfterAll = (
  { evidence: { at }, queue }: Delivery,
  ids: ReadonlyArray<string>,
  why: string | null
): ReadonlyArray<typeof QueueRecord.cases.StatusChanged.Type> =>
  queue.entries
    // an attempt removes the facts of the previous turn
    .filter(({ message }) => isFailed(message) && ids.includes(message.id))
    .map(({ message: { id } }) =>
      QueueRecord.cases.StatusChanged.make({ v: 1, at, id, status: "done", why, outcome: "completed" })
    )

/** Messages that the limit cut off: their prompts are in the conversation, which continues. */
const goneOn = (m: Delivery) => answeredAfterAll(m, m.failures.cutOff, deliveryWords(["gone-on"]))

/** A message of the queue was answered. leap's own continuation continues the messages that the limit cut off. */
export const messageAnswered = (m: Delivery, id: string): DeliveryMove => {
  if (find(m.queue, id)?.message.night !== true) return turnAnswered(m, id, [])
  const gone = goneOn(m)
  const ids = gone.map((record) => record.id)
  const ended = m.ended.map((turn) => (turn.id === id ? { ...turn, goneOn: ids } : turn))
  return turnAnswered({ ...m, ended }, id, gone)
}

/** A message's turn failed after all, so the messages that its answer seemed to answer go back with it. */
export const messageFailedAfterAll = (m: Delivery, message: EndedTurn, failure: string): DeliveryMove => {
  const others = message.goneOn.filter((id) => find(m.queue, id)?.message.status === "done")
  const { at } = m.evidence
  const told = toldOf(failure)
  const back = others.map((id) => QueueRecord.cases.Requeued.make({ v: 1, at, id, counted: false, ...told }))
  const cutOff = [...m.failures.cutOff, ...others]
  const turn = others.length === 0 ? turnOf(message) : { id: message.id, actsAfter: null }
  return andThen(messageFailed(m, message, failure, turn), (m) =>
    others.length === 0 ? stay(m) : record({ ...m, failures: { ...m.failures, cutOff } }, back)
  )
}

/** A turn that belongs to no message was answered: the user's own prompt, or the CLI's own continuation. */
const ownTurnAnswered = (m: Delivery): DeliveryMove => {
  const { afterLimit, start } = m.evidence.turns
  const isContinuation = (goesOnWithIt(m) && afterLimit.start === start.seq) || hasShownToGoOn(m)
  const gone = isContinuation ? goneOn(m) : []
  if (gone.length > 0) return turnAnswered(m, null, gone)
  // A failed turn continued and came to its own end.
  const id = isCountedTurn(m) ? (m.lastCountedTurnEnd?.id ?? null) : null
  return turnAnswered(m, id, id === null ? [] : answeredAfterAll(m, [id], null))
}

/**
 * Since the failure the screen has said that the CLI continues by itself, and no longer says so. A turn of background
 * work removes that row too, so none may have begun since. After an Enter of the user's the row may stay for a while,
 * and then it proves nothing.
 */
const hasShownToGoOn = ({ continuesSeq, lastCountedTurnEnd: countedEnd, evidence }: Delivery): boolean => {
  const { ownTurnSeq, screen, turns } = evidence
  const failedSeq = countedEnd?.seq ?? Infinity
  return (
    continuesSeq > Math.max(failedSeq, ownTurnSeq) && screen?.continues === undefined && turns.userEnterSeq < failedSeq
  )
}

/** The CLI has reported that it continues the cut off work after a limit, and nothing has failed since. */
const goesOnWithIt = ({ lastCountedTurnEnd: countedEnd, evidence }: Delivery): boolean =>
  evidence.turns.afterLimit.start > (countedEnd?.seq ?? 0)

/** If the turn that continues the cut off work has ended, the messages that the limit cut off are answered. */
const goneOnAfterLimit = (m: Delivery): Transition | null => {
  const gone = m.evidence.turns.afterLimit.ended && goesOnWithIt(m) ? goneOn(m) : []
  return gone.length === 0 ? null : moved(record(m, gone))
}

/** The CLI's present or last work is the turn whose end was counted: it has reported no beginning since. */
const isCountedTurn = ({ lastCountedTurnEnd: countedEnd, evidence: { turns } }: Delivery): boolean =>
  countedEnd !== null &&
  turns.start.seq > 0 &&
  countedEnd.start === turns.start.seq &&
  turns.userEnterSeq < countedEnd.seq

/**
 * A turn was answered: messages that waited because of an understood failure are sent. If the failure was not
 * understood, another message's answer says nothing about the failed one, which still waits for the user. `id`:
 * the answered message, null for none; `gone`: its meaning for messages in the queue.
 */
const turnAnswered = (m: Delivery, id: string | null, gone: ReadonlyArray<QueueRecord>): DeliveryMove => {
  const { seq, turns } = m.evidence
  const countedEnd = { ...ownTurn(m), seq, start: turns.start.seq, before: m.failures }
  const failures = TurnFailures.answered(m.failures)
  const { pause } = m.failures
  if (gone.length > 0) return andThen(record(m, gone), (m) => turnAnswered(m, id, []))
  const isUnderstood = pause !== null && TurnFailures.isUnderstood(pause.problem)
  const isItself = id !== null && pause?.keptBack.includes(id) === true
  const counted = { ...m, lastCountedTurnEnd: countedEnd, continuesSeq: 0 }
  return isUnderstood || isItself ? letGo(counted, failures) : stay({ ...counted, failures })
}

/** A further report about an end that is counted already: the reason of its failure, or that it failed. */
const amend = (m: Delivery, { actsAfter, before, id }: CountedTurnEnd, failure: string): DeliveryMove => {
  const entry = id === null ? null : find(m.queue, id)
  // A message that was sent again, or removed, is not changed.
  const isThere = entry !== null && isFailed(entry.message)
  const problem = problemIn(m, failure)
  if (m.failures.pause?.problem.kind === problem.kind && m.failures.pause.problem.message === problem.message)
    return stay(m)
  return count(m, before, failure, { actsAfter, id }, isThere)
}

/**
 * Turns that belong to no message in delivery: the CLI's reports show how they end, once the session rests. Null if
 * nothing follows and nothing is waited for.
 */
export const failedTurnsTransition = (m: Delivery, moments: Moments): Transition | null =>
  goneOnAfterLimit(m) ?? ownTurnEnded(m, moments) ?? touchedAfterAll(m) ?? failurePauseTransition(m, moments)

/** A late report shows that the model had done something in the turn that is to be tried again: its message is held. */
const touchedAfterAll = (m: Delivery): Transition | null => {
  const { evidence, failures, lastCountedTurnEnd: countedEnd } = m
  const pause = TurnFailures.pauseAt(failures, evidence.at)
  if (pause === null || pause.until === null || countedEnd === null || !TurnFailures.isEndless(pause.problem))
    return null
  const { actsAfter, id, start } = countedEnd
  const message = id === null ? undefined : find(m.queue, id)?.message
  if (actsAfter === null || evidence.modelSeq < actsAfter || evidence.turns.start.seq !== start) return null
  if (message?.status !== "queued" || m.typing !== null) return null
  const failure = failureOf(message)
  if (failure === null) return null
  return moved(
    applyFailure({ ...m, failures: { ...failures, pause: { ...pause, until: null } } }, message.id, failure, "held")
  )
}

/** The CLI continued as the screen had announced, and reported this turn's end but not its beginning. */
const hasGoneOnUntold = (m: Delivery): boolean => {
  const { turns, workSeq } = m.evidence
  const { end, statusEnd } = turns
  const last = m.lastCountedTurnEnd?.seq ?? 0
  // a report while the screen still says so, or earlier, only closes the failed turn
  const since = Math.max(workSeq, m.continuesSeq)
  const isEndTold =
    (end !== null && end.closedSeq > since) ||
    (statusEnd !== null && statusEnd.failure === null && statusEnd.seq > Math.max(last, m.continuesSeq))
  return isEndTold && workSeq > last && isCountedTurn(m) && hasShownToGoOn(m) && goneOn(m).length > 0
}

const ownTurnEnded = (m: Delivery, { passed }: Moments): Transition | null => {
  const { lastCountedTurnEnd: countedEnd } = m
  const { overSince, prompt, turns, view, workSeq } = m.evidence
  if (!isAtRest(m)) return null
  if (hasGoneOnUntold(m)) return moved(ownTurnAnswered(m))
  const end = lastEnd(turns, workSeq)
  const last = countedEnd?.seq ?? 0
  if (end !== null && end.seq > last) {
    if (end.failure === null) return moved(ownTurnAnswered(m))
    if (view.problem === null && !passed((overSince ?? 0) + timing.failureTold)) return waits(m, "why a turn failed")
    const isEarly = turns.early.some(({ seq }) => seq === end.seq)
    const isSame = countedEnd !== null && countedEnd.start === turns.start.seq && workSeq <= countedEnd.seq && !isEarly
    return moved(
      isSame
        ? amend({ ...m, lastCountedTurnEnd: { ...countedEnd, seq: m.evidence.seq } }, countedEnd, end.failure)
        : count(m, m.failures, end.failure, ownTurn(m))
    )
  }
  const began = Math.max(workSeq, turns.start.seq, prompt.seq)
  if (end === null && view.problem !== null && began > last && !isCountedTurn(m))
    return moved(count(m, m.failures, view.problem.message, ownTurn(m)))
  return null
}
