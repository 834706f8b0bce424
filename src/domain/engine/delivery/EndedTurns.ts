import { andThen, type Delivery, restateEnding, stay } from "./DeliveryMemory.ts"
import { messageAnswered, messageFailedAfterAll } from "./FailedTurns.ts"
import type { EndedTurn } from "./Phase.ts"
import { isSuperseded } from "./TurnEnds.ts"
import { isLast, recordedEnding, reportedEnding, withReport } from "./TurnReport.ts"
import { timing } from "./DeliveryLimits.ts"
import { moved, type Verdict, waits } from "./Verdict.ts"
import type { Moments } from "./Waits.ts"

/** Something else has gone on since its turn was over, of which the CLI may be reporting. */
const isOvertaken = (m: Delivery, ended: EndedTurn): boolean => {
  const { ownTurnSeq, turns, workSeq } = m.evidence
  return Math.max(workSeq, ownTurnSeq, turns.userEnterSeq) > ended.endedSeq || !isLast(m, ended)
}

/** Nothing more is to be told of it: something else has gone on, and the CLI has told of what was sent behind it. */
const isForgotten = (m: Delivery, ended: EndedTurn): boolean =>
  isOvertaken(m, ended) &&
  [...m.ended, ...m.sent].some(
    ({ attemptSeq, reported, text }) => attemptSeq > ended.attemptSeq && (reported !== null || text === ended.text)
  )

/** Takes in what the CLI reports late of a message whose turn was seen to be over. */
export const endedTransition = (m: Delivery, before: EndedTurn, { passed }: Moments): Verdict => {
  const [used, ended] = withReport(m, before)
  const isOpen = ended.reported !== null || (ended.hadBegun && !isOvertaken(used, ended))
  const isOver = isSuperseded(used.evidence.turns, ended)
  const ending = isOver ? recordedEnding(used, ended) : isOpen ? reportedEnding(used, ended) : null
  const isNews =
    ending !== null &&
    ending.outcome !== before.outcome &&
    (before.outcome !== "interrupted" || ending.outcome === "failed")
  const known = isNews ? { ...ended, outcome: ending.outcome } : ended
  // the CLI's record may tell of a failure behind what hooks tell of the next turn
  const isFinal = known.reported === null ? isForgotten(used, known) : isOver && passed(known.endedAt + timing.endTold)
  const others = used.ended.flatMap((other) => (other.id !== before.id ? [other] : isFinal ? [] : [known]))
  const after = { ...used, ended: others }
  if (isNews) {
    return moved(
      ending.outcome === "completed"
        ? andThen(restateEnding(after, before.id, ending.why, ending.outcome), (m) => messageAnswered(m, before.id))
        : messageFailedAfterAll({ ...after, ended: others.filter(({ id }) => id !== before.id) }, known, ending.failure)
    )
  }
  return isFinal ? moved(stay(after)) : waits(known === before ? used : after, "what may be reported late of its turn")
}
