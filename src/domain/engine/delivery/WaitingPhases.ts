import { begin, cleanUp } from "./attempts.ts"
import { boxShows, canPutBack, draftOf, isBoxFree, isDrawnOtherwise, mayBeTyped, quietFrom, userDraft } from "./Box.ts"
import { isPrompt } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import { announce, type Delivery, entryOf, holdMessage, isQueued, nameOf, record, stay } from "./DeliveryMemory.ts"
import { overBudgetAt, unprovenAt } from "./HookGuard.ts"
import { holdKeys } from "./HeldKeys.ts"
import { holdsAnswer, noAnswer } from "./LateAnswer.ts"
import type { LateText, Uncertain, Waiting } from "./Phase.ts"
import { moved, type Transition, waits, waitsAside } from "./Transition.ts"
import type { Moments } from "./Waits.ts"
import { pauseAt } from "../failure/TurnFailures.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { conditionsDue, metConditions } from "../queue/conditions.ts"
import { deliveredText } from "../queue/MessageText.ts"
import { next } from "../queue/Queue.ts"

/** The next message of the queue in its phase; null for none. */
export const waitingOf = (m: Delivery): Waiting | null => {
  const id = next(m.queue)?.message.id
  return id === undefined ? null : m.waiting?.id === id ? m.waiting : { _tag: "Waiting", id, since: null }
}

/** Begins the delivery of the next message once that has been possible for long enough. */
export const offer = (input: InputProtocol, m: Delivery, phase: Waiting, moments: Moments): Transition => {
  const { id } = phase
  const entry = entryOf(m, id)
  if (entry === null || !mayBeTyped(m, entry)) {
    const waiting = { ...m, waiting: { ...phase, since: null } }
    const isBoxTaken = entry?.message.force === true && isBoxFree(m.evidence) && !canPutBack(userDraft(m) ?? "\n")
    if (!isBoxTaken)
      return waits(
        waiting,
        unprovenAt(m.guard) !== null
          ? "an event of its CLI's hooks"
          : pauseAt(m.failures, m.evidence.at) !== null
            ? "what the queue waits for since a turn failed"
            : overBudgetAt(m.guard) === null
              ? "the session to be ready"
              : "room in a budget"
      )
    const why = `${nameOf(m, id)} waits: the box holds text of yours that could not be put back`
    return m.announcedWait === id
      ? waits(waiting, "a box that could be put back")
      : moved(announce({ ...waiting, announcedWait: id }, why))
  }
  const since = phase.since ?? m.evidence.at
  return mayGoNow(m, since, moments)
    ? moved(begin(m, id, deliveredText(entry.message, input)))
    : waits({ ...m, waiting: { ...phase, since } }, "its time to go")
}

/** The next message may be sent now: it could have been typed `since`, the user is quiet, nothing holds it. */
const mayGoNow = ({ evidence, earliestSend: notBefore }: Delivery, since: number, { passed }: Moments): boolean =>
  passed(Math.max(since + timing.debounce, quietFrom(evidence), notBefore))

/** A turn that begins may belong to a message that went back to the queue; then the message is held. */
export const uncertainTransition = (m: Delivery, { id, seq, text }: Uncertain): Transition => {
  const { prompt, workSeq } = m.evidence
  if (workSeq <= seq && (prompt.seq <= seq || !isPrompt(prompt.text, text)))
    return waitsAside(m, "a turn that may be its own")
  const certain = { ...m, uncertain: null }
  return moved(isQueued(m, id) ? holdMessage(certain, id, ["turn-after-keys", "maybe-sent"]) : stay(certain))
}

/** Removes the text of an earlier attempt when that text finally appears in the box. */
export const lateTextTransition = (input: InputProtocol, m: Delivery, late: LateText, moments: Moments): Transition => {
  // Later keys of the user's may have sent the text, so the box now contains the user's.
  if (m.evidence.userKeys !== late.userKeys) {
    const gone = { ...m, lateText: null }
    return moved(isQueued(m, late.id) ? holdMessage(gone, late.id, ["key-before-text", "maybe-sent"]) : stay(gone))
  }
  const isShown = boxShows(input, m, late.text) || isDrawnOtherwise(draftOf(m), late.text)
  if (!isBoxFree(m.evidence) || !isShown) return waitsAside(m, "its text to show late")
  const shownAt = late.shownAt ?? m.evidence.at
  return moments.passed(shownAt + timing.debounce)
    ? moved(cleanUp(input, m, late, "took text of an earlier attempt out of the box"))
    : waits({ ...m, lateText: { ...late, shownAt } }, "the text that showed late to stand still")
}

/**
 * Removes keys of an answer that came too late for their dialog from the box. The user's keys are held first, so that a
 * key on its way is seen before anything is cleared. Null if there are none.
 */
export const lateAnswerTransition = (input: InputProtocol, m: Delivery, moments: Moments): Transition | null => {
  const { evidence: e, lateAnswer } = m
  const { heldAt } = lateAnswer
  if (e.exited) return heldAt === null ? null : moved(holdKeys({ ...m, lateAnswer: noAnswer }, false))
  if (!holdsAnswer(lateAnswer, e, m.queue))
    return heldAt === null
      ? null
      : moved(holdKeys({ ...m, lateAnswer: { ...lateAnswer, since: null, heldAt: null } }, false))
  const since = lateAnswer.since ?? e.at
  if (!moments.passed(since + timing.answerShown))
    return waits({ ...m, waiting: null, lateAnswer: { ...lateAnswer, since } }, "a late answer to stand still")
  if (heldAt === null) return moved(holdKeys({ ...m, lateAnswer: { ...lateAnswer, since, heldAt: e.at } }, true))
  if (!moments.passed(heldAt + timing.answerHeld)) return waits(m, "keys of yours that are on their way")
  const text = { id: "", text: draftOf(m) ?? "" }
  const why = "took an answer out of the box that came too late for its dialog"
  return moved(cleanUp(input, { ...m, lateAnswer: noAnswer }, text, why))
}

/** Releases messages whose conditions are met. Null if there are none. */
export const conditionsTransition = (m: Delivery, { passed }: Moments): Transition | null => {
  const { at, view } = m.evidence
  const met = metConditions(m.queue, view, at)
  if (met.length > 0) return moved(record(m, met))
  const due = conditionsDue(m.queue, view, at)
  return due === null || passed(due) ? null : waitsAside(m, "what it is to wait for")
}
