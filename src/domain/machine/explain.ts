import { explainApprovals } from "../approvals/explainApprovals.ts"
import { pauseText } from "../failure/pauseText.ts"
import { pauseAt } from "../failure/TurnFailures.ts"
import * as Tracker from "../tracker/Explain.ts"
import type { SessionMemory, SessionProfile } from "./SessionMachine.ts"

/** Why a session is classified as it is, and the evidence about its requests for permission. */
export const explain = ({ detection }: Pick<SessionProfile, "detection">) => {
  const tracked = Tracker.explain(detection)
  return ({ approvals, delivery, night, tracker }: SessionMemory, now: number): Tracker.Explanation => {
    const explanation = tracked(tracker.facts, now)
    const pause = pauseAt(delivery.failures, now)
    return {
      ...explanation,
      holds: [
        ...explanation.holds,
        ...(pause === null ? [] : [{ name: "failed-turn", why: pauseText(pause, night.zone) }])
      ],
      evidence: [...explanation.evidence, ...explainApprovals(approvals, tracker.facts.screen.dialog !== null)]
    }
  }
}
