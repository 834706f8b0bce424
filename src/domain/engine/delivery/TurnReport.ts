import { isCommand } from "./Box.ts"
import { isPrompt, mayBePrompt } from "./DeliveryEvidence.ts"
import type { Delivery } from "./DeliveryMemory.ts"
import type { EndedTurn, SentMessage, SentPhase } from "./Phase.ts"
import type { DeliveryCause } from "../../words/wording/deliveryWords.ts"
import { type ReportedEnd, reportedEndOf } from "./RecentTurns.ts"
import { timing } from "./DeliveryLimits.ts"
import { endOf, isOnlyStart, isSuperseded, mayFollow, ownEnd, reportedEnd, sharedEnd } from "./TurnEnds.ts"
import { lastOf, secondSince, type Beginnings } from "./Beginnings.ts"

/** How a turn ended, as the CLI reported it; `failure`: the CLI's message. */
export type ReportedEnding =
  | { readonly outcome: "completed" }
  | { readonly outcome: "failed"; readonly failure: string }
/** How a turn ended as far as it is known. */
export type KnownEnding = ReportedEnding | { readonly outcome: "interrupted" | null; readonly why?: DeliveryCause }

export const endingFrom = ({ failure }: ReportedEnd): ReportedEnding =>
  failure === null ? { outcome: "completed" } : { outcome: "failed", failure }

/** No message was sent after this one. */
export const isLast = ({ lastSentSeq, typing }: Delivery, { attemptSeq }: SentMessage): boolean =>
  !(typing !== null && "pressed" in typing && typing.pressed !== null) && lastSentSeq <= attemptSeq

/** How its turn ended, as the CLI reported it; null: no report. */
export const reportedEnding = (m: Delivery, message: SentMessage): ReportedEnding | null => {
  const end = reportedEnd(m.evidence.turns, message, isLast(m, message))
  return end === null ? null : endingFrom(end)
}

/** As {@link reportedEnding}, after other turns' beginnings: a failure in the CLI's own record. */
export const recordedEnding = ({ evidence: { turns } }: Delivery, message: SentMessage): ReportedEnding | null => {
  const end = endOf(turns, message)
  return end !== null && end.failedAt !== null ? endingFrom(end) : null
}

/**
 * The first end reported after a prompt that was typed ahead: the end of the turn of that time, which may have taken in
 * the prompt. Null if the prompt's own end is certain, or no end is reported.
 */
const firstEnd = (m: Delivery, message: SentMessage): Pick<ReportedEnd, "at" | "seq"> | null => {
  const { at, problemSeq, turns, view } = m.evidence
  if (!mayFollow(message)) return null
  const own = ownEnd(turns, message, isLast(m, message))
  // the CLI's record and the hook that reported that turn's end come in any order
  const isRecorded = (endOf(turns, message)?.failedAt ?? null) !== null
  if (own !== null) return message.untold && (message.behind === null || isRecorded) ? own : null
  const isSaid = view.problem !== null && problemSeq > message.attemptSeq
  return sharedEnd(turns, message) ?? (isSaid ? { seq: problemSeq, at } : null)
}

/** No beginning was told of a message sent behind this one, and none behind this end, which may be that message's. */
const isNextUntold = (m: Delivery, { attemptSeq }: SentMessage, { seq }: ReportedEnd): boolean =>
  m.evidence.turns.start.seq < seq &&
  [...m.ended, ...m.sent].some((other) => other.attemptSeq > attemptSeq && other.reported === null)

/**
 * A failure was reported after another turn's work began. This turn's end may not have been reported, and the failure
 * may be the next turn's.
 */
const mayHaveFailedBehind = (m: Delivery, message: SentMessage, isNextTold: boolean): boolean => {
  const { entered, resumed, turns } = m.evidence
  const { behind, enterSeq, joined, reported } = message
  const end = endOf(turns, message)
  if (end === null || end.failure === null) return false
  const { failedAt, seq: endSeq } = end
  const isOthersEnter = (other: Beginnings[number]) =>
    failedAt === null ? other.seq > (reported ?? 0) && other.seq < endSeq : other.at <= failedAt
  if (entered.some((other) => other.seq > enterSeq && isOthersEnter(other))) return true
  const since = Math.max(enterSeq, behind ?? 0)
  const isPrompt = joined || turns.userEnterSeq > enterSeq
  // without another prompt, work behind a rest is a turn that the CLI began by itself
  const rest = isPrompt || !isLast(m, message) ? 0 : timing.betweenTurns
  const [shown, told] = [secondSince(resumed, since, rest), secondSince(turns.runs, since, rest)]
  const second = Math.min(shown?.seq ?? Infinity, told?.seq ?? Infinity)
  // where hooks tell of its beginning behind that work, they tell of its end behind it, too; the record need not
  const isTold = isNextTold || !isNextUntold(m, message, end)
  const isInOrder = (end.failedAt === null && isTold) || isLast(m, message)
  if (!isPrompt && isInOrder && second <= (reported ?? 0)) return false
  // the CLI's own record has the time of it
  return end.failedAt === null ? second < end.seq : shown !== null && end.failedAt + timing.shownWork >= shown.at
}

