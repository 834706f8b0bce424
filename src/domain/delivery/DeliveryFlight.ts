import { Result } from "effect"
import { enterStep } from "./DeliveryMemory.ts"
import { accepted, announceLostDraft, conclude, endFlight, leaveBox, restore, withdraw } from "./DeliveryEndings.ts"
import { isBusy, isPrompt } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import {
  andThen,
  announce,
  boxShows,
  type Delivery,
  type DeliveryMove,
  draftOf,
  type Flight,
  holdKeys,
  isCommand,
  isQueued,
  type LateText,
  propose,
  receipt,
  stay,
  userDraft,
  userPart,
  write
} from "./DeliveryMemory.ts"
import type { InputProtocol } from "../provider/InputProtocol.ts"
import { keysFor, messageKeys } from "../queue/MessageText.ts"
import { QueueRecord } from "../queue/Queue.ts"
import type { View } from "../session/Session.ts"

/** The CLI waits for an answer of the user. */
const isAsking = ({ state }: View): boolean => state === "needs_permission" || state === "needs_input"

/**
 * The CLI shows a dialog or a picker over the box, or asks: no key may be written. A suggestion menu over the message's
 * own text does not count.
 */
const isCovered = (input: InputProtocol, m: Delivery, f: Flight): boolean => {
  const { screen, view } = m.evidence
  if (screen === null || screen.dialog !== null) return true
  if (isAsking(view)) return true
  return screen.picker && !boxShows(input, m, f.text)
}

/** The flight of a message before its first step. */
const newFlight = ({ evidence: { at, frames, seq, userKeys } }: Delivery, id: string, text: string): Flight => ({
  id,
  text,
  force: false,
  step: "recording",
  since: at,
  frameCount: frames,
  attemptSeq: seq,
  enterSeq: 0,
  userKeys,
  enters: 0,
  displayedAs: null,
  padded: false,
  ahead: false,
  covered: false,
  interrupted: null,
  draft: null,
  restored: false,
  outcome: null
})

/** Begins the delivery of a message: the attempt is recorded before anything is written. */
export const begin = (m: Delivery, id: string, text: string, force: boolean): DeliveryMove => {
  const { at } = m.evidence
  const draft = userDraft(m)
  const flight: Flight = {
    ...newFlight(m, id, text),
    force,
    ahead: isBusy(m.evidence.view),
    draft: draft === "" ? null : draft
  }
  return andThen(holdKeys({ ...m, flight, doubt: null }, true), (m) =>
    propose(m, [QueueRecord.cases.Attempted.make({ v: 1, at, id })])
  )
}

/** The attempt is on disk. What changed on screen while it was written is taken in before the first byte. */
export const recorded = (m: Delivery, f: Flight): DeliveryMove => stay(enterStep(m, f, "recorded"))

/** Writes the first byte, if the box is still free. */
const firstByte = (input: InputProtocol, m: Delivery, f: Flight, free: boolean): DeliveryMove => {
  if (!free || m.evidence.userKeys !== f.userKeys) {
    const untouched = { ...f, draft: null, userKeys: m.evidence.userKeys }
    return leaveBox(m, untouched, { _tag: "Requeue", counted: false, why: "the CLI was not ready any more" })
  }
  return f.draft === null ? typeText(input, m, f) : [enterStep(m, f, "clearing"), [write("clear", input.clear)]]
}

/** The attempt is not on disk: nothing was typed, and nothing is until the log can be written. */
export const unrecordable = (m: Delivery): DeliveryMove =>
  endFlight({ ...m, notBefore: m.evidence.at + timing.logRetry })

/** Types the message into the box. */
const typeText = (input: InputProtocol, m: Delivery, f: Flight): DeliveryMove => {
  const keys = messageKeys(input, f.text)
  if (Result.isFailure(keys)) return leaveBox(m, f, { _tag: "Hold", why: keys.failure })
  // Text of an earlier attempt that has not shown yet will show before this text does: it is cleared first.
  const first = m.lateText === null ? [] : [write("clear", input.clear)]
  return [{ ...enterStep(m, f, "typing"), lateText: null }, [...first, write("text", keys.success)]]
}

