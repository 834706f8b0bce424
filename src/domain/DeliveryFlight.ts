import { Result } from "effect"
import { isBusy, isPrompt } from "./DeliveryEvidence.ts"
import {
  type Delivery, draftOf, entryOf, type Flight, holdKeys, holdMessage, isCommand, isQueued, type Move, type Outcome,
  propose, receipt, record, type Residue, say, shows, stay, andThen, timing, userDraft, userPart, write
} from "./DeliveryMemory.ts"
import type { InputProtocol } from "./InputProtocol.ts"
import { keysFor, messageKeys } from "./MessageText.ts"
import { QueueRecord } from "./Queue.ts"
import type { View } from "./Session.ts"

/** Enters a step: its clock starts now, and only frames from now on prove anything for it. */
const go = (m: Delivery, f: Flight, step: Flight["step"], changes: Partial<Flight> = {}): Delivery => ({
  ...m,
  flight: { ...f, step, since: m.evidence.at, look: m.evidence.looks, ...changes }
})

/** Ends the flight: the user's keys are their own again. */
const land = (m: Delivery): Move => holdKeys({ ...m, flight: null, clearSince: null }, false)

/** Records what becomes of a message that was not sent. */
const conclude = (m: Delivery, f: Flight): Move => {
  const { outcome } = f
  if (outcome === null) {
    const touched = m.evidence.userKeys !== f.userKeys
    return touched && isQueued(m, f.id) ? holdMessage(m, f.id, "its text stood in the box when you pressed a key; it may have been sent") : stay(m)
  }
  if (outcome._tag === "Hold") return holdMessage(m, f.id, outcome.why)
  const failures = (entryOf(m, f.id)?.attempts ?? 0) + 1
  if (outcome.counted && failures >= timing.maxAttempts) {
    return holdMessage(m, f.id, `${outcome.why}; given up after ${failures} attempts`)
  }
  const touched = m.evidence.userKeys !== f.userKeys
  if (touched && isCommand(f.text)) return holdMessage(m, f.id, `${outcome.why}; a key of yours may have sent it`)
  const doubt = touched ? { id: f.id, text: f.text, seq: m.evidence.seq } : null
  const pause = Math.max(touched ? timing.doubt : 0, outcome.counted ? timing.backoff[failures - 1] ?? 0 : 0)
  return record({ ...m, doubt, notBefore: m.evidence.at + pause }, [
    QueueRecord.cases.Requeued.make({ v: 1, at: m.evidence.at, id: f.id, counted: outcome.counted, why: outcome.why })
  ])
}

/** Says what was taken from the user and cannot be given back. */
const lament = (m: Delivery, f: Flight): Move =>
  f.draft === null || f.restored ? stay(m) : say(m, `your unsent text could not be put back into the box: ${f.draft}`)

/** Ends the flight with nothing more to write: the box is left as it is. */
const give = (m: Delivery, f: Flight, outcome: Outcome): Move =>
  andThen(andThen(conclude(m, { ...f, outcome }), (m) => lament(m, f)), land)

/** Takes the text out of the box again. */
const withdraw = (input: InputProtocol, m: Delivery, f: Flight, outcome: Outcome): Move =>
  andThen(holdKeys(m, true), (m) => [go(m, f, "withdrawing", { outcome, interrupted: null }), [write("clear", input.clear)]])

/** Puts the user's draft back when there was one, else ends. */
const restore = (m: Delivery, f: Flight): Move =>
  f.draft === null ? land(m) : stay(go(m, f, "restoring", { outcome: null }))

/** The CLI took the message. */
const took = (m: Delivery, f: Flight): Move =>
  andThen(receipt(m, f.id, "submitted", null), (m) =>
    restore({
      ...m,
      notBefore: 0,
      taken: [...m.taken, {
        id: f.id, text: f.text, ahead: f.ahead || m.evidence.ownTurnSeq > f.begun, begun: f.begun, sent: f.sent === 0 ? m.evidence.seq : f.sent,
        submittedAt: m.evidence.at, look: m.evidence.looks, backSince: null, started: null
      }]
    }, f))