/**
 * A failure in the CLI's own record was taken for an earlier turn's, and this message's turn was at work by then: hooks
 * that are behind the record tell the earlier turn's end later.
 */
export const mayBeItsFailure = (m: Delivery, { attemptSeq, enterSeq, enteredAt, reported }: SentMessage): boolean => {
  const { resumed, turns } = m.evidence
  const work = resumed.find(({ seq }) => seq > enterSeq)?.at ?? 0
  const since = Math.max(enteredAt, work - timing.shownWork)
  return turns.recent.some(({ failure, seq }) => {
    if (failure === null || failure.failedAt === null) return false
    return seq < (reported ?? Infinity) && failure.seq > attemptSeq && failure.failedAt >= since
  })
}

/** An earlier message is under way, and its beginning was not reported: the reported end may be that message's. */
const isBehindUntold = ({ sent }: Delivery, { attemptSeq, reported }: SentMessage): boolean =>
  reported !== null && sent.some((other) => other.attemptSeq < attemptSeq && other.reported === null)

/**
 * Whether the reported end is of this message's turn: false if it is another's, null if that is unknown. A session that
 * rests since that end, and has not begun to work anew since Enter, had one turn. `isNextTold`: as if the beginning of
 * the message sent behind this one had been told.
 */
export const isItsEnd = (m: Delivery, message: SentMessage, isNextTold = false): boolean | null => {
  const { at, overSince, resumed, turns } = m.evidence
  const end = firstEnd(m, message)
  if (isBehindUntold(m, message)) return null
  if (end === null) return mayHaveFailedBehind(m, message, isNextTold) ? null : true
  if (!message.ahead) return null
  const isRest = (overSince ?? at) - end.at < timing.unseenTurn
  const last = Math.max(lastOf(resumed), lastOf(turns.runs))
  if (isRest && last <= message.enterSeq) return true
  const isAnothers = turns.start.seq > Math.max(end.seq, message.reported ?? 0) || turns.userEnterSeq > message.enterSeq
  return last > end.seq && !isAnothers && isLast(m, message) ? false : null
}

/** The message with the beginning of its turn, if the last event reported it; the prompt counts as matched. */
export const withReport = <M extends SentPhase | EndedTurn>(m: Delivery, message: M): readonly [Delivery, M] => {
  const { prompt, turns } = m.evidence
  const { reported } = message
  // its own end was reported before this beginning, and was taken for that of the turn before
  const isOwn = reportedEndOf(turns.recent, prompt.seq)?.seq === message.behind
  // the turn before it was reported to begin, and may have been reported to end before that
  const hasToldBefore = turns.recent.some(({ seq }) => seq > message.attemptSeq && seq < prompt.seq)
  if (prompt.seq > Math.max(message.attemptSeq, m.lastMatchedPromptSeq) && isPrompt(prompt.text, message.text))
    if (reported === null || !isSuperseded(turns, message))
      return [
        { ...m, lastMatchedPromptSeq: prompt.seq },
        {
          ...message,
          reported: prompt.seq,
          joined: false,
          untold: message.ahead && message.untold && !hasToldBefore,
          // what was over when it was sent took nothing in, and was reported to end before this beginning
          behind: message.ahead && !isOwn ? message.behind : null
        }
      ]
  // Every earlier message has its own beginning by now, so this one belongs to none of them.
  const isTold = prompt.seq === turns.start.seq
  const isOther =
    isTold &&
    (m.lastMatchedPromptSeq === prompt.seq || !(isCommand(message.text) || mayBePrompt(prompt.text, message.text)))
  if (reported === null && !isOther && isOnlyStart(turns, message, isLast(m, message)))
    return [m, { ...message, reported: turns.start.seq }]
  // Background work that begins within a turn belongs to it.
  const isOthers = reported !== null && turns.start.seq > reported && !turns.start.within
  return [m, isOthers && !message.joined && !isSuperseded(turns, message) ? { ...message, joined: true } : message]
}
