import { isCommand } from "./Box.ts"
import { isPrompt, mayBePrompt } from "./DeliveryEvidence.ts"
import type { Delivery } from "./DeliveryMemory.ts"
import type { EndedTurn, SentMessage, SentPhase } from "./Phase.ts"
import type { DeliveryCause } from "../../words/wording/deliveryWords.ts"
import type { ReportedEnd } from "./RecentTurns.ts"
import { endOf, isOnlyStart, isSuperseded, reportedEnd } from "./TurnEnds.ts"

/** How a turn ended, as the CLI reported it; `failure`: in its words. */
export type ToldEnding = { readonly outcome: "completed" } | { readonly outcome: "failed"; readonly failure: string }
/** The same as far as it is known, with what is told of it. */
export type TurnEnding = ToldEnding | { readonly outcome: "interrupted" | null; readonly why?: DeliveryCause }

export const endingFrom = ({ failure }: ReportedEnd): ToldEnding =>
  failure === null ? { outcome: "completed" } : { outcome: "failed", failure }

/** No message was sent behind this one. */
export const isLast = ({ ended, sent, typing }: Delivery, { attemptSeq }: SentMessage): boolean =>
  !(typing !== null && "pressed" in typing && typing.pressed !== null) &&
  ![...ended, ...sent].some((other) => other.attemptSeq > attemptSeq)

/** How its turn ended, as the CLI reported it; null where it has not. */
export const reportedEnding = (m: Delivery, message: SentMessage): ToldEnding | null => {
  const end = reportedEnd(m.evidence.turns, message, isLast(m, message))
  return end === null ? null : endingFrom(end)
}

/** The same behind other turns' beginnings: that it failed, by the CLI's own record. */
export const recordedEnding = ({ evidence: { turns } }: Delivery, message: SentMessage): ToldEnding | null => {
  const end = endOf(turns, message)
  return end !== null && end.failedAt !== null ? endingFrom(end) : null
}

/** The message with the beginning of its turn, where the last event reported it; and the prompt as used up. */
export const withReport = <M extends SentPhase | EndedTurn>(m: Delivery, message: M): readonly [Delivery, M] => {
  const { prompt, turns } = m.evidence
  const { reported } = message
  if (prompt.seq > Math.max(message.attemptSeq, m.promptUsed) && isPrompt(prompt.text, message.text))
    if (reported === null || !isSuperseded(turns, message))
      return [
        { ...m, promptUsed: prompt.seq },
        { ...message, reported: prompt.seq, joined: false }
      ]
  // Of what was sent before each has taken its own by now: this is none of theirs.
  const isTold = prompt.seq === turns.start.seq
  const isOther =
    isTold && (m.promptUsed === prompt.seq || !(isCommand(message.text) || mayBePrompt(prompt.text, message.text)))
  if (reported === null && !isOther && isOnlyStart(turns, message, isLast(m, message)))
    return [m, { ...message, reported: turns.start.seq }]
  // What background work begins within a turn goes on with it.
  const isOthers = reported !== null && turns.start.seq > reported && !turns.start.within
  return [m, isOthers && !message.joined && !isSuperseded(turns, message) ? { ...message, joined: true } : message]
}
