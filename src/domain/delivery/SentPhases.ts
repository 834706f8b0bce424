import { boxShows, isCommand } from "./Box.ts"
import { type DeliveryEvidence, isBusy, isPrompt } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import {
  andThen,
  type Delivery,
  type DeliveryMove,
  holdMessage,
  receipt,
  restateEnding,
  stay
} from "./DeliveryMemory.ts"
import { messageAnswered, messageFailed } from "./FailedTurns.ts"
import type { EndedTurn, GivenBack, Running, SentMessage, SentPhase, Submitted } from "./Phase.ts"
import {
  endOf,
  isEndUnknown,
  isOnlyStart,
  isOthersFailure,
  isSuperseded,
  type ReportedEnd,
  reportedEnd
} from "./ReportedTurns.ts"
import { moved, type Moments, type Verdict, waits } from "./Waits.ts"
import type { InputProtocol } from "../provider/InputProtocol.ts"
import type { TurnOutcome } from "../session/Message.ts"
import { failureIn, failureWhy } from "../wording/TurnEnding.ts"

/** What becomes of a message that the CLI accepted: its turn begins, and is over. */
export const sentTransition = (input: InputProtocol, m: Delivery, phase: SentPhase, moments: Moments): Verdict => {
  if (m.evidence.exited) return moved(onExit(m, phase))
  const [known, now] = withReport(m, phase)
  if (now._tag === "Running") return running(now === phase ? m : replace(known, now), now, moments)
  return now === phase ? notBegun(input, m, now, moments) : moved(turnStarted(known, now))
}

/** Stores a change of the message. */
const replace = (m: Delivery, phase: SentPhase): Delivery => ({
  ...m,
  sent: m.sent.map((other) => (other.id === phase.id ? phase : other))
})

const without = (m: Delivery, { id }: SentMessage): Delivery => ({
  ...m,
  sent: m.sent.filter((other) => other.id !== id)
})

/** What holds of the message in any phase. */
const messageOf = (phase: SentMessage): SentMessage => {
  const { ahead, attemptSeq, behind, enterSeq, frames, id, joined, reported, submittedAt, text } = phase
  return { ahead, attemptSeq, behind, enterSeq, frames, id, joined, reported, submittedAt, text }
}

const onExit = (m: Delivery, phase: SentPhase): DeliveryMove =>
  phase._tag === "Running"
    ? receipt(without(m, phase), phase.id, "failed", "the CLI exited during its turn")
    : isCommand(phase.text)
      ? turnIsOver(m, phase, { outcome: null, why: "the CLI exited on it" })
      : holdMessage(without(m, phase), phase.id, "the CLI took it and exited before a turn was seen to begin")

const turnStarted = (m: Delivery, phase: Submitted | GivenBack): DeliveryMove => {
  const { at, view } = m.evidence
  return receipt(
    replace(m, { ...phase, _tag: "Running", since: at, seenBusy: isBusy(view) }),
    phase.id,
    "started",
    null
  )
}

/** There is a sign, newer than Enter, that the message's turn began. */
const isStartSeen = (e: DeliveryEvidence, message: SentMessage, { passed }: Moments): boolean => {
  if (message.ahead || e.ownTurnSeq > message.attemptSeq) return false
  if (e.workSeq > message.enterSeq) return true
  return e.busySince !== null && passed(Math.max(e.busySince, message.submittedAt) + timing.viewStart)
}

const notBegun = (input: InputProtocol, m: Delivery, phase: Submitted | GivenBack, moments: Moments): Verdict => {
  const e = m.evidence
  if (isStartSeen(e, phase, moments)) return moved(turnStarted(m, phase))
  const isBack = e.frames > phase.frames && m.typing === null && boxShows(input, m, phase.text)
  if (isBack !== (phase._tag === "GivenBack")) {
    const changed: SentPhase = isBack
      ? { ...phase, _tag: "GivenBack", since: e.at }
      : { ...messageOf(phase), _tag: "Submitted" }
    return moved(stay(replace(m, changed)))
  }
  if (phase._tag === "GivenBack")
    return moments.passed(phase.since + timing.givenBack)
      ? moved(holdMessage(without(m, phase), phase.id, "the CLI gave it back: it stands in the box, unsent"))
      : waits(m, "the box to let go of it")
  if (e.restSince === null) return waits(m, "its turn to begin")
  const patience = isCommand(phase.text) ? timing.noTurnCommand : phase.ahead ? timing.aheadEnd : timing.noTurn
  if (!moments.passed(Math.max(e.restSince, phase.submittedAt) + patience)) return waits(m, "a sign of its turn")
  const unseen = { outcome: null, why: "the CLI took it; no turn of its own was seen" } as const
  return moved(turnIsOver(m, phase, reportedEnding(m, phase) ?? unseen))
}

