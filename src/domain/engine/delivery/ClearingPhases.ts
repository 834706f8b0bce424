import { Result } from "effect"
import {
  accepted,
  announceLostDraft,
  become,
  conclude,
  drawnAnew,
  endTyping,
  fromNow,
  leaveBox,
  restore,
  withdraw
} from "./attempts.ts"
import { boxShows, draftOf } from "./Box.ts"
import { isFresh, turnBegan } from "./boxSigns.ts"
import { timing } from "./DeliveryLimits.ts"
import { andThen, type Delivery, type DeliveryMove, holdMessage, isQueued, stay, write } from "./DeliveryMemory.ts"
import { type Attempt, type BoxPhase, type Clearing, hold, requeue, type Restoring, type Withdrawing } from "./Phase.ts"
import { moved, type Transition, waits } from "./Transition.ts"
import type { Moments } from "./Waits.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { keysFor, messageKeys } from "../queue/MessageText.ts"

/** The next step of a box that is being cleared, or gets the user's draft back, while nothing covers it. */
export const clearingTransition = (
  input: InputProtocol,
  m: Delivery,
  phase: Clearing | Withdrawing | Restoring,
  moments: Moments
): Transition => {
  switch (phase._tag) {
    case "Clearing":
      return clearing(input, m, phase, moments)
    case "Withdrawing":
      return withdrawing(input, m, phase, moments)
    case "Restoring":
      return restoring(input, m, phase, moments)
  }
}

/** Types the message into the box. */
export const typeText = (input: InputProtocol, m: Delivery, attempt: Attempt): DeliveryMove => {
  const keys = messageKeys(input, attempt.text)
  if (Result.isFailure(keys)) return leaveBox(m, attempt, hold(["untypable", keys.failure]))
  // Text of an earlier attempt that has not shown yet will show before this text, so it is cleared first.
  const first = m.lateText === null ? [] : [write("clear", input.clear)]
  const typing = become(m, { _tag: "Typing", attempt, ...fromNow(m) })
  return [{ ...typing, lateText: null }, [...first, write("text", keys.success)]]
}

/** Text that remains in the cleared box may be only a trace on the screen. */
const mayBeTrace = (m: Delivery, { redrawn, since }: BoxPhase, { passed }: Moments): boolean =>
  !redrawn && draftOf(m) !== null && passed(since + timing.clearTrace)

const clearing = (input: InputProtocol, m: Delivery, phase: Clearing, moments: Moments): Transition => {
  const { passed } = moments
  const { attempt, cover, since } = phase
  const lost = { ...attempt, draft: null }
  if (cover !== null) {
    if (!passed(since + timing.afterDialog)) return waits(m, "what became of its text behind the dialog")
    const outcome = requeue(false, "dialog-first")
    return moved(
      draftOf(m) === ""
        ? andThen(conclude(m, attempt, outcome), (m) => restore(m, phase, null))
        : leaveBox(m, lost, outcome)
    )
  }
  if (isFresh(m.evidence, phase) && draftOf(m) === "") return moved(typeText(input, m, attempt))
  if (mayBeTrace(m, phase, moments)) return moved(drawnAnew(m, phase))
  if (!passed(since + timing.clear)) return waits(m, "the box to be cleared")
  return moved(leaveBox(m, lost, requeue(true, "not-cleared")))
}

const withdrawing = (input: InputProtocol, m: Delivery, phase: Withdrawing, moments: Moments): Transition => {
  const { passed } = moments
  const { attempt, cover, outcome, pressed, shownSeq, since } = phase
  const isEmpty = isFresh(m.evidence, phase) && draftOf(m) === ""
  // A slow CLI may have read Enter before the keys that clear the box: then the message was sent.
  if (isEmpty && pressed !== null && outcome?._tag === "Hold") {
    if (turnBegan(m.evidence, phase)) {
      // hooks would have reported a turn that the CLI began by itself; the screen alone does not show whose it is
      if (m.hookEnds !== "unheard") return moved(accepted(m, phase, pressed))
      const unsure = hold("turn-as-taken-out", "maybe-sent")
      return moved(andThen(conclude(m, attempt, unsure), (m) => restore(m, phase, pressed)))
    }
    if (!passed(since + timing.uncertain)) return waits(m, "a turn that shows that it was sent")
  }
  if (isEmpty)
    return moved(andThen(conclude(m, attempt, outcome, shownSeq, cover !== null), (m) => restore(m, phase, pressed)))
  // The dialog received the keys that should have cleared the box.
  if (cover !== null && boxShows(input, m, attempt.text) && passed(since + timing.afterDialog))
    return moved(withdraw(input, m, attempt, pressed, outcome))
  if (mayBeTrace(m, phase, moments)) return moved(drawnAnew(m, phase))
  if (!passed(since + timing.clear)) return waits(m, "its text to be taken out of the box")
  if (outcome === null && !isQueued(m, attempt.id)) return moved(leaveBox(m, attempt, null))
  return moved(leaveBox(m, attempt, hold(...(outcome?.why ?? (["late-text"] as const)), "not-taken-out")))
}

/** A CLI that draws nothing shows no turn either, so a message that the user's key may have sent is held. */
const holdUnsure = (m: Delivery, { attempt: { id } }: Restoring): DeliveryMove =>
  m.uncertain?.id === id && isQueued(m, id) ? holdMessage({ ...m, uncertain: null }, id, ["key-sent-undrawn"]) : stay(m)

const restoring = (input: InputProtocol, m: Delivery, phase: Restoring, moments: Moments): Transition => {
  const { passed } = moments
  const { draft } = phase.attempt
  const isOver = passed(phase.since + timing.clear)
  if (phase.written) {
    const isBack = isFresh(m.evidence, phase) && draft !== null && boxShows(input, m, draft)
    if (isBack) return moved(endTyping(m))
    return isOver ? moved(andThen(holdUnsure(m, phase), endTyping)) : waits(m, "your text to be back in the box")
  }
  // The user's keys are held again after a dialog has closed: a key that was on its way is seen before leap types.
  if (phase.cover !== null && !passed(phase.since + timing.recorded))
    return waits(m, "keys of yours that are on their way")
  const keys = draft === null ? null : keysFor(input, draft)
  if (draftOf(m) === "" && keys !== null && Result.isSuccess(keys))
    return moved([become(m, { ...phase, ...fromNow(m), written: true }), [write("restore", keys.success)]])
  if (mayBeTrace(m, phase, moments)) return moved(drawnAnew(m, phase))
  return isOver ? moved(andThen(announceLostDraft(m, draft), endTyping)) : waits(m, "your text to be back in the box")
}
