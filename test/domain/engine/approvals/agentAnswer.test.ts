import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { agentAnswer } from "../../../../src/domain/engine/approvals/agentAnswer.ts"
import type { Dialog, DialogKind } from "../../../../src/domain/words/session/Screen.ts"

const dialogOf = (kind: DialogKind): Dialog => ({
  kind,
  title: "Write notes.md?",
  options: ["Yes", "Yes, and don't ask again for Write", "No"].map((label, index) => ({
    label,
    number: index + 1,
    selected: index === 0
  }))
})
const plain = { plainYes: "1", known: true, kept: null }
const said = (result: Result.Result<string, string>) =>
  Result.isSuccess(result) ? result.success : `! ${result.failure}`

describe("an agent's answer to a dialog", () => {
  it("is for the settings to allow, and by default none is", () => {
    for (const kind of ["question", "permission", "plan", "trust"] as const)
      assert.match(said(agentAnswer("none", dialogOf(kind), "1", plain)), /^! agents answer no dialogs here/)
    assert.strictEqual(said(agentAnswer("questions", dialogOf("question"), "2", plain)), "2")
    assert.match(said(agentAnswer("questions", dialogOf("permission"), "1", plain)), /^! agents answer questions alone/)
    for (const kind of ["plan", "trust", "login", "elicitation", "other"] as const)
      assert.match(said(agentAnswer("permissions", dialogOf(kind), "1", plain)), /^! .*neither/, kind)
  })

  it("grants one known request, never more, and refuses any", () => {
    const permission = dialogOf("permission")
    assert.strictEqual(said(agentAnswer("permissions", permission, "Yes", plain)), "1")
    assert.strictEqual(said(agentAnswer("permissions", permission, "1", plain)), "1")
    assert.strictEqual(said(agentAnswer("permissions", permission, "no", { ...plain, known: false })), "3")
    assert.match(said(agentAnswer("permissions", permission, "2", plain)), /^! .*neither/)
    assert.match(said(agentAnswer("permissions", permission, "maybe", plain)), /^! .*none of its options/)
    assert.match(said(agentAnswer("permissions", permission, "1", { ...plain, plainYes: null })), /^! .*neither/)
    assert.match(said(agentAnswer("permissions", permission, "1", { ...plain, known: false })), /^! .*not certain/)
    assert.match(
      said(agentAnswer("permissions", permission, "1", { ...plain, kept: "ask: git push*" })),
      /^! .*git push/
    )
  })
})
