import { type Facts, rootRecord } from "./Facts.ts"
import type { StatusRecords } from "../session/ProgramStatus.ts"

/** The facts after a program-status report left these records. */
export const foldReport = (facts: Facts, records: StatusRecords, now: number): Facts => {
  const before = rootRecord(facts.records)
  const root = rootRecord(records)
  const same = before !== null && root !== null && before.state === root.state && before.kind === root.kind
  const wantsLogin = root?.state === "blocked" && root.kind === "auth"
  const loggedIn = facts.problem?.kind === "auth" && before?.kind === "auth" && !wantsLogin
  return {
    ...facts,
    problem: wantsLogin
      ? { kind: "auth", message: root.message ?? "log in first", until: null }
      : loggedIn
        ? null
        : facts.problem,
    problemAt: wantsLogin && !same ? now : loggedIn ? null : facts.problemAt,
    records,
    reportedSince: same ? facts.reportedSince : root === null ? null : now,
    workedAt: root?.state === "working" ? now : facts.workedAt,
    hasWorked: facts.hasWorked || root?.state === "working",
    reportedRestAt:
      !same && root !== null && root.state !== "working" && root.state !== "blocked" ? now : facts.reportedRestAt,
    reportedDoneAt: !same && (root?.state === "done" || root?.state === "error") ? now : facts.reportedDoneAt
  }
}
