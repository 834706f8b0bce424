import { assert, describe, it } from "@effect/vitest"
import { start } from "../../../../src/domain/engine/approvals/Approvals.ts"
import { explainApprovals } from "../../../../src/domain/engine/approvals/explainApprovals.ts"
import type { PendingPermission } from "../../../../src/domain/engine/approvals/PendingPermissions.ts"
import { bash } from "../../policy/support.ts"

const pending = (reply: PendingPermission["reply"]): PendingPermission => ({
  certain: true,
  id: 1,
  at: 5,
  event: "PermissionRequest",
  request: bash("touch x"),
  heeds: ["allow", "deny"],
  decision: { verdict: "allow", rule: null, why: "the session's mode is always" },
  reply,
  inspected: true
})
const says = (reply: PendingPermission["reply"], asking: boolean) =>
  explainApprovals({ ...start, pending: { list: [pending(reply)], overflowed: false } }, asking).map(
    (line) => line.says
  )

describe("the evidence about requests", () => {
  it("names one whose hook waits, whatever is on screen, its outcome first", () => {
    for (const asking of [true, false])
      assert.deepStrictEqual(says({ _tag: "Open" }, asking), [
        "Bash: touch x: its hook waits; allow, since the session's mode is always"
      ])
  })

  it("says nothing of one that its user has been asked, once its dialog is gone: a later mode did not decide it", () => {
    const left = { _tag: "Closed", at: 6, how: "asked" } as const
    assert.lengthOf(says(left, true), 1)
    assert.lengthOf(says(left, false), 0)
  })
})
