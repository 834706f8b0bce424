import { type DeliveryEvidence, isBusy, isPrompt } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import {
  type Delivery,
  holdMessage,
  isCommand,
  type DeliveryMove,
  type Over,
  receipt,
  restateEnding,
  boxShows,
  stay,
  type Submitted,
  andThen
} from "./DeliveryMemory.ts"
import type { InputProtocol } from "../provider/InputProtocol.ts"
import { messageFailed, turnAnswered } from "./FailedTurns.ts"
import { failureIn, failureWhy } from "../wording/TurnEnding.ts"
import type { TurnOutcome } from "../session/Message.ts"
import { isOnlyStart, isOthersFailure, isSealed, isUncertain, toldEnd } from "./TurnTold.ts"

/** Stores a change of the message. */
const replace = (m: Delivery, message: Submitted): DeliveryMove =>
  stay({ ...m, submitted: m.submitted.map((other) => (other.id === message.id ? message : other)) })

/** Ends the receipt of the message by `how`. */
const finish = (m: Delivery, message: Submitted, how: (m: Delivery) => DeliveryMove): DeliveryMove =>
  how({ ...m, submitted: m.submitted.filter((other) => other.id !== message.id) })

const done = (m: Delivery, message: Submitted, why: string | null, outcome?: TurnOutcome): DeliveryMove => {
  const failure = outcome === "failed" ? failureIn({ outcome, why }) : null
  if (failure !== null) return finish(m, message, (m) => messageFailed(m, message.id, failure))
  const over = { ...message, outcome: outcome ?? null, why, overSeq: m.evidence.seq }
  return andThen(
    finish(m, message, (m) =>
      receipt({ ...m, over: [...m.over, over].slice(-mostOver) }, message.id, "done", why, outcome)
    ),
    (m) => (outcome === "completed" ? turnAnswered(m) : stay(m))
  )
}

/** So many messages whose turns are over wait for what is told late. */
const mostOver = 4

const failed = (failure: string): TurnEnding => ({ outcome: "failed", why: failureWhy(failure) })

interface TurnEnding {
  readonly outcome: TurnOutcome
  readonly why: string | null
}

/** No message was sent behind this one. */
const isLast = ({ flight, over, submitted }: Delivery, { attemptSeq }: Submitted): boolean =>
  (flight === null || flight.enters === 0) && ![...over, ...submitted].some((other) => other.attemptSeq > attemptSeq)

/** How its turn ended, as the CLI told it; null where it has not. */
const toldEnding = (m: Delivery, message: Submitted): TurnEnding | null => {
  const told = toldEnd(m.evidence.told, message, isLast(m, message))
  if (told === null) return null
  return told.failure === null ? { outcome: "completed", why: null } : failed(told.failure)
}

/** The turn is over: by its own end, by the user's word, or because the CLI could not go on. */
const turnEnded = (m: Delivery, message: Submitted): DeliveryMove => {
  const { told, view } = m.evidence
  const ending = toldEnding(m, message)
  // an interrupt key may have come behind the failure
  if (view.state === "interrupted" && ending?.outcome !== "failed")
    return done(m, message, "its turn was interrupted", "interrupted")
  if (ending !== null) return done(m, message, ending.why, ending.outcome)
  if (isOthersFailure(told, message)) return done(m, message, null)
  if (view.problem !== null) return done(m, message, failed(view.problem.message).why, "failed")
  return isUncertain(told, message, isLast(m, message)) ? done(m, message, null) : done(m, message, null, "completed")
}

/** Another turn has begun since: this one's end needs no more signs. */
const sealed = (m: Delivery, message: Submitted): DeliveryMove => {
  const { outcome, why } = toldEnding(m, message) ?? { outcome: undefined, why: null }
  return done(m, message, why, outcome)
}

/** The message with the beginning of its turn, where the last event told it; and the prompt as used up. */
const withTold = (m: Delivery, message: Submitted): readonly [Delivery, Submitted] => {
  const { prompt, told } = m.evidence
  if (prompt.seq > Math.max(message.attemptSeq, m.promptUsed) && isPrompt(prompt.text, message.text))
    if (message.told === null || !isSealed(told, message))
      return [
        { ...m, promptUsed: prompt.seq },
        { ...message, told: prompt.seq, merged: false }
      ]
  const areTold = m.over.every((over) => over.id === message.id || over.told !== null)
  if (message.told === null && areTold && isOnlyStart(told, message, isLast(m, message)))
    return [m, { ...message, told: told.start.seq }]
  if (message.told === null || told.start.seq <= message.told || message.merged || isSealed(told, message))
    return [m, message]
  // What background work begins within a turn goes on with it.
  return [m, told.start.within ? { ...message, told: told.start.seq } : { ...message, merged: true }]
}

/** Something else has gone on since its turn was over, of which the CLI may be telling. */
const isOvertaken = (m: Delivery, over: Over): boolean => {
  const { ownTurnSeq, told, workSeq } = m.evidence
  return Math.max(workSeq, ownTurnSeq, told.userEnterSeq) > over.overSeq || !isLast(m, over)
}

/** Takes in what the CLI tells late of a message whose turn was seen to be over. */
export const advanceOver = (m: Delivery, before: Over): DeliveryMove => {
  const [used, told] = withTold(m, before)
  const over = { ...before, told: told.told, merged: told.merged }
  const ending =
    over.told === null && (over.started === null || isOvertaken(used, over)) ? null : toldEnding(used, over)
  const isNews =
    ending !== null &&
    (ending.outcome !== before.outcome || ending.why !== before.why) &&
    (before.outcome !== "interrupted" || ending.outcome === "failed")
  const known = isNews ? { ...over, ...ending } : over
  const isFinal = known.told === null ? isOvertaken(used, known) : isSealed(used.evidence.told, known) || known.merged
  const rest = used.over.flatMap((other) => (other.id !== before.id ? [other] : isFinal ? [] : [known]))
  const after = { ...used, over: rest }
  if (!isNews) return stay(after)
  const failure = failureIn(ending)
  return failure === null
    ? andThen(restateEnding(after, before.id, ending.why, ending.outcome), turnAnswered)
    : messageFailed({ ...after, over: rest.filter(({ id }) => id !== before.id) }, before.id, failure)
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
  const [known, now] = withTold(m, message)
  if (now !== message) {
    return andThen(replace(known, now), (m) => (now.started === null ? turnStarted(m, now) : stay(m)))
  }
  if (message.started !== null) {
    if (isSealed(e.told, message)) return sealed(m, message)
    const { started } = message
    if (isBusy(e.view))
      return started.seenBusy ? stay(m) : replace(m, { ...message, started: { ...started, seenBusy: true } })
    if (e.overSince === null) return stay(m)
    // What was told to have begun, and was stopped, has no turn to come.
    const isStopped = message.told !== null && e.view.state === "interrupted"
    const ending = isStopped ? 0 : message.ahead ? timing.aheadEnd : started.seenBusy ? 0 : timing.unseenTurn
    const isUnexplained = e.view.problem === null && toldEnding(m, message)?.outcome === "failed"
    const settle = Math.max(ending, isUnexplained ? timing.failureTold : 0)
    return e.at - Math.max(e.overSince, started.at) < settle ? stay(m) : turnEnded(m, message)
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
