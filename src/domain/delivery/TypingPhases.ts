import { Result } from "effect"
import {
  accepted,
  announceLostDraft,
  become,
  conclude,
  endTyping,
  fromNow,
  leaveBox,
  restore,
  withdraw
} from "./attempts.ts"
import { boxShows, draftOf, isCommand, mayBeTyped, userPart } from "./Box.ts"
import { type DeliveryEvidence, isBusy, isPrompt } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import { andThen, type Delivery, type DeliveryMove, entryOf, isQueued, receipt, stay, write } from "./DeliveryMemory.ts"
import { holdKeys } from "./HeldKeys.ts"
import type {
  Attempt,
  BoxPhase,
  Clearing,
  Pressed,
  Restoring,
  Settling,
  Submitting,
  TextPhase,
  Typing,
  TypingPhase,
  Withdrawing
} from "./Phase.ts"
import { moved, type Moments, type Verdict, waits } from "./Waits.ts"
import type { InputProtocol } from "../provider/InputProtocol.ts"
import { keysFor, messageKeys } from "../queue/MessageText.ts"
import type { View } from "../session/Session.ts"

/** What becomes of the message that is being typed, as far as the evidence allows. */
export const typingTransition = (input: InputProtocol, m: Delivery, phase: TypingPhase, moments: Moments): Verdict => {
  if (m.evidence.exited) return moved(onExit(m, phase))
  switch (phase._tag) {
    case "Recording":
      return waits(m, "the log to hold its attempt")
    case "Recorded":
      return moments.passed(phase.since + timing.recorded)
        ? moved(firstByte(input, m, phase.attempt))
        : waits(m, "what came while its attempt was written")
    default:
      return atBox(input, m, phase, moments)
  }
}

/** The CLI exited while the message was being typed. */
const onExit = (m: Delivery, phase: TypingPhase): DeliveryMove => {
  const { attempt } = phase
  switch (phase._tag) {
    case "Recording":
    case "Recorded":
    case "Clearing":
      return leaveBox(m, attempt, { _tag: "Requeue", counted: false, why: "the CLI exited before it was typed" })
    case "Withdrawing":
      return leaveBox(m, attempt, phase.outcome)
    case "Restoring":
      return leaveBox(m, phase.written ? { ...attempt, draft: null } : attempt, null)
    default:
      return leaveBox(m, attempt, {
        _tag: "Hold",
        why: "the CLI exited while it was being typed; it may have been sent"
      })
  }
}

/** Writes the first byte, if the box is still free: what changed while the attempt was written is taken in by now. */
const firstByte = (input: InputProtocol, m: Delivery, attempt: Attempt): DeliveryMove => {
  const { userKeys } = m.evidence
  const entry = entryOf(m, attempt.id)
  if (entry === null || !mayBeTyped(m, entry) || userKeys !== attempt.userKeys) {
    const untouched = { ...attempt, draft: null, userKeys }
    return leaveBox(m, untouched, { _tag: "Requeue", counted: false, why: "the CLI was not ready any more" })
  }
  return attempt.draft === null
    ? typeText(input, m, attempt)
    : [become(m, { _tag: "Clearing", attempt, ...fromNow(m) }), [write("clear", input.clear)]]
}

/** Types the message into the box. */
const typeText = (input: InputProtocol, m: Delivery, attempt: Attempt): DeliveryMove => {
  const keys = messageKeys(input, attempt.text)
  if (Result.isFailure(keys)) return leaveBox(m, attempt, { _tag: "Hold", why: keys.failure })
  // Text of an earlier attempt that has not shown yet will show before this text does: it is cleared first.
  const first = m.lateText === null ? [] : [write("clear", input.clear)]
  const typing = become(m, { _tag: "Typing", attempt, ...fromNow(m) })
  return [{ ...typing, lateText: null }, [...first, write("text", keys.success)]]
}

const isText = (phase: BoxPhase): phase is TextPhase =>
  phase._tag === "Typing" || phase._tag === "Settling" || phase._tag === "Submitting"

const pressedOf = (phase: TextPhase): Pressed | null => (phase._tag === "Typing" ? null : phase.pressed)