const running = (m: Delivery, phase: Running, { passed }: Moments): Verdict => {
  const e = m.evidence
  // Another turn has begun since: this one's end needs no more signs.
  if (isSuperseded(e.turns, phase)) return moved(turnIsOver(m, phase, reportedEnding(m, phase) ?? unknown))
  // The end that is told first is that of what was sent first: the turn of what was typed ahead may run by now.
  const first = phase.joined || !isLast(m, phase) ? endOf(e.turns, phase) : null
  if (first !== null) return moved(turnIsOver(toldFirst(m, phase, first), phase, endingFrom(first)))
  if (isBusy(e.view)) return waits(phase.seenBusy ? m : replace(m, { ...phase, seenBusy: true }), "its turn to end")
  if (e.overSince === null) return waits(m, "its turn to end")
  // What was reported to have begun, and was stopped, has no turn to come.
  const isStopped = phase.reported !== null && e.view.state === "interrupted"
  const ending = isStopped ? 0 : phase.ahead ? timing.aheadEnd : phase.seenBusy ? 0 : timing.unseenTurn
  const isUnexplained = e.view.problem === null && reportedEnding(m, phase)?.outcome === "failed"
  const settle = Math.max(ending, isUnexplained ? timing.failureTold : 0)
  return passed(Math.max(e.overSince, phase.since) + settle)
    ? moved(turnIsOver(m, phase, endingOf(m, phase)))
    : waits(m, "another turn, behind its own")
}

/** How a turn ended. */
interface KnownEnding {
  readonly outcome: TurnOutcome
  readonly why: string | null
}
/** The same, where that may not be known. */
type TurnEnding = KnownEnding | { readonly outcome: null; readonly why: string | null }

const unknown: TurnEnding = { outcome: null, why: null }

const failed = (failure: string): KnownEnding => ({ outcome: "failed", why: failureWhy(failure) })

const endingFrom = ({ failure }: ReportedEnd): KnownEnding =>
  failure === null ? { outcome: "completed", why: null } : failed(failure)

/** What was typed ahead of this message's end comes behind that. */
const toldFirst = (m: Delivery, { attemptSeq }: SentMessage, { seq }: ReportedEnd): Delivery => ({
  ...m,
  sent: m.sent.map((other) => (other.attemptSeq > attemptSeq && other.ahead ? { ...other, behind: seq } : other))
})

/** So many messages whose turns are over wait for what is reported late. */
const mostEnded = 4

/**
 * The message's turn is over, in this way: its receipt says so, and what is reported late is waited for. One whose turn
 * failed goes back into the queue.
 */
const turnIsOver = (m: Delivery, phase: SentPhase, ending: TurnEnding): DeliveryMove => {
  const { outcome, why } = ending
  const failure = failureIn({ ...(outcome === null ? {} : { outcome }), why })
  if (failure !== null) return messageFailed(without(m, phase), phase, failure)
  const ended: EndedTurn = {
    ...messageOf(phase),
    _tag: "EndedTurn",
    hadBegun: phase._tag === "Running",
    outcome,
    why,
    endedSeq: m.evidence.seq
  }
  return andThen(
    receipt(
      { ...without(m, phase), ended: [...m.ended, ended].slice(-mostEnded) },
      phase.id,
      "done",
      why,
      outcome ?? undefined
    ),
    (m) => (outcome === "completed" ? messageAnswered(m, phase.id) : stay(m))
  )
}

