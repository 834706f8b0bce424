import { explainApprovals } from "../approvals/explainApprovals.ts"
import { type Delivery, entryOf } from "../delivery/DeliveryMemory.ts"
import { nameOf } from "../queue/MessageName.ts"
import type { EvidenceLine, Explanation } from "../../words/session/Explanation.ts"
import * as Tracker from "../tracker/Explain.ts"
import { waitWords } from "../../words/wording/waitWords.ts"
import { queueWait } from "./queueWait.ts"
import type { SessionMemory, SessionProfile } from "./SessionMachine.ts"

/** Why a session is classified as it is, why its messages wait, and the evidence about its permission requests. */
export const explain = ({ detection }: Pick<SessionProfile, "detection">) => {
  const tracked = Tracker.explain(detection)
  return ({ approvals, delivery, night, tracker }: SessionMemory, now: number): Explanation => {
    const explanation = tracked(tracker.facts, now)
    const wait = queueWait({ delivery, night }, now)
    return {
      ...explanation,
      holds: [
        ...explanation.holds,
        ...(wait === null
          ? []
          : [
              {
                name: wait.kind === "unwired" || wait.kind === "budget" ? wait.kind : "failed-turn",
                why: waitWords(wait.cause)
              }
            ])
      ],
      evidence: [
        ...explanation.evidence,
        ...explainWaits(delivery),
        ...explainApprovals(approvals, tracker.facts.screen.dialog !== null)
      ]
    }
  }
}

/** Why the messages in delivery wait, in their phases. */
const explainWaits = (delivery: Delivery): ReadonlyArray<EvidenceLine> =>
  delivery.waits.flatMap(({ awaited, id, phase }) => {
    const entry = id === null ? null : entryOf(delivery, id)
    // an ended turn only listens for reports, and waits for nothing
    return entry === null || phase === "EndedTurn"
      ? []
      : [{ source: "queue", says: `${nameOf(entry.message)} waits for ${awaited}`, since: null }]
  })