/** A phase that looks at the box: what lies over it, and a size it is not drawn for, come before what it shows. */
const atBox = (input: InputProtocol, m: Delivery, phase: BoxPhase, moments: Moments): Verdict => {
  const { prompt } = m.evidence
  const { attemptSeq, text } = phase.attempt
  if (isText(phase) && prompt.seq > Math.max(attemptSeq, m.promptUsed) && isPrompt(prompt.text, text))
    return moved(accepted(m, phase, pressedOf(phase)))
  if (isCovered(input, m, phase)) return underCover(m, phase)
  const { cover } = phase
  if (cover !== null && !cover.gone)
    return moved(holdKeys(become(m, { ...phase, ...fromNow(m), cover: { ...cover, gone: true } }), true))
  const awaitsText = phase._tag === "Typing" || phase._tag === "Settling"
  const isHidden = draftOf(m) === null || (awaitsText && !boxShows(input, m, text))
  if (isHidden && isRedrawing(m.evidence, phase.since, moments)) return waits(m, "the CLI to draw for a new size")
  if (isText(phase) && cover !== null) return afterDialog(input, m, phase, moments)
  switch (phase._tag) {
    case "Clearing":
      return clearing(input, m, phase, moments)
    case "Typing":
      return typing(input, m, phase, moments)
    case "Settling":
      return settling(input, m, phase, moments)
    case "Submitting":
      return submitting(input, m, phase, moments)
    case "Withdrawing":
      return withdrawing(input, m, phase, moments)
    case "Restoring":
      return restoring(input, m, phase, moments)
  }
}

/** The CLI waits for an answer of the user. */
const isAsking = ({ state }: View): boolean => state === "needs_permission" || state === "needs_input"

/**
 * The CLI shows a dialog or a picker over the box, or asks: no key may be written. A suggestion menu over the message's
 * own text does not count.
 */
const isCovered = (input: InputProtocol, m: Delivery, { attempt }: BoxPhase): boolean => {
  const { screen, view } = m.evidence
  if (screen === null || screen.dialog !== null) return true
  if (isAsking(view)) return true
  return screen.picker && !boxShows(input, m, attempt.text)
}

/** What a command's receipt says while a view, which it has most likely opened, covers the box. */
const viewOpen = "a view of the CLI's covers its box; nothing goes out until that is closed ('leap keys <tag> Esc')"

/** A dialog covers the box: the user's keys go to it, and nothing is written until it is gone. */
const underCover = (m: Delivery, phase: BoxPhase): Verdict => {
  const { screen, view } = m.evidence
  const { attempt, cover } = phase
  const isPicker = screen?.dialog === null && screen.picker && !isAsking(view)
  const kind = isPicker && cover?.kind !== "dialog" ? "picker" : "dialog"
  if (cover?.kind === kind && !cover.gone) return waits(m, "the dialog over the box to close")
  const isOpened = phase._tag === "Submitting" && kind === "picker" && cover === null && isCommand(attempt.text)
  const under = become(m, { ...phase, cover: { kind, gone: false } })
  return moved(andThen(holdKeys(under, false), (m) => (isOpened ? receipt(m, attempt.id, "typed", viewOpen) : stay(m))))
}

/** The terminal has another size, and the CLI may not have drawn for it yet: what is not on the screen may be there. */
const isRedrawing = ({ resizedAt }: DeliveryEvidence, since: number, { passed }: Moments): boolean =>
  resizedAt !== null && !passed(resizedAt + timing.redraw) && !passed(since + timing.redraws)

/** A whole frame has come since the phase began. */
const isFresh = ({ frames, whole }: DeliveryEvidence, phase: BoxPhase): boolean => whole && frames > phase.frames

const isTouched = ({ userKeys }: DeliveryEvidence, { attempt }: BoxPhase): boolean => userKeys !== attempt.userKeys

/** A turn began after Enter, and no evidence attributes it to another prompt. */
const turnBegan = ({ ownTurnSeq, workSeq }: DeliveryEvidence, { attempt }: BoxPhase, { seq }: Pressed): boolean =>
  !attempt.ahead && workSeq > seq && ownTurnSeq <= attempt.attemptSeq

/** The dialog is gone: the screen shows what became of the text. Enter is never pressed without typing it anew. */
const afterDialog = (input: InputProtocol, m: Delivery, phase: TextPhase, moments: Moments): Verdict => {
  const { attempt, cover, since } = phase
  const draft = draftOf(m)
  const why = "a dialog came up while it was being typed"
  const unsure = () => moved(leaveBox(m, attempt, { _tag: "Hold", why: `${why}; it may have been sent` }))
  if (draft === null) return moments.passed(since + timing.boxBack) ? unsure() : waits(m, "a box to come back")
  if (!moments.passed(since + timing.afterDialog)) return waits(m, "what became of its text behind the dialog")
  if (!m.evidence.whole) return waits(m, "a whole frame")
  if (boxShows(input, m, attempt.text))
    return moved(withdraw(input, m, attempt, pressedOf(phase), { _tag: "Requeue", counted: false, why }))
  const touched = isTouched(m.evidence, phase)
  if (draft === "" && phase._tag === "Submitting") {
    // The user's keys may have emptied the box. Then only a sign of work, or the picker that a command opens, is proof.
    const isOpened = isCommand(attempt.text) && cover?.kind === "picker"
    if (!touched || turnBegan(m.evidence, phase, phase.pressed) || isOpened)
      return moved(accepted(m, phase, phase.pressed))
  }
  return draft === "" && (phase._tag !== "Typing" || touched) ? unsure() : notDisplayed(input, m, phase, moments)
}

