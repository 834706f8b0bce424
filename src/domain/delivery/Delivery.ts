import { isIdlePromptVisible } from "../tracker/ArrowGate.ts"
import { DeliveryCommand, type QueueEvent } from "./DeliveryCommand.ts"
import { isPrompt, noEvidence, observe } from "./DeliveryEvidence.ts"
import { advanceFlight, begin, cleanUp, recorded, unrecordable } from "./DeliveryFlight.ts"
import { timing } from "./DeliveryLimits.ts"
import {
  andThen,
  canPutBack,
  type Delivery,
  draftOf,
  entryOf,
  holdMessage,
  isQueued,
  type DeliveryMove,
  nameOf,
  record,
  announce,
  boxShows,
  stay,
  userDraft,
  holdKeys
} from "./DeliveryMemory.ts"
import { advanceOver, advanceSubmitted } from "./DeliverySubmitted.ts"
import { noFailures, pauseAt, wakeAt as pauseEnds } from "../failure/TurnFailures.ts"
import { followConversation, followTurns, keepBack, seenToBy } from "./FailedTurns.ts"
import { holdsStray, noStrayAnswer, noteStray } from "./StrayAnswer.ts"
import type { InputProtocol } from "../provider/InputProtocol.ts"
import { deliveredText } from "../queue/MessageText.ts"
import { conditionsDue, metConditions } from "../queue/conditions.ts"
import { applyRecord, next, type QueueEntry, type QueueRecord, type QueueState } from "../queue/Queue.ts"
import type { View } from "../session/Session.ts"
import type { SessionEvent } from "../session/SessionEvent.ts"

export type { Delivery } from "./DeliveryMemory.ts"

/**
 * The memory of a delivery with no evidence yet. `at`: milliseconds since the epoch. The queue comes from a log on
 * which `holdLeftovers` has been recorded.
 */
export const start = (at: number, view: View, queue: QueueState): Delivery => ({
  evidence: noEvidence(at, view),
  queue,
  flight: null,
  submitted: [],
  over: [],
  lateText: null,
  doubt: null,
  stray: noStrayAnswer,
  failures: noFailures,
  countedEnd: null,
  freeSince: null,
  notBefore: 0,
  keysHeld: false,
  promptUsed: 0,
  retryAt: null,
  logFails: false,
  announcedWait: null
})

/** The last frame is whole and shows the box, with nothing over it. */
const isBoxFree = ({ evidence: { screen, view, whole, exited } }: Delivery): boolean =>
  !exited && whole && screen !== null && isIdlePromptVisible(screen) && !view.dialog

/** This message may be typed now. */
const isFree = (m: Delivery, { message }: QueueEntry): boolean => {
  const { at, screen, view } = m.evidence
  const draft = userDraft(m)
  if (!isBoxFree(m) || draft === null || screen === null) return false
  if (!message.force && pauseAt(m.failures, at) !== null) return false
  if (message.force) {
    const asks = view.state === "starting" || view.state === "needs_permission" || view.state === "needs_input"
    return !asks && (draft === "" || canPutBack(draft))
  }
  return view.ready && draftOf(m) === "" && !screen.working && m.submitted.length === 0
}

/** From when on the user's last key, and the last resize, are far enough back. */
const quietFrom = ({ evidence: { resizedAt, userKeyAt } }: Delivery): number =>
  Math.max(userKeyAt ?? -Infinity, resizedAt ?? -Infinity) + timing.quiet

/** With no flight under way: cleans up after earlier attempts, then offers the next message. */
const idle = (input: InputProtocol, m: Delivery): DeliveryMove => {
  const { doubt, evidence: e, lateText } = m
  const { at, userKeys } = e
  const entry = next(m.queue)
  // Keys of the user's since then may have sent the text, and what is in the box is the user's.
  if (lateText !== null && userKeys !== lateText.userKeys) {
    const why = "its text had not shown yet when you pressed a key; it may have been sent"
    return isQueued(m, lateText.id)
      ? holdMessage({ ...m, lateText: null }, lateText.id, why)
      : stay({ ...m, lateText: null })
  }
  if (doubt !== null && (e.workSeq > doubt.seq || (e.prompt.seq > doubt.seq && isPrompt(e.prompt.text, doubt.text)))) {
    const why = "a turn began after keys of yours got in between; it may have been sent"
    return isQueued(m, doubt.id) ? holdMessage({ ...m, doubt: null }, doubt.id, why) : stay({ ...m, doubt: null })
  }
  if (lateText !== null && isBoxFree(m) && boxShows(input, m, lateText.text)) {
    const since = lateText.since ?? at
    return at - since < timing.debounce ? stay({ ...m, lateText: { ...lateText, since } }) : cleanUp(input, m, lateText)
  }
  if (m.stray.heldAt !== null || holdsStray(m.stray, e, m.queue)) return takeBack(input, m)
  return entry === null ? stay({ ...m, freeSince: null }) : offer(input, m, entry)
}

