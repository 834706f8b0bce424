import type { LastTurn } from "../../words/session/Session.ts"
import { turnOver } from "../../words/session/states.ts"
import type { DeliveryEvidence } from "./DeliveryEvidence.ts"
import { lastEnd } from "./ReportedTurns.ts"

/** How the session's last turn ended by the CLI's reports; null while one runs and if none was reported. */
export const lastTurn = ({ turns, view, workSeq }: DeliveryEvidence): LastTurn | null => {
  if (!turnOver.has(view.state)) return null
  const end = lastEnd(turns, workSeq)
  // An interrupt key may follow the failure.
  if (end !== null && end.failure !== null) return { outcome: "failed", why: end.failure }
  if (view.state === "interrupted") return { outcome: "interrupted", why: null }
  return end === null ? null : { outcome: "completed", why: null }
}
