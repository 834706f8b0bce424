import { isBusy } from "../../words/session/states.ts"
import { boxShows, draftOf, isCommand, refusalOf } from "./Box.ts"
import type { DeliveryEvidence } from "./DeliveryEvidence.ts"
import { timing } from "./DeliveryLimits.ts"
import { andThen, type Delivery, type DeliveryMove, holdMessage, receipt, stay } from "./DeliveryMemory.ts"
import { messageAnswered, messageFailed } from "./FailedTurns.ts"
import type { EndedTurn, GivenBack, Running, SentMessage, SentPhase, Submitted } from "./Phase.ts"
import { failedAgain, type ReportedEnd } from "./RecentTurns.ts"
import { endOf, isEndUnknown, isOthersFailure, isOwnEnd, isShared, isSuperseded, mayFollow } from "./TurnEnds.ts"
import {
  endingFrom,
  isItsEnd,
  isLast,
  mayBeItsFailure,
  reportedEnding,
  type KnownEnding,
  withReport
} from "./TurnReport.ts"
import { moved, type Transition, waits } from "./Transition.ts"
import type { DeliveryCause } from "../../words/wording/deliveryWords.ts"
import type { Moments } from "./Waits.ts"
import type { InputProtocol } from "../../cli/provider/InputProtocol.ts"

/** The next step of a message that the CLI accepted: its turn begins, and ends. */
export const sentTransition = (input: InputProtocol, m: Delivery, phase: SentPhase, moments: Moments): Transition => {
  if (m.evidence.exited) return moved(onExit(m, phase))
  const placed = behindOther(m, phase)
  const [known, now] = withReport(placed === phase ? m : replace(m, placed), placed)
  if (now._tag === "Running") return running(now === placed ? known : replace(known, now), now, moments)
  return now === placed ? notBegun(input, known, now, moments) : moved(turnStarted(known, now))
}

const replace = (m: Delivery, phase: SentPhase): Delivery => ({
  ...m,
  sent: m.sent.map((other) => (other.id === phase.id ? phase : other))
})

const without = (m: Delivery, { id }: SentMessage): Delivery => ({
  ...m,
  sent: m.sent.filter((other) => other.id !== id)
})

/**
 * The message with the end of the turn that ran when it was sent, if that turn was not one of leap's messages: the
 * user's own prompt, or background work.
 */
const behindOther = (m: Delivery, phase: SentPhase): SentPhase => {
  const { end, recent } = m.evidence.turns
  if (!mayFollow(phase) || end === null || end.seq <= phase.enterSeq) return phase
  // After that turn's end the CLI's record may report that it failed.
  if (phase.behind !== null)
    return end.seq > phase.behind && failedAgain(recent, end, phase.behind) ? { ...phase, behind: end.seq } : phase
  const isLater = phase.reported !== null && end.of > phase.reported
  const isKnown = isLater || isOwnEnd(end, phase) || endOf(m.evidence.turns, phase) !== null
  return isFirst(m, phase) && !isKnown ? { ...phase, behind: end.seq } : phase
}

/** No earlier message is still running. */
const isFirst = ({ sent }: Delivery, { attemptSeq }: SentMessage): boolean =>
  !sent.some((other) => other.attemptSeq < attemptSeq)

/** The fields that all phases share. */
const messageOf = (phase: SentMessage): SentMessage => {
  const { ahead, attemptSeq, behind, enterSeq, enteredAt, frames, id, joined, reported, submittedAt, text, untold } =
    phase
  return { ahead, attemptSeq, behind, enterSeq, enteredAt, frames, id, joined, reported, submittedAt, text, untold }
}

const onExit = (m: Delivery, phase: SentPhase): DeliveryMove =>
  phase._tag === "Running"
    ? receipt(without(m, phase), phase.id, "failed", ["exited-in-turn"])
    : isCommand(phase.text)
      ? turnIsOver(m, phase, { outcome: null, why: ["exited-on-it"] })
      : holdMessage(without(m, phase), phase.id, ["exited-before-turn"])

const turnStarted = (m: Delivery, phase: Submitted | GivenBack): DeliveryMove => {
  const { at, view } = m.evidence
  return receipt(
    replace(m, { ...phase, _tag: "Running", since: at, seenBusy: isBusy(view.state) }),
    phase.id,
    "started",
    null
  )
}

/** There is a sign, newer than Enter, that the message's turn began. */
const isStartSeen = (e: DeliveryEvidence, message: Submitted | GivenBack, { passed }: Moments): boolean => {
  if (message.ahead || e.ownTurnSeq > message.attemptSeq) return false
  if (e.workSeq > message.enterSeq) return true
  if (message._tag === "GivenBack") return false
  return e.busySince !== null && passed(Math.max(e.busySince, message.submittedAt) + timing.viewStart)
}

