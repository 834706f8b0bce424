import { type Facts, rootRecord } from "./Facts.ts"
import { dated, problemOf, unknownProblem } from "../../words/reading/ProblemText.ts"
import type { Problem } from "../../words/session/Session.ts"
import type { StatusRecords } from "../../words/session/ProgramStatus.ts"

const failureOf = (message: string | null): Problem =>
  message === null ? unknownProblem("the CLI reported an error") : problemOf(message)

/** The facts after a program-status report left these records. */
export const foldReport = (facts: Facts, records: StatusRecords, now: number): Facts => {
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
    // That the CLI rests again ends a failure as little as it ends one that a hook told: the next turn does.
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
