import { DeliveryCommand } from "./DeliveryCommand.ts"
import type { DeliveryEvidence } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import {
  andThen,
  announce,
  type Delivery,
  type DeliveryMove,
  entryOf,
  holdMessage,
  isQueued,
  propose,
  receipt,
  record,
  stay,
  write
} from "./DeliveryMemory.ts"
import { draftOf, isCommand, showsTyped, userDraft } from "./Box.ts"
import { isBusy } from "../../words/session/states.ts"
import { holdKeys } from "./HeldKeys.ts"
import { forgotten } from "./LateAnswer.ts"
import type { Attempt, BoxPhase, LateText, Outcome, Pressed, TypingPhase } from "./Phase.ts"
import type { ReportedEnd } from "./RecentTurns.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { QueueRecord } from "../queue/Queue.ts"
import { storedCause } from "../../words/wording/deliveryWords.ts"

export const become = (m: Delivery, typing: TypingPhase): Delivery => ({ ...m, typing })

/** A phase at the box begins: its time starts now, and only later frames are evidence for it. */
export const fromNow = ({ evidence: { at, frames } }: Delivery) => ({
  since: at,
  frames,
  cover: null,
  redrawn: false
})

/** The whole screen is redrawn, and its content counts then. The phase gets no more time, because keys are held. */
export const drawnAnew = (m: Delivery, phase: BoxPhase): DeliveryMove => [
  become(m, { ...phase, frames: m.evidence.frames, redrawn: true }),
  [DeliveryCommand.cases.Redraw.make({})]
]

const attemptAt = ({ evidence: { seq, userKeys } }: Delivery, id: string, text: string): Attempt => ({
  id,
  text,
  attemptSeq: seq,
  userKeys,
  ahead: false,
  untold: false,
  draft: null
})

/** The user sent a prompt, or work was shown, and no end was reported since. */
const hasUntoldTurn = ({ resumed, turns: { end, runs, statusEnd, userEnterSeq } }: DeliveryEvidence): boolean => {
  const isUntold = (told: ReportedEnd | null) =>
    userEnterSeq > (told?.seq ?? 0) ||
    // what was over at once is drawn behind its end
    [...resumed, ...runs].some(({ at }) => at > (told === null ? 0 : told.at + timing.betweenTurns))
  return isUntold(end) && isUntold(statusEnd)
}

/**
 * Begins the delivery of a message: the attempt is recorded before anything is written. The user's keys are held only
 * once it is on disk, since a disk may be slow; earlier keys are seen before the first byte.
 */
export const begin = (m: Delivery, id: string, text: string): DeliveryMove => {
  const draft = userDraft(m)
  const { turns, view } = m.evidence
  const ahead = isBusy(view.state)
  const attempt = {
    ...attemptAt(m, id, text),
    ahead,
    untold: turns.owed.length === 0 && ((ahead && turns.start.rested) || hasUntoldTurn(m.evidence)),
    draft: draft === "" ? null : draft
  }
  const recording = become(m, { _tag: "Recording", attempt })
  const lateAnswer = forgotten(m.lateAnswer)
  return propose({ ...recording, lateAnswer, uncertain: null }, [
    QueueRecord.cases.Attempted.make({ v: 1, at: m.evidence.at, id })
  ])
}

/** Clears the box of text that nobody is typing now, and announces it. */
export const cleanUp = (
  input: InputProtocol,
  m: Delivery,
  { id, text }: Pick<LateText, "id" | "text">,
  why: string
): DeliveryMove =>
  andThen(announce(m, why), (m) =>
    andThen(holdKeys({ ...m, lateText: null }, true), (m) => [
      become(m, {
        _tag: "Withdrawing",
        attempt: attemptAt(m, id, text),
        ...fromNow(m),
        pressed: null,
        shownSeq: m.evidence.seq,
        outcome: null
      }),
      [write("clear", input.clear)]
    ])
  )

/** Nothing is being typed any more, so the user's keys go to the CLI again. */
export const endTyping = (m: Delivery): DeliveryMove => holdKeys({ ...m, typing: null, waiting: null }, false)

/** The attempt is not on disk: nothing was typed, and nothing will be until the log can be written. */
export const unrecordable = (m: Delivery): DeliveryMove =>
  endTyping({ ...m, earliestSend: m.evidence.at + timing.logRetry })

/**
 * Records the outcome of a message that was not sent. Keys of the user's since the attempt may have sent it: then a
 * command is held, and another text waits until a turn would have shown. `shownSeq`: when its text was last in the box.
 * `wasCovered`: something has covered the box since, and a turn is invisible behind it.
 */