const isAsking = ({ state }: View): boolean => state === "needs_permission" || state === "needs_input"

/** Something of the CLI lies over the box, or asks: no key may be written. Suggestions over our own text do not count. */
const isCovered = (input: InputProtocol, m: Delivery, f: Flight): boolean => {
  const { screen, view } = m.evidence
  if (screen === null || screen.dialog !== null) return true
  if (isAsking(view)) return true
  return screen.picker && !shows(input, m, f.text)
}

/** Starts on a message: the attempt is recorded before anything is written. */
export const begin = (m: Delivery, id: string, text: string, force: boolean): Move => {
  const { at, looks, seq, userKeys } = m.evidence
  const draft = userDraft(m)
  const flight: Flight = {
    id, text, force, step: "recording", since: at, look: looks, begun: seq, sent: 0, userKeys, enters: 0, shownAs: null,
    padded: false, ahead: isBusy(m.evidence.view), covered: false, interrupted: null, draft: draft === "" ? null : draft,
    restored: false, outcome: null
  }
  return andThen(holdKeys({ ...m, flight, doubt: null }, true), (m) =>
    propose(m, [QueueRecord.cases.Attempted.make({ v: 1, at, id })]))
}

/** The attempt is on disk. While it was written the screen may have changed: that is heard first. */
export const recorded = (m: Delivery, f: Flight): Move => stay(go(m, f, "recorded"))

/** The first byte, when the way is still free. */
const firstByte = (input: InputProtocol, m: Delivery, f: Flight, free: boolean): Move => {
  if (!free || m.evidence.userKeys !== f.userKeys) {
    const untouched = { ...f, draft: null, userKeys: m.evidence.userKeys }
    return give(m, untouched, { _tag: "Requeue", counted: false, why: "the CLI was not ready any more" })
  }
  return f.draft === null ? type(input, m, f) : [go(m, f, "clearing"), [write("clear", input.clear)]]
}

/** The attempt is not on disk: nothing was written, and nothing will be until the log can be. */
export const unrecordable = (m: Delivery): Move => land({ ...m, notBefore: m.evidence.at + timing.logRetry })

const type = (input: InputProtocol, m: Delivery, f: Flight): Move => {
  const keys = messageKeys(input, f.text)
  if (Result.isFailure(keys)) return give(m, f, { _tag: "Hold", why: keys.failure })
  // What an earlier attempt wrote and never showed is still on its way, before this.
  const first = m.residue === null ? [] : [write("clear", input.clear)]
  return [{ ...go(m, f, "typing"), residue: null }, [...first, write("text", keys.success)]]
}

const exited = (m: Delivery, f: Flight): Move => {
  const { step } = f
  if (step === "recording" || step === "recorded" || step === "clearing") {
    return give(m, f, { _tag: "Requeue", counted: false, why: "the CLI exited before it was typed" })
  }
  return step === "withdrawing" || step === "restoring"
    ? give(m, f, f.outcome)
    : give(m, f, { _tag: "Hold", why: "the CLI exited while it was being typed; it may have been sent" })
}

/** A dialog came over the box: the user's keys go to it, and nothing is written until it is gone. */
const covered = (m: Delivery, f: Flight): Move => {
  const { screen, view } = m.evidence
  const picker = screen?.dialog === null && screen.picker && !isAsking(view)
  const interrupted = picker && f.interrupted !== "dialog" ? "picker" : "dialog"
  return holdKeys({ ...m, flight: { ...f, covered: true, interrupted } }, false)
}

/** The text did not show as it should have. */
const notShown = (input: InputProtocol, m: Delivery, f: Flight): Move => {
  const draft = draftOf(m)
  const userTyped = m.evidence.userKeys !== f.userKeys
  if (draft === null || draft === "") {
    if (f.shownAs !== null || userTyped) {
      return give(m, f, { _tag: "Hold", why: "it left the box before leap sent it; it may have been sent by a key of yours" })
    }
    const late = { id: f.id, text: f.text, userKeys: m.evidence.userKeys, since: null }
    return give({ ...m, residue: late }, f, { _tag: "Requeue", counted: true, why: "its text did not show in the box" })
  }
  const part = userPart(draft, f.text)
  if (part !== null) {
    const kept = part === "" || input.showsPasted(part, f.text) ? f.draft : part
    return withdraw(input, m, { ...f, draft: kept }, { _tag: "Requeue", counted: !userTyped, why: "other text got into the box" })
  }
  return userTyped
    ? give(m, f, { _tag: "Hold", why: "it got mixed with what you typed; it was left in the box, unsent" })
    : withdraw(input, m, f, { _tag: "Requeue", counted: true, why: "the box showed something else" })
}

