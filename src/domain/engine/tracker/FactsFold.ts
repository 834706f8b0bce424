import { isResting } from "../../words/session/states.ts"
import type { Facts } from "./Facts.ts"
import { foldFrame, settleTornFrame, settleUnknown } from "./FactsFrame.ts"
import { foldKeys } from "./FactsKeys.ts"
import { foldReport } from "./FactsReport.ts"
import { foldSignal } from "./FactsSignal.ts"
import { settleText } from "./FactsText.ts"
import { applyReport, processExited } from "../../words/session/ProgramStatus.ts"
import type { SessionState } from "../../words/session/Session.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"

/** What the time alone has brought. */
const endGrace = (facts: Facts, now: number): Facts => settleText(settleUnknown(settleTornFrame(facts, now), now), now)

/**
 * The facts after one event. `state`: the classification before it. Total: no event is refused. An event may make due
 * at once what only time would have brought, so that this is settled behind it as well.
 */
export const fold = (facts: Facts, event: SessionEvent, state: SessionState): Facts => {
  const now = Math.max(facts.at, event.at)
  return endGrace(happened(endGrace(facts.at === now ? facts : { ...facts, at: now }, now), event, now, state), now)
}

const happened = (current: Facts, event: SessionEvent, now: number, state: SessionState): Facts => {
  switch (event._tag) {
    case "Output":
      return event.screen === null
        ? { ...current, outputAt: now }
        : foldFrame({ ...current, outputAt: now }, event.screen, now)
    case "Input":
      return foldKeys(current, event, now, state)
    case "Signal":
      return foldSignal(current, event.signal, event.source, now, state)
    case "Reported":
      return foldReport(current, applyReport(current.records, event.report), now)
    case "Send":
      return {
        ...current,
        sendAt: now,
        stop: null,
        dialogEnter: current.screen.dialog === null ? current.dialogEnter : { at: now, dialog: current.screen.dialog }
      }
    case "Resize":
      return { ...current, resizedAt: now }
    case "Decided":
      return { ...current, decidedAt: now }
    case "ModesChanged":
      return { ...current, modes: event.modes }
    case "HooksFound":
    case "Tick":
      return current
    case "Exited":
      return { ...current, exit: event.exit, records: processExited(current.records) }
  }
}

/**
 * The facts after the session was classified as `state`. A turn that was once classified as over stays over: what is
 * drawn afterwards (a picker, for instance) does not resume it.
 */
export const concluded = (facts: Facts, state: SessionState): Facts => {
  if (!isResting(state)) return facts
  const found = facts.workedAt !== null && (facts.foundRestAt === null || facts.foundRestAt < facts.workedAt)
  if (!found && facts.concludedTurnStart === facts.turnStartedAt) return facts
  return { ...facts, concludedTurnStart: facts.turnStartedAt, foundRestAt: found ? facts.at : facts.foundRestAt }
}
