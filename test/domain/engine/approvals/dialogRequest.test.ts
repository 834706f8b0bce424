import { assert, describe, it } from "@effect/vitest"
import { dialogRequest } from "../../../../src/domain/engine/approvals/showsRequest.ts"
import type { PendingPermission } from "../../../../src/domain/engine/approvals/PendingPermissions.ts"
import type { Dialog } from "../../../../src/domain/words/session/Screen.ts"
import { bash } from "../../policy/support.ts"

const dialog: Dialog = { kind: "permission", title: "Run it?", subject: "npm test", options: [] }
const one = (command: string, cwd = "/srv/app"): PendingPermission => ({
  id: 1,
  at: 0,
  event: "PermissionRequest",
  request: { ...bash(command), cwd },
  heeds: ["allow", "deny"],
  inspected: true,
  certain: true,
  decision: null,
  reply: { _tag: "Closed", at: 0, how: "asked" }
})

describe("the request of a dialog", () => {
  it.each<readonly [string, ReadonlyArray<PendingPermission>, string | null]>([
    ["nothing is known", [], null],
    ["the one that it shows", [one("npm test")], "npm test"],
    ["another one", [one("npm run x")], null],
    ["one of several", [one("npm run x"), one("npm test"), one("ls")], "npm test"],
    ["the same, by several hooks", [one("npm test"), one("npm test")], "npm test"],
    ["two that it could show", [one("npm test"), one("npm test", "/elsewhere")], null]
  ])("%s", (_, list, command) => {
    assert.strictEqual(dialogRequest({ list, overflowed: false }, dialog)?.command ?? null, command)
    // in doubt, none
    assert.isNull(dialogRequest({ list, overflowed: true }, dialog))
    assert.isNull(dialogRequest({ list, overflowed: false }, { ...dialog, kind: "question" }))
  })
})
