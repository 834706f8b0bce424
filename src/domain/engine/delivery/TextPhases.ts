import { accepted, awaitLate, become, drawnAnew, fromNow, leaveBox, withdraw } from "./attempts.ts"
import { boxShows, draftOf, isCommand, isDrawnOtherwise, refusalOf, showsTyped, userPart } from "./Box.ts"
import { isFresh, isTouched, pressedOf, turnBegan } from "./boxSigns.ts"
import { isBusy } from "../../words/session/states.ts"
import { withEnter } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import { andThen, type Delivery, type DeliveryMove, receipt, stay, write } from "./DeliveryMemory.ts"
import { hold, requeue, type Settling, type Submitting, type TextPhase, type Typing } from "./Phase.ts"
import { moved, type Transition, waits } from "./Transition.ts"
import type { Moments } from "./Waits.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"
import { isUnsettled } from "../../words/reading/TextShape.ts"

/** The next step of a message whose text is in the box, or on its way there, while nothing covers the box. */
export const textTransition = (input: InputProtocol, m: Delivery, phase: TextPhase, moments: Moments): Transition => {
  if (phase.cover !== null) return afterDialog(input, m, phase, moments)
  switch (phase._tag) {
    case "Typing":
      return typing(input, m, phase, moments)
    case "Settling":
      return settling(input, m, phase, moments)
    case "Submitting":
      return submitting(input, m, phase, moments)
  }
}

const typing = (input: InputProtocol, m: Delivery, phase: Typing, moments: Moments): Transition => {
  const { attempt, since } = phase
  const draft = draftOf(m)
  const settle = (shownAs: string): DeliveryMove =>
    andThen(receipt(m, attempt.id, "typed", null), (m) =>
      stay(become(m, { _tag: "Settling", attempt, ...fromNow(m), shownAs, padded: false, pressed: null }))
    )
  if (draft !== null && isFresh(m.evidence, phase) && boxShows(input, m, attempt.text)) return moved(settle(draft))
  // A text that the CLI measures differently may never show exactly. The box was empty, and has received nothing else.
  const isUntouched = isFresh(m.evidence, phase) && m.evidence.whole && !isTouched(m.evidence, phase)
  if (
    isUntouched &&
    draft !== null &&
    draft !== "" &&
    isUnsettled(attempt.text) &&
    moments.passed(since + timing.unlike)
  ) {
    if (isDrawnOtherwise(draft, attempt.text)) return moved(settle(draft))
    if (!phase.redrawn) return moved(drawnAnew(m, phase))
  }
  const timeout = isTouched(m.evidence, phase) ? timing.mixedEcho : timing.echo
  return moments.passed(since + timeout) ? notDisplayed(input, m, phase, moments) : waits(m, "its text to show")
}

