import { assert, describe, it } from "@effect/vitest"
import type { SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { type SessionReport, sessionReport } from "../../../../src/domain/words/wording/SessionReport.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const problem = { kind: "rate_limited", message: "until four", until: null } as const
const row = (change: Partial<SessionStatus>): ReadonlyArray<string | null> => {
  const { kind, message, state } = sessionReport(null, sessionStatus({ reason: "why", ...change })).report
  return [state, kind, message]
}

describe("sessionReport", () => {
  it("says what the session does, what it asks for, and why", () => {
    assert.deepStrictEqual(row({ state: "running", message: "Reading files" }), ["working", null, "Reading files"])
    assert.deepStrictEqual(row({ state: "running" }), ["working", null, "why"])
    const background = [{ id: "1", kind: "shell", title: "npm test", state: "running" }]
    assert.deepStrictEqual(row({ state: "churning", background }), ["working", null, "npm test"])
    assert.deepStrictEqual(row({ state: "needs_permission", message: "Bash: ls" }), [
      "blocked",
      "permission",
      "Bash: ls"
    ])
    assert.deepStrictEqual(row({ state: "needs_input", question: { title: "Which?", options: [] } }), [
      "blocked",
      "question",
      "Which?"
    ])
    const auth = { ...problem, kind: "auth" } as const
    assert.deepStrictEqual(row({ state: "needs_input", problem: auth }), ["blocked", "auth", "why"])
    assert.deepStrictEqual(row({ state: "interrupted" }), ["idle", null, "why"])
    assert.deepStrictEqual(row({ state: "idle", problem }), ["error", null, "until four"])
    assert.deepStrictEqual(row({ state: "idle" }), ["idle", null, "why"])
  })

  it("has no record of what is not known yet, or over", () => {
    for (const state of ["starting", "exited"] as const) assert.deepStrictEqual(row({ state }), ["clear", null, null])
  })

  it("is done once a turn has run, until it is interrupted", () => {
    const states = ["idle", "running", "needs_permission", "idle", "idle", "needs_input", "idle", "running"] as const
    const said: Array<string> = []
    let last: SessionReport | null = null
    for (const state of [...states, "interrupted", "idle", "churning", "idle", "starting", "idle"] as const) {
      last = sessionReport(last, sessionStatus({ state }))
      said.push(last.report.state)
    }
    assert.strictEqual(
      said.join(" "),
      "idle working blocked done done blocked done working idle idle working done clear idle"
    )
  })

  it("is the root record, named after the session", () => {
    const { report } = sessionReport(null, sessionStatus({ state: "running", tag: "mine", baseCli: "gemini" }))
    assert.deepInclude(report, { id: "", title: "mine", app: "gemini", progress: null })
  })
})