/** No message was sent behind this one. */
const isLast = ({ ended, sent, typing }: Delivery, { attemptSeq }: SentMessage): boolean =>
  !(typing !== null && "pressed" in typing && typing.pressed !== null) &&
  ![...ended, ...sent].some((other) => other.attemptSeq > attemptSeq)

/** How its turn ended, as the CLI reported it; null where it has not. */
const reportedEnding = (m: Delivery, message: SentMessage): KnownEnding | null => {
  const end = reportedEnd(m.evidence.turns, message, isLast(m, message))
  return end === null ? null : endingFrom(end)
}

/** How a turn ended that is over: by its own end, by the user's word, or because the CLI could not go on. */
const endingOf = (m: Delivery, message: SentMessage): TurnEnding => {
  const { problemSeq, screen, turns, view } = m.evidence
  const reported = reportedEnding(m, message)
  // an interrupt key may have come behind the failure
  if (view.state === "interrupted" && reported?.outcome !== "failed")
    return { outcome: "interrupted", why: "its turn was interrupted" }
  if (reported !== null) return reported
  if (isOthersFailure(turns, message)) return unknown
  // What an earlier turn failed of stays until the CLI tells of the next, which may come late.
  const isOfThisTurn = problemSeq > message.attemptSeq || screen?.loggedOut === true
  if (view.problem !== null && isOfThisTurn) return failed(view.problem.message)
  return isEndUnknown(turns, message, isLast(m, message)) ? unknown : { outcome: "completed", why: null }
}

/** The message with the beginning of its turn, where the last event reported it; and the prompt as used up. */
const withReport = <M extends SentPhase | EndedTurn>(m: Delivery, message: M): readonly [Delivery, M] => {
  const { prompt, turns } = m.evidence
  const { reported } = message
  if (prompt.seq > Math.max(message.attemptSeq, m.promptUsed) && isPrompt(prompt.text, message.text))
    if (reported === null || !isSuperseded(turns, message))
      return [
        { ...m, promptUsed: prompt.seq },
        { ...message, reported: prompt.seq, joined: false }
      ]
  // What is over and was not told of is forgotten once another is sent, so that this is none of theirs.
  if (reported === null && isOnlyStart(turns, message, isLast(m, message)))
    return [m, { ...message, reported: turns.start.seq }]
  if (reported === null || turns.start.seq <= reported || message.joined || isSuperseded(turns, message))
    return [m, message]
  // What background work begins within a turn goes on with it.
  return [m, turns.start.within ? { ...message, reported: turns.start.seq } : { ...message, joined: true }]
}

/** Something else has gone on since its turn was over, of which the CLI may be reporting. */
const isOvertaken = (m: Delivery, ended: EndedTurn): boolean => {
  const { ownTurnSeq, turns, workSeq } = m.evidence
  return Math.max(workSeq, ownTurnSeq, turns.userEnterSeq) > ended.endedSeq || !isLast(m, ended)
}

/** Takes in what the CLI reports late of a message whose turn was seen to be over. */
export const endedTransition = (m: Delivery, before: EndedTurn): Verdict => {
  const [used, ended] = withReport(m, before)
  const isOpen = ended.reported !== null || (ended.hadBegun && !isOvertaken(used, ended))
  const ending = isOpen ? reportedEnding(used, ended) : null
  const isNews =
    ending !== null &&
    (ending.outcome !== before.outcome || ending.why !== before.why) &&
    (before.outcome !== "interrupted" || ending.outcome === "failed")
  const known = isNews ? { ...ended, ...ending } : ended
  const isFinal =
    known.reported === null ? isOvertaken(used, known) : isSuperseded(used.evidence.turns, known) || known.joined
  const others = used.ended.flatMap((other) => (other.id !== before.id ? [other] : isFinal ? [] : [known]))
  const after = { ...used, ended: others }
  if (isNews) {
    const failure = failureIn(ending)
    return moved(
      failure === null
        ? andThen(restateEnding(after, before.id, ending.why, ending.outcome), (m) => messageAnswered(m, before.id))
        : messageFailed({ ...after, ended: others.filter(({ id }) => id !== before.id) }, known, failure)
    )
  }
  return isFinal ? moved(stay(after)) : waits(known === before ? used : after, "what may be reported late of its turn")
}