/**
 * Takes keys of an answer out of the box that came too late for their dialog. The user's keys are held first, so that
 * one that is on its way is heard of before anything is cleared.
 */
const takeBack = (input: InputProtocol, m: Delivery): DeliveryMove => {
  const { evidence: e, stray } = m
  if (!holdsStray(stray, e, m.queue)) return holdKeys({ ...m, stray: { ...stray, since: null, heldAt: null } }, false)
  const since = stray.since ?? e.at
  if (e.at - since < timing.stray) return stay({ ...m, freeSince: null, stray: { ...stray, since } })
  if (stray.heldAt === null) return holdKeys({ ...m, stray: { ...stray, since, heldAt: e.at } }, true)
  return e.at - stray.heldAt < timing.strayHeld
    ? stay(m)
    : cleanUp(
        input,
        { ...m, stray: noStrayAnswer },
        { id: "", text: draftOf(m) ?? "", userKeys: e.userKeys, since },
        "took an answer out of the box that came too late for its dialog"
      )
}

/** Begins the delivery of a message once it has been possible for long enough. */
const offer = (input: InputProtocol, m: Delivery, entry: QueueEntry): DeliveryMove => {
  const { at } = m.evidence
  const { id } = entry.message
  if (!isFree(m, entry)) {
    const drafted = entry.message.force && isBoxFree(m) && m.announcedWait !== id && !canPutBack(userDraft(m) ?? "\n")
    const waiting = { ...m, freeSince: null }
    return drafted
      ? announce(
          { ...waiting, announcedWait: id },
          `${nameOf(m, id)} waits: the box holds text of yours that could not be put back`
        )
      : stay(waiting)
  }
  const since = m.freeSince?.id === id ? m.freeSince.at : at
  const due = Math.max(since + timing.debounce, quietFrom(m), m.notBefore)
  return at < due
    ? stay({ ...m, freeSince: { id, at: since } })
    : begin(m, id, deliveredText(entry.message, input), entry.message.force)
}

/** Lets messages go that have waited for something else than their turn. */
const release = (m: Delivery): DeliveryMove => {
  const { at, exited, view } = m.evidence
  const met = exited ? [] : metConditions(m.queue, view, at)
  return met.length === 0 ? stay(m) : record(m, met)
}

const advanceOnce = (input: InputProtocol, m: Delivery): DeliveryMove =>
  andThen(
    m.submitted.reduce<DeliveryMove>(
      (move, message) => andThen(move, (m) => advanceSubmitted(input, m, message)),
      m.over.reduce<DeliveryMove>((move, over) => andThen(move, (m) => advanceOver(m, over)), stay(m))
    ),
    (m) => {
      if (m.flight === null && m.evidence.exited)
        return m.stray.heldAt === null ? stay(m) : holdKeys({ ...m, stray: noStrayAnswer }, false)
      if (m.flight === null) return andThen(andThen(andThen(release(m), followTurns), keepBack), (m) => idle(input, m))
      const entry = entryOf(m, m.flight.id)
      return advanceFlight(input, m, m.flight, entry !== null && isFree(m, entry))
    }
  )

/** Advances until the evidence has no further consequence. Each round ends a step, and a delivery has few steps. */
const advance = (input: InputProtocol, m: Delivery): DeliveryMove => {
  let move: DeliveryMove = stay(m)
  for (let round = 0; round < 20; round++) {
    const before = move[0]
    move = andThen(move, (m) => advanceOnce(input, m))
    const after = move[0]
    if (
      after.flight?.step === before.flight?.step &&
      after.submitted.length === before.submitted.length &&
      after.queue === before.queue
    )
      break
  }
  return move
}

/** Puts all records of one step into one `Append`, so that they are written, or fail, together and in order. */
const together = ([m, commands]: DeliveryMove): DeliveryMove => {
  const records = commands.flatMap((command) => (command._tag === "Append" ? command.records : []))
  const first = commands.findIndex((command) => command._tag === "Append")
  const all = DeliveryCommand.cases.Append.make({ records })
  return [
    m,
    commands.flatMap((command, index): ReadonlyArray<DeliveryCommand> =>
      command._tag !== "Append" ? [command] : index === first ? [all] : []
    )
  ]
}

