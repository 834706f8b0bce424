import { accepted, awaitLate, become, fromNow, leaveBox } from "./attempts.ts"
import { draftOf, mayBeTyped, showsTyped, isCommand } from "./Box.ts"
import { isText, pressedOf } from "./boxSigns.ts"
import { clearingTransition, typeText } from "./ClearingPhases.ts"
import { type DeliveryEvidence, isPrompt } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import { type Delivery, type DeliveryMove, entryOf, write, andThen, receipt, stay } from "./DeliveryMemory.ts"
import { holdKeys } from "./HeldKeys.ts"
import { type Attempt, type BoxPhase, hold, type Outcome, requeue, type TypingPhase } from "./Phase.ts"
import { textTransition } from "./TextPhases.ts"
import { moved, type Transition, waits } from "./Transition.ts"
import type { Moments } from "./Waits.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { asks } from "../../words/session/states.ts"

/**
 * The CLI shows a dialog or a picker over the box, or asks a question: no key may be written. A suggestion menu over
 * the message's own text does not count.
 */
const isCovered = (input: InputProtocol, m: Delivery, { attempt }: BoxPhase): boolean => {
  const { screen, view } = m.evidence
  if (screen === null || screen.dialog !== null) return true
  if (asks(view.state)) return true
  return screen.picker && !showsTyped(input, m, attempt.text)
}

/** A dialog covers the box: the user's keys go to it, and nothing is written until it is gone. */
const underCover = (m: Delivery, phase: BoxPhase): Transition => {
  const { screen, view } = m.evidence
  const { attempt, cover } = phase
  const isPicker = screen?.dialog?.opened === true || (screen?.dialog === null && screen.picker && !asks(view.state))
  const kind = isPicker && cover?.kind !== "dialog" ? "picker" : "dialog"
  if (cover?.kind === kind && !cover.gone) return waits(m, "the dialog over the box to close")
  const isOpened = phase._tag === "Submitting" && kind === "picker" && cover === null && isCommand(attempt.text)
  const under = become(m, { ...phase, cover: { kind, gone: false } })
  // a command has probably opened the view that covers the box
  const said = (m: Delivery) => (isOpened ? receipt(m, attempt.id, "typed", ["view-open"]) : stay(m))
  return moved(andThen(holdKeys(under, false), said))
}

/** The next step of the message that is being typed, as far as the evidence allows. */
export const typingTransition = (
  input: InputProtocol,
  m: Delivery,
  phase: TypingPhase,
  moments: Moments
): Transition => {
  if (m.evidence.exited) return moved(onExit(m, phase))
  switch (phase._tag) {
    case "Recording":
      return waits(m, "the log to hold its attempt")
    case "Recorded":
      return moments.passed(phase.since + timing.recorded)
        ? moved(firstByte(input, m, phase.attempt))
        : waits(m, "what came while its attempt was written")
    default:
      return withinHold(atBox(input, m, phase, moments), moments)
  }
}

/** All waits of one message may exceed the time for which keys may be held: then the message stays where it is. */
const withinHold = (verdict: Transition, { passed }: Moments): Transition => {
  if (verdict._tag === "Moved") return verdict
  const { heldAt, typing } = verdict.memory
  if (heldAt === null || typing === null || !("frames" in typing) || !passed(heldAt + timing.held)) return verdict
  const late = typing._tag === "Typing" ? awaitLate(verdict.memory, typing.attempt) : verdict.memory
  return moved(cutShort(late, typing, hold("keys-held", "in-box-maybe-sent")))
}

/** The CLI exited while the message was being typed. */
const onExit = (m: Delivery, phase: TypingPhase): DeliveryMove => {
  const { attempt } = phase
  switch (phase._tag) {
    case "Recording":
    case "Recorded":
    case "Clearing":
      return leaveBox(m, attempt, requeue(false, "exited-first"))
    case "Withdrawing":
      return leaveBox(m, attempt, phase.outcome)
    default:
      return cutShort(m, phase, hold("exited-meanwhile", "maybe-sent"))
  }
}

/** Ends the typing where it is. A message whose user's draft is being restored is finished already. */
const cutShort = (m: Delivery, phase: BoxPhase, outcome: Outcome): DeliveryMove => {
  const { attempt } = phase
  if (phase._tag !== "Restoring") return leaveBox(m, attempt, outcome)
  return leaveBox(m, phase.written ? { ...attempt, draft: null } : attempt, null)
}

/** Writes the first byte if the box is still free: changes during the write of the attempt are known by now. */
const firstByte = (input: InputProtocol, m: Delivery, attempt: Attempt): DeliveryMove => {
  const { userKeys } = m.evidence
  const entry = entryOf(m, attempt.id)
  if (entry === null || !mayBeTyped(m, entry) || userKeys !== attempt.userKeys) {
    const untouched = { ...attempt, draft: null, userKeys }
    return leaveBox(m, untouched, requeue(false, "not-ready"))
  }
  return attempt.draft === null
    ? typeText(input, m, attempt)
    : [become(m, { _tag: "Clearing", attempt, ...fromNow(m) }), [write("clear", input.clear)]]
}

/** A phase that watches the box: a cover over it, or a size that was not drawn yet, comes before its content. */
const atBox = (input: InputProtocol, m: Delivery, phase: BoxPhase, moments: Moments): Transition => {
  const { prompt } = m.evidence
  const { attemptSeq, text } = phase.attempt
  const isInBox = isText(phase) || (phase._tag === "Withdrawing" && phase.outcome !== null)
  if (isInBox && prompt.seq > Math.max(attemptSeq, m.lastMatchedPromptSeq) && isPrompt(prompt.text, text))
    return moved(accepted(m, phase, pressedOf(phase)))
  if (isCovered(input, m, phase)) return underCover(m, phase)
  const { cover } = phase
  if (cover !== null && !cover.gone)
    return moved(holdKeys(become(m, { ...phase, ...fromNow(m), cover: { ...cover, gone: true } }), true))
  const awaitsText = phase._tag === "Typing" || phase._tag === "Settling"
  const isHidden = draftOf(m) === null || (awaitsText && !showsTyped(input, m, text))
  if (isHidden && isRedrawing(m.evidence, phase.since, moments)) return waits(m, "the CLI to draw for a new size")
  return isText(phase) ? textTransition(input, m, phase, moments) : clearingTransition(input, m, phase, moments)
}

/** The terminal has another size, and the CLI may not have drawn it yet, so hidden content may still be there. */
const isRedrawing = ({ resizedAt }: DeliveryEvidence, since: number, { passed }: Moments): boolean =>
  resizedAt !== null && !passed(resizedAt + timing.redraw) && !passed(since + timing.redraws)