/** The box does not show the text as it was typed. */
const notDisplayed = (input: InputProtocol, m: Delivery, phase: TextPhase, moments: Moments): Verdict => {
  const { attempt, since } = phase
  const { userKeys } = m.evidence
  const draft = draftOf(m)
  const touched = isTouched(m.evidence, phase)
  const hasShown = phase._tag !== "Typing"
  const late = {
    ...m,
    lateText: { _tag: "LateText", id: attempt.id, text: attempt.text, userKeys, shownAt: null }
  } as const
  // A box that is not on the screen may hold the text still.
  if (draft === null && hasShown) {
    if (!moments.passed(since + timing.boxBack)) return waits(m, "a box to come back")
    const why = "its box left the screen before leap sent it; it may have been sent"
    return moved(leaveBox(touched ? m : late, attempt, { _tag: "Hold", why }))
  }
  if (draft === null || draft === "") {
    if (hasShown || touched) {
      const why = "it left the box before leap sent it; it may have been sent by a key of yours"
      return moved(leaveBox(m, attempt, { _tag: "Hold", why }))
    }
    return moved(leaveBox(late, attempt, { _tag: "Requeue", counted: true, why: "its text did not show in the box" }))
  }
  const part = userPart(draft, attempt.text)
  if (part !== null) {
    const kept = part === "" || input.showsPasted(part, attempt.text) ? attempt.draft : part
    const outcome = { _tag: "Requeue", counted: !touched, why: "other text got into the box" } as const
    return moved(withdraw(input, m, { ...attempt, draft: kept }, pressedOf(phase), outcome))
  }
  return moved(
    touched
      ? leaveBox(m, attempt, {
          _tag: "Hold",
          why: "it got mixed with what you typed; it was left in the box, unsent"
        })
      : withdraw(input, m, attempt, pressedOf(phase), {
          _tag: "Requeue",
          counted: true,
          why: "the box showed something else"
        })
  )
}

const clearing = (input: InputProtocol, m: Delivery, phase: Clearing, { passed }: Moments): Verdict => {
  const { attempt, cover, since } = phase
  const lost = { ...attempt, draft: null }
  if (cover !== null) {
    if (!passed(since + timing.afterDialog)) return waits(m, "what became of its text behind the dialog")
    const outcome = { _tag: "Requeue", counted: false, why: "a dialog came up before it was typed" } as const
    return moved(
      draftOf(m) === ""
        ? andThen(conclude(m, attempt, outcome), (m) => restore(m, phase, null))
        : leaveBox(m, lost, outcome)
    )
  }
  if (isFresh(m.evidence, phase) && draftOf(m) === "") return moved(typeText(input, m, attempt))
  if (!passed(since + timing.clear)) return waits(m, "the box to be cleared")
  const why = "the box could not be cleared of your text"
  return moved(leaveBox(m, lost, { _tag: "Requeue", counted: true, why }))
}

const typing = (input: InputProtocol, m: Delivery, phase: Typing, moments: Moments): Verdict => {
  const { attempt, since } = phase
  const draft = draftOf(m)
  if (draft !== null && isFresh(m.evidence, phase) && boxShows(input, m, attempt.text))
    return moved(
      andThen(receipt(m, attempt.id, "typed", null), (m) =>
        stay(become(m, { _tag: "Settling", attempt, ...fromNow(m), shownAs: draft, padded: false, pressed: null }))
      )
    )
  const patience = isTouched(m.evidence, phase) ? timing.mixedEcho : timing.echo
  return moments.passed(since + patience) ? notDisplayed(input, m, phase, moments) : waits(m, "its text to show")
}

const settling = (input: InputProtocol, m: Delivery, phase: Settling, moments: Moments): Verdict => {
  const e = m.evidence
  const { attempt, padded, pressed, since } = phase
  const isShown = boxShows(input, m, attempt.text)
  if (!attempt.ahead && Math.max(e.workSeq, e.ownTurnSeq) > attempt.attemptSeq && isShown) {
    const why = "a turn began by itself"
    const outcome =
      pressed === null ? ({ _tag: "Requeue", counted: false, why } as const) : ({ _tag: "Hold", why } as const)
    return moved(withdraw(input, m, attempt, pressed, outcome))
  }
  if (!isShown || !e.whole)
    return moments.passed(since + timing.mixedEcho)
      ? notDisplayed(input, m, phase, moments)
      : waits(m, "its text to stand still")
  if (!moments.passed(since + timing.settle)) return waits(m, "its text to stand still")
  if (e.screen?.picker !== true) {
    const next: Submitting = {
      ...phase,
      ...fromNow(m),
      _tag: "Submitting",
      attempt: { ...attempt, ahead: isBusy(e.view) && attempt.ahead },
      pressed: { seq: pressed?.seq ?? e.seq, times: (pressed?.times ?? 0) + 1 }
    }
    return moved([become(m, next), [write("submit", input.submit)]])
  }
  // A blank ends the word that a suggestion menu would complete, and does not change the message's meaning.
  if (!padded) return moved([become(m, { ...phase, ...fromNow(m), padded: true }), [write("pad", " ")]])
  if (!moments.passed(since + timing.menu)) return waits(m, "the menu over its text to close")
  const why = "a menu stayed open over it, so Enter might have chosen from that"
  return moved(withdraw(input, m, attempt, pressed, { _tag: "Hold", why }))
}

