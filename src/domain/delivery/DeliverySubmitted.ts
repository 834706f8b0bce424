import { type DeliveryEvidence, isBusy, isPrompt } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import {
  type Delivery,
  holdMessage,
  isCommand,
  type DeliveryMove,
  receipt,
  boxShows,
  stay,
  type Submitted,
  andThen
} from "./DeliveryMemory.ts"
import type { InputProtocol } from "../provider/InputProtocol.ts"
import type { TurnOutcome } from "../session/Message.ts"

/** Stores a change of the message. */
const replace = (m: Delivery, message: Submitted): DeliveryMove =>
  stay({ ...m, submitted: m.submitted.map((other) => (other.id === message.id ? message : other)) })

/** Ends the receipt of the message by `how`. */
const finish = (m: Delivery, message: Submitted, how: (m: Delivery) => DeliveryMove): DeliveryMove =>
  how({ ...m, submitted: m.submitted.filter((other) => other.id !== message.id) })

const done = (m: Delivery, message: Submitted, why: string | null, outcome?: TurnOutcome): DeliveryMove =>
  finish(m, message, (m) => receipt(m, message.id, "done", why, outcome))

/** The turn is over: by its own end, by the user's word, or because the CLI could not go on. */
const turnEnded = (m: Delivery, message: Submitted): DeliveryMove => {
  const { failure, view } = m.evidence
  if (view.state === "interrupted") return done(m, message, "its turn was interrupted", "interrupted")
  const why = failure !== null && failure.seq > message.attemptSeq ? failure.message : view.problem?.message
  return why === undefined ? done(m, message, null, "completed") : done(m, message, `its turn failed: ${why}`, "failed")
}

const turnStarted = (m: Delivery, message: Submitted): DeliveryMove =>
  andThen(receipt(m, message.id, "started", null), (m) =>
    replace(m, { ...message, started: { at: m.evidence.at, seq: m.evidence.seq, seenBusy: isBusy(m.evidence.view) } })
  )

const exited = (m: Delivery, message: Submitted): DeliveryMove =>
  message.started !== null
    ? finish(m, message, (m) => receipt(m, message.id, "failed", "the CLI exited during its turn"))
    : isCommand(message.text)
      ? done(m, message, "the CLI exited on it")
      : finish(m, message, (m) =>
          holdMessage(m, message.id, "the CLI took it and exited before a turn was seen to begin")
        )

/** There is a sign, newer than Enter, that the message's turn began. */
const isStartSeen = (e: DeliveryEvidence, message: Submitted): boolean => {
  if (message.ahead || e.ownTurnSeq > message.attemptSeq) return false
  if (e.workSeq > message.enterSeq) return true
  return e.busySince !== null && e.at - Math.max(e.busySince, message.submittedAt) >= timing.viewStart
}

/** Takes the receipt of an accepted message as far as the evidence allows: its turn begins, and is over. */
export const advanceSubmitted = (input: InputProtocol, m: Delivery, message: Submitted): DeliveryMove => {
  const e = m.evidence
  if (e.exited) return exited(m, message)
  if (message.started !== null) {
    const { started } = message
    if (isBusy(e.view))
      return started.seenBusy ? stay(m) : replace(m, { ...message, started: { ...started, seenBusy: true } })
    if (e.overSince === null) return stay(m)
    const settle = message.ahead ? timing.aheadEnd : started.seenBusy ? 0 : timing.unseenTurn
    return e.at - Math.max(e.overSince, started.at) < settle ? stay(m) : turnEnded(m, message)
  }
  if (e.prompt.seq > Math.max(message.attemptSeq, m.promptUsed) && isPrompt(e.prompt.text, message.text)) {
    return turnStarted({ ...m, promptUsed: e.prompt.seq }, message)
  }
  if (isStartSeen(e, message)) return turnStarted(m, message)

  const back = e.frames > message.frameCount && m.flight === null && boxShows(input, m, message.text)
  if (back !== (message.backSince !== null)) return replace(m, { ...message, backSince: back ? e.at : null })
  if (message.backSince !== null) {
    return e.at - message.backSince < timing.givenBack
      ? stay(m)
      : finish(m, message, (m) => holdMessage(m, message.id, "the CLI gave it back: it stands in the box, unsent"))
  }
  if (e.restSince === null) return stay(m)
  const rest = e.at - Math.max(e.restSince, message.submittedAt)
  const bound = isCommand(message.text) ? timing.noTurnCommand : message.ahead ? timing.aheadEnd : timing.noTurn
  return rest < bound ? stay(m) : done(m, message, "the CLI took it; no turn of its own was seen")
}
