import { assert, describe, it } from "@effect/vitest"
import type { SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { nowText } from "../../../../src/domain/words/wording/nowText.ts"
import { groupCount, groupOf, sessionGroups } from "../../../../src/domain/words/attention/sessionGroups.ts"
import { sessionStates } from "../../../../src/domain/words/session/states.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const failed = { kind: "auth", message: "sign in again", until: null } as const
const rows: ReadonlyArray<readonly [says: string, Partial<SessionStatus>]> = [
  ["Running npm test", { state: "running", message: "Running npm test", lastResponse: "done before" }],
  ["program status: working", { state: "running", message: null, reason: "program status: working" }],
  ["all 42 tests pass", { state: "idle", lastResponse: "all 42 tests pass", reason: "program status: idle" }],
  // a session that has answered nothing yet says nothing
  ["", { state: "idle", lastResponse: " ", reason: "program status: idle" }],
  ["sign in again", { state: "idle", problem: failed, lastResponse: "all 42 tests pass" }],
  ["it is not recorded: the disk is full", { state: "idle", lastResponse: null, recordProblem: "the disk is full" }],
  ["exit code 1", { state: "exited", message: null, exit: { code: 1, signal: null }, dismissed: [] }]
]

describe("a session in one line, the same in every list", () => {
  it.each(rows)("says %j of %j", (says, changes) => {
    assert.include(nowText({ ...sessionStatus({}), message: null, ...changes }), says)
    if (says === "") assert.strictEqual(nowText({ ...sessionStatus({}), message: null, ...changes }), "")
  })

  it("is in one group, by its need before its state", () => {
    const groups = sessionStates.map((state) => groupOf(false, state))
    assert.deepStrictEqual(
      [...new Set(groups)].toSorted(),
      sessionGroups.filter((group) => group !== "needs you").toSorted()
    )
    for (const state of sessionStates) assert.strictEqual(groupOf(true, state), "needs you")
    assert.deepStrictEqual(
      [groupCount("needs you", 1), groupCount("needs you", 2), groupCount("at rest", 3)],
      ["1 needs you", "2 need you", "3 at rest"]
    )
  })
})
