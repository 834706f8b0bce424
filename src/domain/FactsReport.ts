import { type Facts, rootRecord } from "./Facts.ts"
import type { StatusRecords } from "./ProgramStatus.ts"

/** The facts after a program-status report left these records. */
export const foldReport = (facts: Facts, records: StatusRecords, now: number): Facts => {
  const was = rootRecord(facts.records)
  const root = rootRecord(records)
  const same = was !== null && root !== null && was.state === root.state && was.kind === root.kind
  const auth = root?.state === "blocked" && root.kind === "auth"
  const over = facts.problem?.kind === "auth" && was?.kind === "auth" && !auth
  return {
    ...facts,
    problem: auth ? { kind: "auth", message: root.message ?? "log in first", until: null } : over ? null : facts.problem,
    problemAt: auth && !same ? now : over ? null : facts.problemAt,
    records,
    toldSince: same ? facts.toldSince : root === null ? null : now,
    workedAt: root?.state === "working" ? now : facts.workedAt,
    hasWorked: facts.hasWorked || root?.state === "working",
    restedAt: !same && root !== null && root.state !== "working" && root.state !== "blocked" ? now : facts.restedAt,
    finishedAt: !same && (root?.state === "done" || root?.state === "error") ? now : facts.finishedAt
  }
}