/** The CLI exited during the delivery. */
const exited = (m: Delivery, f: Flight): DeliveryMove => {
  const { step } = f
  if (step === "recording" || step === "recorded" || step === "clearing") {
    return leaveBox(m, f, { _tag: "Requeue", counted: false, why: "the CLI exited before it was typed" })
  }
  return step === "withdrawing" || step === "restoring"
    ? leaveBox(m, f, f.outcome)
    : leaveBox(m, f, { _tag: "Hold", why: "the CLI exited while it was being typed; it may have been sent" })
}

/** A dialog covers the box: the user's keys go to it, and nothing is written until it is gone. */
/** What a command's receipt says while a view, which it has most likely opened, covers the box. */
const viewOpen = "a view of the CLI's covers its box; nothing goes out until that is closed ('leap keys <tag> Esc')"

const covered = (m: Delivery, f: Flight): DeliveryMove => {
  const { screen, view } = m.evidence
  const picker = screen?.dialog === null && screen.picker && !isAsking(view)
  const interrupted = picker && f.interrupted !== "dialog" ? "picker" : "dialog"
  const opened = f.step === "submitting" && interrupted === "picker" && f.interrupted === null && isCommand(f.text)
  return andThen(holdKeys({ ...m, flight: { ...f, covered: true, interrupted } }, false), (m) =>
    opened ? receipt(m, f.id, "typed", viewOpen) : stay(m)
  )
}

/** The box does not show the text as it was typed. */
const notDisplayed = (input: InputProtocol, m: Delivery, f: Flight): DeliveryMove => {
  const draft = draftOf(m)
  const userTyped = m.evidence.userKeys !== f.userKeys
  const late = { id: f.id, text: f.text, userKeys: m.evidence.userKeys, since: null }
  // A box that is not on the screen may hold the text still.
  if (draft === null && f.displayedAs !== null) {
    if (m.evidence.at - f.since < timing.boxBack) return stay(m)
    const why = "its box left the screen before leap sent it; it may have been sent"
    return leaveBox(userTyped ? m : { ...m, lateText: late }, f, { _tag: "Hold", why })
  }
  if (draft === null || draft === "") {
    if (f.displayedAs !== null || userTyped) {
      return leaveBox(m, f, {
        _tag: "Hold",
        why: "it left the box before leap sent it; it may have been sent by a key of yours"
      })
    }
    return leaveBox({ ...m, lateText: late }, f, {
      _tag: "Requeue",
      counted: true,
      why: "its text did not show in the box"
    })
  }
  const part = userPart(draft, f.text)
  if (part !== null) {
    const kept = part === "" || input.showsPasted(part, f.text) ? f.draft : part
    return withdraw(
      input,
      m,
      { ...f, draft: kept },
      { _tag: "Requeue", counted: !userTyped, why: "other text got into the box" }
    )
  }
  return userTyped
    ? leaveBox(m, f, { _tag: "Hold", why: "it got mixed with what you typed; it was left in the box, unsent" })
    : withdraw(input, m, f, { _tag: "Requeue", counted: true, why: "the box showed something else" })
}

/** The terminal has another size, and the CLI may not have drawn for it yet: what is not on the screen may be there. */
const isRedrawing = ({ evidence: { at, resizedAt } }: Delivery, f: Flight): boolean =>
  resizedAt !== null && at - resizedAt < timing.redraw && at - f.since < timing.redraws

/** A turn began after Enter, and no evidence attributes it to another prompt. */
const turnBegan = ({ evidence: e }: Delivery, f: Flight): boolean =>
  !f.ahead && e.workSeq > f.enterSeq && e.ownTurnSeq <= f.attemptSeq

