import type { Facts } from "./Facts.ts"
import { foldFrame, settled } from "./FactsFrame.ts"
import { foldKeys } from "./FactsKeys.ts"
import { foldReport } from "./FactsReport.ts"
import { foldSignal } from "./FactsSignal.ts"
import { applyReport, processExited } from "./ProgramStatus.ts"
import type { SessionState } from "./Session.ts"
import type { SessionEvent } from "./SessionEvent.ts"

/** Takes one event in. `state` is what the session was doing when it came. Total: no event is refused. */
export const fold = (facts: Facts, event: SessionEvent, state: SessionState): Facts => {
  const now = Math.max(facts.at, event.at)
  const at = settled(facts.at === now ? facts : { ...facts, at: now }, now)
  switch (event._tag) {
    case "Output":
      return event.screen === null ? { ...at, outputAt: now } : foldFrame({ ...at, outputAt: now }, event.screen, now)
    case "Input":
      return foldKeys(at, event, now, state)
    case "Signaled":
      return foldSignal(at, event.signal, event.source, now, state)
    case "Reported":
      return foldReport(at, applyReport(at.records, event.report), now)
    case "Send":
      return { ...at, sendAt: now, stop: null, entered: at.screen.dialog === null ? at.entered : { at: now, dialog: at.screen.dialog } }
    case "Resize":
      return { ...at, resizedAt: now }
    case "Decided":
      return { ...at, decidedAt: now }
    case "ModesChanged":
      return { ...at, modes: event.modes }
    case "Tick":
      return at
    case "Exited":
      return { ...at, exit: event.exit, records: processExited(at.records) }
  }
}

/** A turn that was found to be over stays so: what is drawn afterwards, a picker say, does not make it go on. */
export const concluded = (facts: Facts, state: SessionState): Facts => {
  if (state !== "idle" && state !== "interrupted") return facts
  const found = facts.workedAt !== null && (facts.foundRestAt === null || facts.foundRestAt < facts.workedAt)
  if (!found && facts.turnOverAt === facts.turnStartedAt) return facts
  return { ...facts, turnOverAt: facts.turnStartedAt, foundRestAt: found ? facts.at : facts.foundRestAt }
}
