import { assert, describe, it } from "@effect/vitest"
import { demoPermissions } from "../../../../src/domain/providers/demo/Permissions.ts"
import { decisionIn } from "../../../../src/demoCli/hooks.ts"

describe("the demo CLI's permissions", () => {
  it("reads what it asks for", () => {
    const asked = (tool_name: string, tool_input: object) =>
      demoPermissions.request("PermissionRequest", { tool_name, tool_input, cwd: "/p" })?.request
    const blank = { command: null, paths: [], url: null, agent: null, cwd: "/p" }
    assert.deepStrictEqual(asked("Shell", { command: "sleep 1" }), {
      ...blank,
      tool: "Shell",
      kind: "command",
      command: "sleep 1"
    })
    assert.strictEqual(asked("Ask", {})?.kind, "question")
    assert.isNull(demoPermissions.request("PreToolUse", { tool_name: "Write" }))
  })

  it("answers so that the demo CLI understands", () => {
    for (const verdict of ["allow", "deny"] as const) {
      assert.strictEqual(decisionIn([demoPermissions.reply("PermissionRequest", verdict, "because") ?? ""]), verdict)
    }
    assert.isNull(demoPermissions.reply("PermissionRequest", "ask", "because"))
  })

  it("knows its plain yes", () => {
    const options = ["Yes", "Yes, and don't ask again for Write", "No"].map((label, i) => ({
      number: i + 1,
      label,
      selected: i === 0
    }))
    assert.strictEqual(demoPermissions.plainYes({ kind: "permission", title: "Write notes.md?", options }), "1")
    assert.isNull(demoPermissions.plainYes({ kind: "question", title: "?", options }))
  })
})
