import { enterStep } from "./DeliveryMemory.ts"
import { timing } from "./DeliveryLimits.ts"
import {
  andThen,
  announce,
  type Delivery,
  type DeliveryMove,
  entryOf,
  type Flight,
  holdKeys,
  holdMessage,
  isCommand,
  isQueued,
  type Outcome,
  receipt,
  record,
  stay,
  write
} from "./DeliveryMemory.ts"
import type { InputProtocol } from "../provider/InputProtocol.ts"
import { QueueRecord } from "../queue/Queue.ts"

/** Ends the flight: the user's keys go to the CLI again. */
export const endFlight = (m: Delivery): DeliveryMove => holdKeys({ ...m, flight: null, freeSince: null }, false)

/**
 * Records the outcome of a message that was not sent. Keys of the user's since the attempt may have sent it: then a
 * command is held, and another text waits until a turn would have shown.
 */
export const conclude = (m: Delivery, f: Flight): DeliveryMove => {
  const { outcome } = f
  if (outcome === null) {
    const touched = m.evidence.userKeys !== f.userKeys
    return touched && isQueued(m, f.id)
      ? holdMessage(m, f.id, "its text stood in the box when you pressed a key; it may have been sent")
      : stay(m)
  }
  if (outcome._tag === "Hold") return holdMessage(m, f.id, outcome.why)
  const failures = (entryOf(m, f.id)?.attempts ?? 0) + 1
  if (outcome.counted && failures >= timing.maxAttempts) {
    return holdMessage(m, f.id, `${outcome.why}; given up after ${failures} attempts`)
  }
  const touched = m.evidence.userKeys !== f.userKeys
  if (touched && isCommand(f.text)) return holdMessage(m, f.id, `${outcome.why}; a key of yours may have sent it`)
  const doubt = touched ? { id: f.id, text: f.text, seq: m.evidence.seq } : null
  const pause = Math.max(touched ? timing.doubt : 0, outcome.counted ? (timing.backoff[failures - 1] ?? 0) : 0)
  return record({ ...m, doubt, notBefore: m.evidence.at + pause }, [
    QueueRecord.cases.Requeued.make({ v: 1, at: m.evidence.at, id: f.id, counted: outcome.counted, why: outcome.why })
  ])
}

/** Announces the user's draft where it was taken out of the box and could not be put back. */
export const announceLostDraft = (m: Delivery, f: Flight): DeliveryMove =>
  f.draft === null || f.restored
    ? stay(m)
    : announce(m, `your unsent text could not be put back into the box: ${f.draft}`)

/** Ends the flight with this outcome, and leaves the box as it is. */
export const leaveBox = (m: Delivery, f: Flight, outcome: Outcome): DeliveryMove =>
  andThen(
    andThen(conclude(m, { ...f, outcome }), (m) => announceLostDraft(m, f)),
    endFlight
  )

/** Clears the box of the message's text; `outcome` is recorded once the box is empty. */
export const withdraw = (input: InputProtocol, m: Delivery, f: Flight, outcome: Outcome): DeliveryMove =>
  andThen(holdKeys(m, true), (m) => [
    enterStep(m, f, "withdrawing", { outcome, interrupted: null }),
    [write("clear", input.clear)]
  ])

/** Puts the user's draft back where there was one, else ends the flight. */
export const restore = (m: Delivery, f: Flight): DeliveryMove =>
  f.draft === null ? endFlight(m) : stay(enterStep(m, f, "restoring", { outcome: null }))

/** The CLI accepted the message: its receipt goes on with {@link Submitted}. */
export const accepted = (m: Delivery, f: Flight): DeliveryMove =>
  andThen(receipt(m, f.id, "submitted", null), (m) =>
    restore(
      {
        ...m,
        notBefore: 0,
        submitted: [
          ...m.submitted,
          {
            id: f.id,
            text: f.text,
            ahead: f.ahead || m.evidence.ownTurnSeq > f.attemptSeq,
            attemptSeq: f.attemptSeq,
            enterSeq: f.enterSeq === 0 ? m.evidence.seq : f.enterSeq,
            submittedAt: m.evidence.at,
            frameCount: m.evidence.frames,
            backSince: null,
            started: null,
            told: null,
            merged: false
          }
        ]
      },
      f
    )
  )