export const conclude = (
  m: Delivery,
  { id, text, userKeys }: Attempt,
  outcome: Outcome,
  shownSeq = m.evidence.seq,
  wasCovered = false
): DeliveryMove => {
  const touched = m.evidence.userKeys !== userKeys
  if (outcome === null)
    return touched && isQueued(m, id) ? holdMessage(m, id, ["key-beside-text", "maybe-sent"]) : stay(m)
  if (outcome._tag === "Hold") return holdMessage(m, id, outcome.why)
  const failures = (entryOf(m, id)?.attempts ?? 0) + 1
  if (outcome.counted && failures >= timing.maxAttempts)
    return holdMessage(m, id, [...outcome.why, ["given-up", failures]])
  if (touched && (wasCovered || isCommand(text))) return holdMessage(m, id, [...outcome.why, "key-sent"])
  const pause = Math.max(touched ? timing.uncertain : 0, outcome.counted ? (timing.backoff[failures - 1] ?? 0) : 0)
  return record(
    {
      ...m,
      uncertain: touched ? { _tag: "Uncertain", id, text, seq: shownSeq } : null,
      earliestSend: m.evidence.at + pause
    },
    [
      QueueRecord.cases.Requeued.make({
        v: 1,
        at: m.evidence.at,
        id,
        counted: outcome.counted,
        ...storedCause(outcome.why)
      })
    ]
  )
}

/** Announces the user's draft if it was taken out of the box and could not be restored. */
export const announceLostDraft = (m: Delivery, draft: string | null): DeliveryMove =>
  draft === null ? stay(m) : announce(m, `your unsent text could not be put back into the box: ${draft}`)

/** Ends the attempt with this outcome, and leaves the box as it is. */
export const leaveBox = (m: Delivery, attempt: Attempt, outcome: Outcome): DeliveryMove =>
  andThen(
    andThen(conclude(m, attempt, outcome), (m) => announceLostDraft(m, attempt.draft)),
    endTyping
  )

/**
 * Clears the box of the message's text; `outcome` is recorded once the box is empty. A turn that had begun before a
 * frame with the text is another's.
 */
export const withdraw = (
  input: InputProtocol,
  m: Delivery,
  attempt: Attempt,
  pressed: Pressed | null,
  outcome: Outcome
): DeliveryMove => {
  const isShown = showsTyped(input, m, attempt.text) || draftOf(m)?.includes(attempt.text) === true
  const seen = m.typing !== null && "shownSeq" in m.typing ? m.typing.shownSeq : attempt.attemptSeq
  const shownSeq = isShown ? m.evidence.screenSeq : seen
  return andThen(holdKeys(m, true), (m) => [
    become(m, { _tag: "Withdrawing", attempt, ...fromNow(m), pressed, shownSeq, outcome }),
    [write("clear", input.clear)]
  ])
}

/** The attempt's text may still show in the box. */
export const awaitLate = (m: Delivery, { id, text }: Attempt): Delivery => ({
  ...m,
  lateText: { _tag: "LateText", id, text, userKeys: m.evidence.userKeys, shownAt: null }
})

/** Restores the user's draft if there was one, else ends the typing. */
export const restore = (m: Delivery, { attempt, cover }: BoxPhase, pressed: Pressed | null): DeliveryMove =>
  attempt.draft === null
    ? endTyping(m)
    : stay(
        become(m, {
          _tag: "Restoring",
          attempt,
          ...fromNow(m),
          cover: cover?.gone === false ? cover : null,
          pressed,
          written: false
        })
      )

/** The CLI accepted the message: its receipt continues with `Submitted`. */
export const accepted = (m: Delivery, phase: BoxPhase, pressed: Pressed | null): DeliveryMove => {
  const { ahead, attemptSeq, id, text, untold } = phase.attempt
  return andThen(receipt(m, id, "submitted", null), (m) => {
    const { at, frames, ownTurnSeq, seq } = m.evidence
    const submitted = {
      _tag: "Submitted",
      id,
      text,
      ahead: ahead || ownTurnSeq > attemptSeq,
      attemptSeq,
      enterSeq: pressed?.seq ?? seq,
      enteredAt: pressed?.at ?? 0,
      submittedAt: at,
      frames,
      reported: null,
      joined: false,
      untold,
      behind: null
    } as const
    return restore({ ...m, earliestSend: 0, lastSentSeq: attemptSeq, sent: [...m.sent, submitted] }, phase, pressed)
  })
}
