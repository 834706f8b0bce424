import { type Evidence, isBusy, isPrompt } from "./DeliveryEvidence.ts"
import { type Delivery, holdMessage, isCommand, type Move, receipt, shows, stay, type Taken, andThen, timing } from "./DeliveryMemory.ts"
import type { InputProtocol } from "./InputProtocol.ts"

const replace = (m: Delivery, t: Taken): Move =>
  stay({ ...m, taken: m.taken.map((other) => other.id === t.id ? t : other) })

const finish = (m: Delivery, t: Taken, how: (m: Delivery) => Move): Move =>
  how({ ...m, taken: m.taken.filter((other) => other.id !== t.id) })

const done = (m: Delivery, t: Taken, why: string | null): Move => finish(m, t, (m) => receipt(m, t.id, "done", why))

const begun = (m: Delivery, t: Taken): Move =>
  andThen(receipt(m, t.id, "started", null), (m) =>
    replace(m, { ...t, started: { at: m.evidence.at, seq: m.evidence.seq, seenBusy: isBusy(m.evidence.view) } }))

const exited = (m: Delivery, t: Taken): Move =>
  t.started !== null
    ? finish(m, t, (m) => receipt(m, t.id, "failed", "the CLI exited during its turn"))
    : isCommand(t.text)
    ? done(m, t, "the CLI exited on it")
    : finish(m, t, (m) => holdMessage(m, t.id, "the CLI took it and exited before a turn was seen to begin"))

/** A sign, newer than the Enter, that the message's turn began. */
const sawStart = (e: Evidence, t: Taken): boolean => {
  if (t.ahead || e.ownTurnSeq > t.begun) return false
  if (e.workSeq > t.sent) return true
  return e.busySince !== null && e.at - Math.max(e.busySince, t.submittedAt) >= timing.viewStart
}

/** Takes a message that the CLI has as far as what has been seen allows: its turn begins, and is over. */
export const advanceTaken = (input: InputProtocol, m: Delivery, t: Taken): Move => {
  const e = m.evidence
  if (e.exited) return exited(m, t)
  if (t.started !== null) {
    const { started } = t
    if (isBusy(e.view)) return started.seenBusy ? stay(m) : replace(m, { ...t, started: { ...started, seenBusy: true } })
    if (e.overSince === null) return stay(m)
    const settle = t.ahead ? timing.aheadEnd : started.seenBusy ? 0 : timing.unseenTurn
    return e.at - Math.max(e.overSince, started.at) < settle
      ? stay(m)
      : done(m, t, e.view.state === "interrupted" ? "its turn was interrupted" : null)
  }
  if (e.prompt.seq > Math.max(t.begun, m.promptUsed) && isPrompt(e.prompt.text, t.text)) {
    return begun({ ...m, promptUsed: e.prompt.seq }, t)
  }
  if (sawStart(e, t)) return begun(m, t)

  const back = e.looks > t.look && m.flight === null && shows(input, m, t.text)
  if (back !== (t.backSince !== null)) return replace(m, { ...t, backSince: back ? e.at : null })
  if (t.backSince !== null) {
    return e.at - t.backSince < timing.givenBack
      ? stay(m)
      : finish(m, t, (m) => holdMessage(m, t.id, "the CLI gave it back: it stands in the box, unsent"))
  }
  if (e.restSince === null) return stay(m)
  const rest = e.at - Math.max(e.restSince, t.submittedAt)
  const bound = isCommand(t.text) ? timing.noTurnCommand : t.ahead ? timing.aheadEnd : timing.noTurn
  return rest < bound ? stay(m) : done(m, t, "the CLI took it; no turn of its own was seen")
}