/** The dialog is gone: the screen shows what became of the text. Enter is never pressed without typing it anew. */
const afterDialog = (input: InputProtocol, m: Delivery, f: Flight, waited: number): DeliveryMove => {
  const draft = draftOf(m)
  const why = "a dialog came up while it was being typed"
  if (draft === null) {
    return waited < timing.boxBack ? stay(m) : leaveBox(m, f, { _tag: "Hold", why: `${why}; it may have been sent` })
  }
  if (waited < timing.afterDialog || !m.evidence.whole) return stay(m)
  if (boxShows(input, m, f.text)) return withdraw(input, m, f, { _tag: "Requeue", counted: false, why })
  if (draft === "" && f.step === "submitting") {
    // The user's keys may have emptied the box. Then only a sign of work, or the picker that a command opens, is proof.
    if (m.evidence.userKeys === f.userKeys || turnBegan(m, f) || (isCommand(f.text) && f.interrupted === "picker"))
      return accepted(m, f)
  }
  return draft === "" && (f.displayedAs !== null || m.evidence.userKeys !== f.userKeys)
    ? leaveBox(m, f, { _tag: "Hold", why: `${why}; it may have been sent` })
    : notDisplayed(input, m, f)
}

/** Takes the flight as far as the evidence allows. `free`: the message may be typed now. */
export const advanceFlight = (input: InputProtocol, m: Delivery, f: Flight, free: boolean): DeliveryMove => {
  const e = m.evidence
  if (e.exited) return exited(m, f)
  if (f.step === "recording") return stay(m)
  if (f.step === "recorded") return e.at - f.since < timing.recorded ? stay(m) : firstByte(input, m, f, free)
  const written = f.step === "typing" || f.step === "settling" || f.step === "submitting"
  if (written && e.prompt.seq > Math.max(f.attemptSeq, m.promptUsed) && isPrompt(e.prompt.text, f.text))
    return accepted(m, f)
  const freshFrame = e.whole && e.frames > f.frameCount
  if (isCovered(input, m, f)) return covered(m, f)
  if (f.covered) return holdKeys(enterStep(m, f, f.step, { covered: false }), true)

  const waited = e.at - f.since
  const draft = draftOf(m)
  const textVisible = boxShows(input, m, f.text)
  const awaited = f.step === "typing" || f.step === "settling"
  if ((draft === null || (awaited && !textVisible)) && isRedrawing(m, f)) return stay(m)
  if (written && f.interrupted !== null) return afterDialog(input, m, f, waited)

  switch (f.step) {
    case "clearing":
      if (f.interrupted !== null) {
        if (waited < timing.afterDialog) return stay(m)
        const outcome = { _tag: "Requeue", counted: false, why: "a dialog came up before it was typed" } as const
        return draft === ""
          ? andThen(conclude(m, { ...f, outcome }), (m) => restore(m, f))
          : leaveBox(m, { ...f, draft: null }, outcome)
      }
      if (freshFrame && draft === "") return typeText(input, m, f)
      return waited < timing.clear
        ? stay(m)
        : leaveBox(
            m,
            { ...f, draft: null },
            { _tag: "Requeue", counted: true, why: "the box could not be cleared of your text" }
          )
    case "typing": {
      if (freshFrame && textVisible)
        return andThen(receipt(m, f.id, "typed", null), (m) =>
          stay(enterStep(m, f, "settling", { displayedAs: draft }))
        )
      const mixed = e.userKeys !== f.userKeys
      return waited < (mixed ? timing.mixedEcho : timing.echo) ? stay(m) : notDisplayed(input, m, f)
    }
    case "settling":
      if (!f.ahead && Math.max(e.workSeq, e.ownTurnSeq) > f.attemptSeq && textVisible) {
        const why = "a turn began by itself"
        return withdraw(input, m, f, f.enters > 0 ? { _tag: "Hold", why } : { _tag: "Requeue", counted: false, why })
      }
      if (!textVisible || !e.whole) return waited < timing.mixedEcho ? stay(m) : notDisplayed(input, m, f)
      if (waited < timing.settle) return stay(m)
      if (e.screen?.picker !== true) {
        const pressed: Partial<Flight> = {
          enterSeq: f.enterSeq === 0 ? e.seq : f.enterSeq,
          enters: f.enters + 1,
          ahead: isBusy(e.view) && f.ahead
        }
        return [enterStep(m, f, "submitting", pressed), [write("submit", input.submit)]]
      }
      // A blank ends the word that a suggestion menu would complete, and does not change the message's meaning.
      if (!f.padded) return [enterStep(m, f, "settling", { padded: true }), [write("pad", " ")]]
      return waited < timing.menu
        ? stay(m)
        : withdraw(input, m, f, {
            _tag: "Hold",
            why: "a menu stayed open over it, so Enter might have chosen from that"
          })
    case "submitting": {
      if (freshFrame && draft === "") return accepted(m, f)
      if (freshFrame && draft === null && waited >= timing.boxGone) return accepted(m, f)
      // A sign of work is no proof while the text stands in the box: the turn may be another's.
      if (freshFrame && turnBegan(m, f) && (draft === null || f.displayedAs === null || !draft.includes(f.displayedAs)))
        return accepted(m, f)
      if (waited < (f.enters < timing.maxEnters ? timing.resubmit : timing.submit)) return stay(m)
      const userTyped = e.userKeys !== f.userKeys
      if (textVisible && e.whole && !userTyped && f.enters < timing.maxEnters) return stay(enterStep(m, f, "settling"))
      if (textVisible)
        return withdraw(input, m, f, { _tag: "Hold", why: "Enter did not send it; it was taken out of the box again" })
      return userTyped
        ? leaveBox(m, f, { _tag: "Hold", why: "it got mixed with what you typed; it was left in the box" })
        : withdraw(input, m, f, {
            _tag: "Hold",
            why: "the box showed something else after Enter; it may have been sent"
          })
    }
    case "withdrawing":
      // A slow CLI may have read Enter before it read the keys that clear the box: then the message was sent.
      if (f.enters > 0 && f.outcome?._tag === "Hold" && freshFrame && draft === "") {
        if (turnBegan(m, f)) return accepted(m, f)
        if (waited < timing.doubt) return stay(m)
      }
      if (freshFrame && draft === "") return andThen(conclude(m, f), (m) => restore(m, f))
      // The dialog received the keys that were to clear the box.
      if (f.interrupted !== null && textVisible && waited >= timing.afterDialog) return withdraw(input, m, f, f.outcome)
      if (waited < timing.clear) return stay(m)
      if (f.outcome === null && !isQueued(m, f.id)) return leaveBox(m, f, null)
      return leaveBox(m, f, {
        _tag: "Hold",
        why: `${f.outcome?.why ?? "its text showed late"}; it could not be taken out of the box`
      })
    case "restoring": {
      if (f.restored) {
        if ((freshFrame && f.draft !== null && boxShows(input, m, f.draft)) || waited >= timing.clear)
          return endFlight(m)
        return stay(m)
      }
      const keys = f.draft === null ? null : keysFor(input, f.draft)
      if (draft === "" && keys !== null && Result.isSuccess(keys)) {
        return [enterStep(m, f, "restoring", { restored: true }), [write("restore", keys.success)]]
      }
      return waited < timing.clear ? stay(m) : andThen(announceLostDraft(m, f), endFlight)
    }
  }
}

/** Clears the box of an earlier attempt's text, which has shown only now. */
export const cleanUp = (
  input: InputProtocol,
  m: Delivery,
  { id, text }: LateText,
  why = "took text of an earlier attempt out of the box"
): DeliveryMove => {
  const flight: Flight = { ...newFlight(m, id, text), step: "withdrawing", displayedAs: text }
  return andThen(announce(m, why), (m) =>
    andThen(holdKeys({ ...m, flight, lateText: null }, true), (m) => [m, [write("clear", input.clear)]])
  )
}