/** A turn began after Enter that is not known to be another's. */
const began = ({ evidence: e }: Delivery, f: Flight): boolean => !f.ahead && e.workSeq > f.sent && e.ownTurnSeq <= f.begun

/** The dialog is gone: what became of the text? Never Enter without a fresh start. */
const afterDialog = (input: InputProtocol, m: Delivery, f: Flight, waited: number): Move => {
  const draft = draftOf(m)
  const why = "a dialog came up while it was being typed"
  if (draft === null) {
    return waited < timing.boxBack ? stay(m) : give(m, f, { _tag: "Hold", why: `${why}; it may have been sent` })
  }
  if (waited < timing.afterDialog || !m.evidence.whole) return stay(m)
  if (shows(input, m, f.text)) return withdraw(input, m, f, { _tag: "Requeue", counted: false, why })
  if (draft === "" && f.step === "submitting") {
    // A command opens a picker, and a turn gives signs of work; keys of the user's may have emptied the box as well.
    if (m.evidence.userKeys === f.userKeys || began(m, f) || isCommand(f.text) && f.interrupted === "picker") return took(m, f)
  }
  return draft === "" && (f.shownAs !== null || m.evidence.userKeys !== f.userKeys)
    ? give(m, f, { _tag: "Hold", why: `${why}; it may have been sent` })
    : notShown(input, m, f)
}