const retryLog = (m: Delivery): DeliveryMove =>
  m.retryAt !== null && m.evidence.at >= m.retryAt ? record(m, []) : stay(m)

/**
 * The memory and the commands after an event of the session. `view`: the classification after it. `concerns`: whether
 * what it says of a turn is about the session's own.
 */
export const step = (
  input: InputProtocol,
  m: Delivery,
  event: SessionEvent,
  view: View,
  concerns = true
): DeliveryMove =>
  together(
    andThen(
      andThen(retryLog(observed(m, event, view, concerns)), (m) => (concerns ? followConversation(m, event) : stay(m))),
      (m) => advance(input, m)
    )
  )

const observed = (m: Delivery, event: SessionEvent, view: View, concerns: boolean): Delivery => {
  const evidence = observe(m.evidence, event, view, concerns)
  const isFree = m.flight === null && m.lateText === null
  return { ...m, evidence, stray: noteStray(m.stray, event, evidence, isFree) }
}

/** The memory and the commands after a change of the queue, or the answer to an `Append`. */
export const stepQueue = (input: InputProtocol, m: Delivery, event: QueueEvent): DeliveryMove => {
  const { evidence, flight } = m
  const now = { ...m, evidence: { ...evidence, at: Math.max(evidence.at, event.at), seq: evidence.seq + 1 } }
  const isAttempt = (record: QueueRecord) => record._tag === "Attempted" && record.id === flight?.id
  const attempt = flight !== null && flight.step === "recording" && event.records.some(isAttempt)
  switch (event._tag) {
    case "QueueChanged":
      return together(
        andThen(seenToBy({ ...now, queue: event.records.reduce(applyRecord, m.queue) }, event.records), (m) =>
          advance(input, m)
        )
      )
    case "Recorded": {
      if (!attempt) return stay({ ...now, logFails: false })
      const under = { ...now, logFails: false, queue: event.records.filter(isAttempt).reduce(applyRecord, m.queue) }
      return together(andThen(recorded(under, flight), (m) => advance(input, m)))
    }
    case "NotRecorded": {
      const owed = { ...now, retryAt: now.evidence.at + timing.logRetry }
      const announced = m.logFails
        ? stay(owed)
        : announce({ ...owed, logFails: true }, `the queue's file cannot be written, so messages wait: ${event.why}`)
      return attempt ? andThen(announced, (m) => unrecordable(m)) : announced
    }
  }
}

/** The same after changes of the queue that the machine itself makes. */
export const enter = (input: InputProtocol, m: Delivery, records: ReadonlyArray<QueueRecord>): DeliveryMove =>
  together(andThen(record(m, records), (m) => advance(input, m)))

/** All durations after which a wait may end, in milliseconds from its beginning. */
const waits = [
  timing.debounce,
  timing.recorded,
  timing.echo,
  timing.mixedEcho,
  timing.settle,
  timing.menu,
  timing.submit,
  timing.resubmit,
  timing.boxGone,
  timing.clear,
  timing.afterDialog,
  timing.boxBack,
  timing.redraws,
  timing.viewStart,
  timing.noTurnCommand,
  timing.noTurn,
  timing.givenBack,
  timing.unseenTurn,
  timing.failureTold,
  timing.aheadEnd,
  timing.doubt,
  timing.stray,
  timing.strayHeld
]

/**
 * When a `Tick` is needed if no event comes before, in milliseconds since the epoch; null for never. A tick that was
 * not needed has no effect.
 */
export const wakeAt = (m: Delivery): number | null => {
  const { at, busySince, exited, overSince, resizedAt, restSince } = m.evidence
  const starts = [
    m.freeSince?.at,
    m.flight?.since,
    m.lateText?.since,
    m.stray.since,
    m.stray.heldAt,
    ...m.submitted.flatMap(({ backSince, started, submittedAt }) => [
      submittedAt,
      backSince,
      started?.at,
      busySince,
      overSince,
      restSince
    ])
  ]
  const moments = starts.flatMap((since) => (typeof since === "number" ? waits.map((wait) => since + wait) : []))
  if (next(m.queue) !== null && m.flight === null) moments.push(quietFrom(m), m.notBefore)
  if (resizedAt !== null && m.flight !== null) moments.push(resizedAt + timing.redraw)
  const pause = pauseEnds(m.failures, at)
  if (pause !== null) moments.push(pause)
  const conditions = conditionsDue(m.queue, m.evidence.view, at)
  if (conditions !== null) moments.push(conditions)
  const due = [...(exited ? [] : moments), ...(m.retryAt === null ? [] : [m.retryAt])].filter((moment) => moment > at)
  return due.length === 0 ? null : Math.min(...due)
}