const submitting = (input: InputProtocol, m: Delivery, phase: Submitting, { passed }: Moments): Verdict => {
  const e = m.evidence
  const { attempt, pressed, shownAs, since } = phase
  const draft = draftOf(m)
  const isShown = boxShows(input, m, attempt.text)
  const touched = isTouched(e, phase)
  if (isFresh(e, phase)) {
    if (draft === "") return moved(accepted(m, phase, pressed))
    if (draft === null && passed(since + timing.boxGone)) return moved(accepted(m, phase, pressed))
    // A sign of work is no proof while the text stands in the box: the turn may be another's.
    if (turnBegan(e, phase, pressed) && (draft === null || !draft.includes(shownAs)))
      return moved(accepted(m, phase, pressed))
  }
  const isLastEnter = pressed.times >= timing.maxEnters
  if (!passed(since + (isLastEnter ? timing.submit : timing.resubmit))) return waits(m, "its text to leave the box")
  if (isShown && e.whole && !touched && !isLastEnter)
    return moved(stay(become(m, { ...phase, _tag: "Settling", ...fromNow(m) })))
  if (isShown) {
    const why = "Enter did not send it; it was taken out of the box again"
    return moved(withdraw(input, m, attempt, pressed, { _tag: "Hold", why }))
  }
  return moved(
    touched
      ? leaveBox(m, attempt, { _tag: "Hold", why: "it got mixed with what you typed; it was left in the box" })
      : withdraw(input, m, attempt, pressed, {
          _tag: "Hold",
          why: "the box showed something else after Enter; it may have been sent"
        })
  )
}

const withdrawing = (input: InputProtocol, m: Delivery, phase: Withdrawing, { passed }: Moments): Verdict => {
  const { attempt, cover, outcome, pressed, since } = phase
  const isEmpty = isFresh(m.evidence, phase) && draftOf(m) === ""
  // A slow CLI may have read Enter before it read the keys that clear the box: then the message was sent.
  if (isEmpty && pressed !== null && outcome?._tag === "Hold") {
    if (turnBegan(m.evidence, phase, pressed)) return moved(accepted(m, phase, pressed))
    if (!passed(since + timing.uncertain)) return waits(m, "a turn that shows that it was sent")
  }
  if (isEmpty) return moved(andThen(conclude(m, attempt, outcome), (m) => restore(m, phase, pressed)))
  // The dialog received the keys that were to clear the box.
  if (cover !== null && boxShows(input, m, attempt.text) && passed(since + timing.afterDialog))
    return moved(withdraw(input, m, attempt, pressed, outcome))
  if (!passed(since + timing.clear)) return waits(m, "its text to be taken out of the box")
  if (outcome === null && !isQueued(m, attempt.id)) return moved(leaveBox(m, attempt, null))
  const why = `${outcome?.why ?? "its text showed late"}; it could not be taken out of the box`
  return moved(leaveBox(m, attempt, { _tag: "Hold", why }))
}

const restoring = (input: InputProtocol, m: Delivery, phase: Restoring, { passed }: Moments): Verdict => {
  const { draft } = phase.attempt
  const isOver = passed(phase.since + timing.clear)
  if (phase.written) {
    const isBack = isFresh(m.evidence, phase) && draft !== null && boxShows(input, m, draft)
    return isBack || isOver ? moved(endTyping(m)) : waits(m, "your text to be back in the box")
  }
  // The user's keys are held again since a dialog has closed: one that was on its way is heard of before leap types.
  if (phase.cover !== null && !passed(phase.since + timing.recorded))
    return waits(m, "keys of yours that are on their way")
  const keys = draft === null ? null : keysFor(input, draft)
  if (draftOf(m) === "" && keys !== null && Result.isSuccess(keys))
    return moved([become(m, { ...phase, ...fromNow(m), written: true }), [write("restore", keys.success)]])
  return isOver ? moved(andThen(announceLostDraft(m, draft), endTyping)) : waits(m, "your text to be back in the box")
}