/** Takes the message in hand as far as what has been seen allows. `free`: it could go out now. */
export const advanceFlight = (input: InputProtocol, m: Delivery, f: Flight, free: boolean): Move => {
  const e = m.evidence
  if (e.exited) return exited(m, f)
  if (f.step === "recording") return stay(m)
  if (f.step === "recorded") return e.at - f.since < timing.recorded ? stay(m) : firstByte(input, m, f, free)
  const written = f.step === "typing" || f.step === "settling" || f.step === "submitting"
  if (written && e.prompt.seq > Math.max(f.begun, m.promptUsed) && isPrompt(e.prompt.text, f.text)) return took(m, f)
  const looked = e.whole && e.looks > f.look
  if (isCovered(input, m, f)) return covered(m, f)
  if (f.covered) return holdKeys(go(m, f, f.step, { covered: false }), true)

  const waited = e.at - f.since
  const draft = draftOf(m)
  const shown = shows(input, m, f.text)
  if (written && f.interrupted !== null) return afterDialog(input, m, f, waited)

  switch (f.step) {
    case "clearing":
      if (f.interrupted !== null) {
        if (waited < timing.afterDialog) return stay(m)
        const outcome = { _tag: "Requeue", counted: false, why: "a dialog came up before it was typed" } as const
        return draft === "" ? andThen(conclude(m, { ...f, outcome }), (m) => restore(m, f)) : give(m, { ...f, draft: null }, outcome)
      }
      if (looked && draft === "") return type(input, m, f)
      return waited < timing.clear
        ? stay(m)
        : give(m, { ...f, draft: null }, { _tag: "Requeue", counted: true, why: "the box could not be cleared of your text" })
    case "typing": {
      if (looked && shown) return andThen(receipt(m, f.id, "typed", null), (m) => stay(go(m, f, "settling", { shownAs: draft })))
      const mixed = e.userKeys !== f.userKeys
      return waited < (mixed ? timing.mixedEcho : timing.echo) ? stay(m) : notShown(input, m, f)
    }
    case "settling":
      if (!f.ahead && Math.max(e.workSeq, e.ownTurnSeq) > f.begun && shown) {
        const why = "a turn began by itself"
        return withdraw(input, m, f, f.enters > 0 ? { _tag: "Hold", why } : { _tag: "Requeue", counted: false, why })
      }
      if (!shown || !e.whole) return waited < timing.mixedEcho ? stay(m) : notShown(input, m, f)
      if (waited < timing.settle) return stay(m)
      if (e.screen?.picker !== true) {
        const sent = { sent: f.sent === 0 ? e.seq : f.sent, enters: f.enters + 1, ahead: isBusy(e.view) && f.ahead }
        return [go(m, f, "submitting", sent), [write("submit", input.submit)]]
      }
      // A blank ends the word that a suggestion menu would complete, and changes nothing of what is meant.
      if (!f.padded) return [go(m, f, "settling", { padded: true }), [write("pad", " ")]]
      return waited < timing.menu
        ? stay(m)
        : withdraw(input, m, f, { _tag: "Hold", why: "a menu stayed open over it, so Enter might have chosen from that" })
    case "submitting": {
      if (looked && draft === "") return took(m, f)
      if (looked && draft === null && waited >= timing.boxGone) return took(m, f)
      // A sign of work is no proof while the text stands in the box: the turn may be another's.
      if (looked && began(m, f) && (draft === null || f.shownAs === null || !draft.includes(f.shownAs))) return took(m, f)
      if (waited < (f.enters < timing.maxEnters ? timing.resubmit : timing.submit)) return stay(m)
      const userTyped = e.userKeys !== f.userKeys
      if (shown && e.whole && !userTyped && f.enters < timing.maxEnters) return stay(go(m, f, "settling"))
      if (shown) return withdraw(input, m, f, { _tag: "Hold", why: "Enter did not send it; it was taken out of the box again" })
      return userTyped
        ? give(m, f, { _tag: "Hold", why: "it got mixed with what you typed; it was left in the box" })
        : withdraw(input, m, f, { _tag: "Hold", why: "the box showed something else after Enter; it may have been sent" })
    }
    case "withdrawing":
      // What the CLI was slow to hear may have been Enter before it was the keys that clear the box.
      if (f.enters > 0 && f.outcome?._tag === "Hold" && looked && draft === "") {
        if (began(m, f)) return took(m, f)
        if (waited < timing.doubt) return stay(m)
      }
      if (looked && draft === "") return andThen(conclude(m, f), (m) => restore(m, f))
      // The dialog took the keys that were to clear the box.
      if (f.interrupted !== null && shown && waited >= timing.afterDialog) return withdraw(input, m, f, f.outcome)
      if (waited < timing.clear) return stay(m)
      if (f.outcome === null && !isQueued(m, f.id)) return give(m, f, null)
      return give(m, f, {
        _tag: "Hold",
        why: `${f.outcome?.why ?? "its text showed late"}; it could not be taken out of the box`
      })
    case "restoring": {
      if (f.restored) {
        if (looked && f.draft !== null && shows(input, m, f.draft) || waited >= timing.clear) return land(m)
        return stay(m)
      }
      const keys = f.draft === null ? null : keysFor(input, f.draft)
      if (draft === "" && keys !== null && Result.isSuccess(keys)) {
        return [go(m, f, "restoring", { restored: true }), [write("restore", keys.success)]]
      }
      return waited < timing.clear ? stay(m) : andThen(lament(m, f), land)
    }
  }
}

/** Takes out of the box what an earlier attempt wrote and what shows only now. */
export const cleanUp = (input: InputProtocol, m: Delivery, { id, text }: Residue): Move => {
  const { at, looks, seq, userKeys } = m.evidence
  const flight: Flight = {
    id, text, force: false, step: "withdrawing", since: at, look: looks, begun: seq, sent: 0, userKeys, enters: 0,
    shownAs: text, padded: false, ahead: false, covered: false, interrupted: null, draft: null, restored: false, outcome: null
  }
  return andThen(say(m, "took text of an earlier attempt out of the box"), (m) =>
    andThen(holdKeys({ ...m, flight, residue: null }, true), (m) => [m, [write("clear", input.clear)]]))
}
