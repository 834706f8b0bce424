import { assert, describe, it } from "@effect/vitest"
import { cursorAgentHooks } from "../../../../src/domain/providers/cursor-agent/Wiring.ts"
import { commandOf, installed, removed, statusOf } from "../../../support/wiring/wiring.ts"

const file = "/home/me/.cursor/hooks.json"

describe("Cursor Agent's hooks", () => {
  it("stand beside those of the editor's user, in the shape that Cursor documents", () => {
    const text = '{\n  "version": 1,\n  "hooks": {\n    "stop": [{ "command": "./done.sh" }]\n  }\n}\n'
    const there = installed(cursorAgentHooks, { [file]: text })
    const { hooks } = JSON.parse(there[file] ?? "") as { hooks: Record<string, unknown> }
    assert.deepStrictEqual(hooks["stop"], [{ command: "./done.sh" }, { command: commandOf("stop"), timeout: 5 }])
    assert.strictEqual(statusOf(cursorAgentHooks, there).state, "installed")
    assert.deepStrictEqual(removed(cursorAgentHooks, there), { [file]: text })
  })

  it("replace those of the original leap, which named a state", () => {
    const old = { version: 1, hooks: { stop: [{ command: "/home/me/.cursor/leap-hook.sh idle" }] } }
    const there = installed(cursorAgentHooks, { [file]: JSON.stringify(old) })
    const { hooks } = JSON.parse(there[file] ?? "") as { hooks: Record<string, unknown> }
    assert.deepStrictEqual(hooks["stop"], [{ command: commandOf("stop"), timeout: 5 }])
    assert.deepStrictEqual(JSON.parse(removed(cursorAgentHooks, there)[file] ?? ""), { version: 1 })
  })
})
