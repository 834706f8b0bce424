import { isResting } from "../../words/session/states.ts"
import { type Facts, rootRecord } from "./Facts.ts"
import { foldFrame, settleTornFrame, settleUnknown } from "./FactsFrame.ts"
import { foldKeys } from "./FactsKeys.ts"
import { foldSignal } from "./FactsSignal.ts"
import { settleText } from "./FactsText.ts"
import { applyReport, processExited, type StatusRecords } from "../../words/session/ProgramStatus.ts"
import type { SessionState, Problem } from "../../words/session/Session.ts"
import type { SessionEvent } from "../../words/session/SessionEvent.ts"
import { dated, problemOf, unknownProblem } from "../../words/problems/ProblemText.ts"

const failureOf = (message: string | null): Problem =>
  message === null ? unknownProblem("the CLI reported an error") : problemOf(message)

const foldReport = (facts: Facts, records: StatusRecords, now: number): Facts => {
  const before = rootRecord(facts.records)
  const root = rootRecord(records)
  const same = before !== null && root !== null && before.state === root.state && before.kind === root.kind
  const wantsLogin = root?.state === "blocked" && root.kind === "auth"
  const failed = root?.state === "error" && !same
  const works = root?.state === "working" && before?.state !== "working"
  const loggedIn = facts.problem?.kind === "auth" && before?.kind === "auth" && !wantsLogin
  return {
    ...facts,
    ...(wantsLogin
      ? {
          problem: { kind: "auth", message: root.message ?? "log in first", until: null },
          problemAt: same ? facts.problemAt : now
        }
      : loggedIn || works
        ? { problem: null, problemAt: null }
        : {}),
    // A reported rest does not end a failure, just as with failures that hooks report. The next turn ends it.
    reportedFailure: failed
      ? { at: now, problem: dated(failureOf(root.message), now, facts.zone) }
      : root?.state === "working" || root?.state === "blocked"
        ? null
        : facts.reportedFailure,
    records,
    reportedSince: same ? facts.reportedSince : root === null ? null : now,
    workedAt: root?.state === "working" ? now : facts.workedAt,
    hasWorked: facts.hasWorked || root?.state === "working",
    reportedRestAt:
      !same && root !== null && root.state !== "working" && root.state !== "blocked" ? now : facts.reportedRestAt,
    reportedDoneAt: !same && (root?.state === "done" || root?.state === "error") ? now : facts.reportedDoneAt
  }
}

/** Applies what becomes true by time alone. */
const endGrace = (facts: Facts, now: number): Facts => settleText(settleUnknown(settleTornFrame(facts, now), now), now)

/** The facts after an event, with everything due by then. `state`: the previous classification. No event is refused. */
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

/** The facts after the classification as `state`. A turn that counted as over stays over, whatever is drawn later. */
export const concluded = (facts: Facts, state: SessionState): Facts => {
  if (!isResting(state)) return facts
  const found = facts.workedAt !== null && (facts.foundRestAt === null || facts.foundRestAt < facts.workedAt)
  if (!found && facts.concludedTurnStart === facts.turnStartedAt) return facts
  return { ...facts, concludedTurnStart: facts.turnStartedAt, foundRestAt: found ? facts.at : facts.foundRestAt }
}