/**
 * The box shows its text, although Enter seemed to have sent it. While the box is covered, the last answer stays. The
 * text counts only before leap types the user's draft or another message.
 */
const isGivenBack = (input: InputProtocol, m: Delivery, phase: Submitted | GivenBack): boolean => {
  const { typing } = m
  if (draftOf(m) === null) return phase._tag === "GivenBack"
  const isOwn = typing === null || (typing._tag === "Restoring" && !typing.written && typing.attempt.id === phase.id)
  return m.evidence.frames > phase.frames && isOwn && boxShows(input, m, phase.text)
}

const notBegun = (input: InputProtocol, m: Delivery, phase: Submitted | GivenBack, moments: Moments): Transition => {
  const e = m.evidence
  if (isStartSeen(e, phase, moments)) return moved(turnStarted(m, phase))
  // The CLI may not report the beginning of a prompt typed ahead, so the next end belongs to the first message.
  const isNext = phase.ahead && phase.behind !== null && !isLast(m, phase) && isFirst(m, phase)
  const own = isNext ? endOf(e.turns, phase) : null
  if (own !== null) return moved(turnIsOver(toldFirst(m, phase, own), phase, endingFrom(own)))
  const isBack = isGivenBack(input, m, phase)
  if (isBack !== (phase._tag === "GivenBack")) {
    const changed: SentPhase = isBack
      ? { ...phase, _tag: "GivenBack", since: e.at }
      : { ...messageOf(phase), _tag: "Submitted" }
    return moved(stay(replace(m, changed)))
  }
  if (phase._tag === "GivenBack" && draftOf(m) === null) return waits(m, "the dialog over the box to close")
  if (phase._tag === "GivenBack")
    return moments.passed(phase.since + timing.givenBack)
      ? moved(holdMessage(without(m, phase), phase.id, ["given-back"]))
      : waits(m, "the box to let go of it")
  // A command may have opened a view, which stays until somebody closes it: the command's end does not wait for that.
  const restSince = isCommand(phase.text) ? e.overSince : e.restSince
  if (restSince === null) return waits(m, "its turn to begin")
  const timeout = isCommand(phase.text) ? timing.noTurnCommand : phase.ahead ? timing.aheadEnd : timing.noTurn
  if (!moments.passed(Math.max(restSince, phase.submittedAt) + timeout)) return waits(m, "a sign of its turn")
  const refusal = refusalOf(m, phase.text, phase.enterSeq)
  if (refusal !== null) return moved(holdMessage(without(m, phase), phase.id, [refusal]))
  // What becomes of the one before it may say what became of it.
  if (!isFirst(m, phase)) return waits(m, "its turn to begin")
  return moved(turnIsOver(m, phase, reportedEnding(m, phase) ?? { outcome: null, why: ["no-turn"] }))
}

const running = (m: Delivery, phase: Running, { passed }: Moments): Transition => {
  const e = m.evidence
  // Another turn has begun since, so this one's end needs no more signs.
  if (isSuperseded(e.turns, phase)) return moved(turnIsOver(m, phase, reportedEnding(m, phase) ?? unknown))
  // The first reported end belongs to the message sent first. The turn of a prompt typed ahead may be running by now.
  const first = phase.joined || !isLast(m, phase) ? endOf(e.turns, phase) : null
  // The next one's beginning is told behind this failure, unless the failure is the next one's.
  const isOpen = first?.failure != null && isItsEnd(m, phase) === null && isItsEnd(m, phase, true) !== null
  if (isOpen && !passed(first.at + timing.endTold)) return waits(m, "its turn's end to be told")
  if (first !== null) return moved(turnIsOver(toldFirst(m, phase, first), phase, endingFrom(first)))
  if (isBusy(e.view.state))
    return waits(phase.seenBusy ? m : replace(m, { ...phase, seenBusy: true }), "its turn to end")
  if (e.overSince === null) return waits(m, "its turn to end")
  const notTaken = notTakenWhy(m, phase)
  if (notTaken !== null)
    return passed(e.overSince + timing.endTold)
      ? moved(holdMessage(without(m, phase), phase.id, [notTaken]))
      : waits(m, "its turn to end")
  // A turn that was reported to begin, and was stopped, will not come again.
  const isStopped = phase.reported !== null && e.view.state === "interrupted"
  // The ends of the previous turn and of its own were reported: no other turn will come.
  const isBehind = phase.ahead && (phase.behind === null || endOf(e.turns, phase) === null)
  const ending = isStopped ? 0 : isBehind ? timing.aheadEnd : phase.seenBusy ? 0 : timing.unseenTurn
  if (isEndToBeTold(m, phase)) {
    if (!passed(Math.max(e.overSince, phase.since) + timing.endTold)) return waits(m, "its turn's end to be told")
    return moved(stay({ ...m, hookEnds: "untold" }))
  }
  const hasFailed = reportedEnding(m, phase)?.outcome === "failed"
  const isOwn = !isShared(e.turns, phase, isLast(m, phase))
  const settle = !hasFailed
    ? ending
    : isOwn
      ? Math.max(ending, e.view.problem === null ? timing.failureTold : 0)
      : timing.endTold
  return passed(Math.max(e.overSince, phase.since) + settle)
    ? moved(turnIsOver(m, phase, endingOf(m, phase)))
    : waits(m, "another turn, behind its own")
}

