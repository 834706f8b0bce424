import { explainApprovals } from "../approvals/explainApprovals.ts"
import * as Tracker from "../tracker/Explain.ts"
import type { SessionMemory, SessionProfile } from "./SessionMachine.ts"

/** Why a session is classified as it is, and the evidence about its requests for permission. */
export const explain = ({ detection }: Pick<SessionProfile, "detection">) => {
  const tracked = Tracker.explain(detection)
  return ({ approvals, tracker }: SessionMemory, now: number): Tracker.Explanation => {
    const explanation = tracked(tracker.facts, now)
    return {
      ...explanation,
      evidence: [...explanation.evidence, ...explainApprovals(approvals, tracker.facts.screen.dialog !== null)]
    }
  }
}