/** After such a text a CLI may offer to complete its last word: the name of a command or a file. */
const mayComplete = (text: string): boolean => /^\/\S*$|(?:^|\s)[@#$]\S*$/.test(text)

const settling = (input: InputProtocol, m: Delivery, phase: Settling, moments: Moments): Transition => {
  const e = m.evidence
  const { attempt, padded, pressed, since } = phase
  const isShown = showsTyped(input, m, attempt.text)
  if (!attempt.ahead && Math.max(e.workSeq, e.ownTurnSeq) > attempt.attemptSeq && isShown) {
    const outcome = pressed === null ? requeue(false, "turn-by-itself") : hold("turn-by-itself")
    return moved(withdraw(input, m, attempt, pressed, outcome))
  }
  if (!isShown || !e.whole)
    return moments.passed(since + timing.mixedEcho)
      ? notDisplayed(input, m, phase, moments)
      : waits(m, "its text to stand still")
  if (!moments.passed(since + timing.settle)) return waits(m, "its text to stand still")
  const isTyped = input.typed?.(attempt.text) === true
  if (
    isTyped ? e.screen?.offered === attempt.text : e.screen?.picker !== true && (padded || !mayComplete(attempt.text))
  ) {
    const next: Submitting = {
      ...phase,
      ...fromNow(m),
      _tag: "Submitting",
      attempt: { ...attempt, ahead: isBusy(e.view.state) && attempt.ahead },
      pressed: { seq: pressed?.seq ?? e.seq, at: pressed?.at ?? e.at, times: (pressed?.times ?? 0) + 1 },
      shownSeq: e.screenSeq
    }
    const evidence = pressed === null ? withEnter(e, !next.attempt.ahead) : e
    return moved([become({ ...m, evidence }, next), [write("submit", input.submit)]])
  }
  if (isTyped) {
    if (!moments.passed(since + timing.menu)) return waits(m, "the menu over its text to offer it")
    return moved(withdraw(input, m, attempt, pressed, hold(["unknown-command", attempt.text])))
  }
  // A blank ends the word that a suggestion menu would complete, without changing the message's meaning. leap adds it
  // without waiting for a menu, because a menu that opens late would take Enter.
  if (!padded) return moved([become(m, { ...phase, ...fromNow(m), padded: true }), [write("pad", " ")]])
  if (!moments.passed(since + timing.menu)) return waits(m, "the menu over its text to close")
  return moved(withdraw(input, m, attempt, pressed, hold("menu-stayed")))
}

/**
 * A turn that has begun is this message's. If the user's keys may have emptied the box and only the screen shows the
 * turn, the CLI may have begun it by itself; hooks would have reported that.
 */
const isProof = (m: Delivery, phase: Submitting): boolean =>
  turnBegan(m.evidence, phase) && (!isTouched(m.evidence, phase) || m.hookEnds !== "unheard")

const submitting = (input: InputProtocol, m: Delivery, phase: Submitting, { passed }: Moments): Transition => {
  const e = m.evidence
  const { attempt, pressed, shownAs, shownSeq, since } = phase
  const draft = draftOf(m)
  const isShown = showsTyped(input, m, attempt.text)
  const touched = isTouched(e, phase)
  if (isFresh(e, phase)) {
    if (draft === "" && !touched) return moved(accepted(m, phase, pressed))
    // A box that a resize removed from the screen may still contain its text.
    const isGone = draft === null && e.resizedSeq <= shownSeq
    if (isGone && passed(since + timing.boxGone)) return moved(accepted(m, phase, pressed))
    // A sign of work is no proof while the text is in the box: the turn may be another's.
    if (isProof(m, phase) && (isGone || draft?.includes(shownAs) === false)) return moved(accepted(m, phase, pressed))
  }
  const isLastEnter = pressed.times >= timing.maxEnters
  if (!passed(since + (isLastEnter || draft === "" ? timing.submit : timing.resubmit))) {
    const isThere = draft?.includes(shownAs) === true
    return waits(isThere ? become(m, { ...phase, shownSeq: e.screenSeq }) : m, "its text to leave the box")
  }
  const refusal = refusalOf(m, attempt.text, pressed.seq)
  if (isShown && e.whole && !touched && !isLastEnter && refusal === null)
    return moved(stay(become(m, { ...phase, _tag: "Settling", ...fromNow(m) })))
  if (isShown)
    return moved(
      withdraw(input, m, attempt, pressed, refusal === null ? hold("enter-failed", "taken-out") : hold(refusal))
    )
  if (draft === null)
    return moved(leaveBox(touched ? m : awaitLate(m, attempt), attempt, hold("box-gone-after", "maybe-sent")))
  if (draft === "") return moved(leaveBox(m, attempt, hold("key-emptied", "maybe-sent")))
  return moved(
    touched ? leaveBox(m, attempt, hold("mixed", "in-box")) : withdraw(input, m, attempt, pressed, otherAfterEnter)
  )
}

/** The dialog is gone, and the screen shows the text's state. Enter is never pressed without typing the text again. */
const afterDialog = (input: InputProtocol, m: Delivery, phase: TextPhase, moments: Moments): Transition => {
  const { attempt, cover, since } = phase
  const draft = draftOf(m)
  const unsure = () => moved(leaveBox(m, attempt, hold("dialog-meanwhile", "maybe-sent")))
  if (draft === null) return moments.passed(since + timing.boxBack) ? unsure() : waits(m, "a box to come back")
  if (!moments.passed(since + timing.afterDialog)) return waits(m, "what became of its text behind the dialog")
  if (!m.evidence.whole) return waits(m, "a whole frame")
  if (showsTyped(input, m, attempt.text))
    return moved(withdraw(input, m, attempt, pressedOf(phase), requeue(false, "dialog-meanwhile")))
  const touched = isTouched(m.evidence, phase)
  if (phase._tag === "Submitting" && !draft.includes(phase.shownAs)) {
    // The user's keys may have emptied the box. Then only a sign of work, or the picker of a command, is proof.
    const isOpened = isCommand(attempt.text) && cover?.kind === "picker"
    if (isProof(m, phase) || (draft === "" && (!touched || isOpened))) return moved(accepted(m, phase, phase.pressed))
  }
  return draft === "" && (phase._tag !== "Typing" || touched) ? unsure() : notDisplayed(input, m, phase, moments)
}

/** The box does not show the text as it was typed. */
const notDisplayed = (input: InputProtocol, m: Delivery, phase: TextPhase, moments: Moments): Transition => {
  const { attempt, since } = phase
  const draft = draftOf(m)
  const touched = isTouched(m.evidence, phase)
  const hasShown = phase._tag !== "Typing"
  const late = awaitLate(m, attempt)
  // A box that is not on the screen may still contain the text.
  if (draft === null && hasShown) {
    if (!moments.passed(since + timing.boxBack)) return waits(m, "a box to come back")
    return moved(leaveBox(touched ? m : late, attempt, hold("box-gone", "maybe-sent")))
  }
  if (draft === null || draft === "") {
    if (hasShown || touched) return moved(leaveBox(m, attempt, hold("left-box", "maybe-sent-by-key")))
    return moved(leaveBox(late, attempt, requeue(true, "not-shown")))
  }
  const part = userPart(draft, attempt.text)
  if (part !== null) {
    // if the box shows leap's text twice, neither is the user's
    const kept = input.showsPasted(part, attempt.text) ? attempt.draft : part
    return moved(withdraw(input, m, { ...attempt, draft: kept }, pressedOf(phase), requeue(!touched, "other-text")))
  }
  if (touched) return moved(leaveBox(m, attempt, hold("mixed", "in-box-unsent")))
  const pressed = pressedOf(phase)
  const outcome = pressed === null ? requeue(true, "shown-otherwise") : otherAfterEnter
  return moved(withdraw(input, m, attempt, pressed, outcome))
}

/** Once Enter has been pressed, a message is never typed again unless its text is seen in the box. */
const otherAfterEnter = hold("shown-otherwise-after", "maybe-sent")