/**
 * Why a message has no turn although the CLI reported its prompt: a hook of the user's refused it, or the CLI knows no
 * such command. Null if its end was reported, if it was interrupted, or while `hookEnds` is `unheard`.
 */
const notTakenWhy = (m: Delivery, phase: Running): DeliveryCause[number] | null => {
  const { blocked, turns, view } = m.evidence
  // a program status also reports rest after a refused prompt
  const isTold = endOf(turns, phase) !== null || reportedEnding(m, phase)?.outcome === "failed"
  if (m.hookEnds === "unheard" || isTold || view.state === "interrupted") return null
  return blocked.seq > phase.enterSeq ? "hook-refused" : refusalOf(m, phase.text, phase.enterSeq)
}

/** The CLI's rest shows only that the turn is over, not how: hooks report a failure, maybe late. */
const isEndToBeTold = (m: Delivery, phase: Running): boolean => {
  const { problemSeq, view } = m.evidence
  if (m.hookEnds === "unheard" || m.hookEnds === "untold") return false
  const hasProblem = view.problem !== null && problemSeq > phase.attemptSeq
  const isKnown = view.state === "interrupted" || hasProblem || isCommand(phase.text)
  return !isKnown && reportedEnding(m, phase) === null
}

const unknown: KnownEnding = { outcome: null }

/** Messages typed before this message's end now follow that end. */
const toldFirst = (m: Delivery, { attemptSeq }: SentMessage, { seq }: ReportedEnd): Delivery => {
  const { end } = m.evidence.turns
  const isBehind = (other: SentPhase) =>
    other.attemptSeq > attemptSeq && other.ahead && (end === null || !isOwnEnd(end, other))
  return { ...m, sent: m.sent.map((other) => (isBehind(other) ? { ...other, behind: seq } : other)) }
}

/** The most messages whose turns are over and that wait for late reports. */
const mostEnded = 4

/**
 * The message's turn ended in this way: its receipt says so, and late reports are awaited. A message whose turn failed
 * goes back into the queue.
 */
const turnIsOver = (m: Delivery, phase: SentPhase, told: KnownEnding): DeliveryMove => {
  const isIts = isItsEnd(m, phase)
  const isDoubtful =
    told.outcome === "failed" ? isIts === null : told.outcome !== "interrupted" && mayBeItsFailure(m, phase)
  if (isDoubtful) return holdMessage(without(m, phase), phase.id, ["others-failure"])
  const isEnd = told.outcome === "completed" || told.outcome === "failed"
  const ending = isEnd && isIts !== true ? unknown : told
  if (ending.outcome === "failed") return messageFailed(without(m, phase), phase, ending.failure)
  const { outcome } = ending
  const ended: EndedTurn = {
    ...messageOf(phase),
    _tag: "EndedTurn",
    hadBegun: phase._tag === "Running",
    outcome,
    endedSeq: m.evidence.seq,
    endedAt: m.evidence.at,
    goneOn: []
  }
  return andThen(
    receipt(
      { ...without(m, phase), ended: [...m.ended, ended].slice(-mostEnded) },
      phase.id,
      "done",
      "why" in ending ? ending.why : null,
      outcome ?? undefined
    ),
    (m) => (outcome === "completed" ? messageAnswered(m, phase.id) : stay(m))
  )
}

/** How a finished turn ended: by its own end, by the user, or because the CLI could not continue. */
const endingOf = (m: Delivery, message: SentMessage): KnownEnding => {
  const { problemSeq, screen, turns, view } = m.evidence
  const reported = reportedEnding(m, message)
  // an interrupt key may have come after the failure
  if (view.state === "interrupted" && reported?.outcome !== "failed")
    return { outcome: "interrupted", why: ["interrupted"] }
  if (reported !== null) return reported
  if (isOthersFailure(turns, message)) return unknown
  // An earlier turn's failure stays until the CLI reports the next turn, which may be late.
  const isOfThisTurn = problemSeq > message.attemptSeq || screen?.loggedOut === true
  if (view.problem !== null && isOfThisTurn) return { outcome: "failed", failure: view.problem.message }
  return isEndUnknown(turns, message, isLast(m, message)) ? unknown : { outcome: "completed" }
}
