import { assert, describe, it } from "@effect/vitest"
import { copilotHooks } from "../../../../src/domain/providers/copilot/Wiring.ts"
import { commandOf, installed, place, statusOf } from "../../../support/wiring/wiring.ts"
import { each } from "../../../support/data/fields.ts"

const file = "/home/me/.copilot/hooks/leap.json"

describe("Copilot CLI's hooks", () => {
  it.each([
    [{ HOME: "/home/me" }, file],
    [{ HOME: "/home/me", COPILOT_HOME: "/c/" }, "/c/hooks/leap.json"]
  ])("stand in a file of their own where it looks for them: %j", (env, path) =>
    assert.deepStrictEqual(each(copilotHooks.files(place({ env })), "path"), [
      path.replace("hooks/leap", "settings"),
      path
    ])
  )

  it("cannot fail, for a failure would deny the tool, and wait longer only for a decision", () => {
    const { hooks, version } = JSON.parse(installed(copilotHooks, {})[file] ?? "") as {
      version: number
      hooks: Record<string, unknown>
    }
    assert.strictEqual(version, 1)
    assert.deepStrictEqual(hooks["preToolUse"], [{ type: "command", bash: commandOf("preToolUse"), timeoutSec: 10 }])
    assert.deepStrictEqual(hooks["agentStop"], [{ type: "command", bash: commandOf("agentStop"), timeoutSec: 5 }])
  })

  it("tell when they are switched off", () => {
    const text = (installed(copilotHooks, {})[file] ?? "").replace(
      '"version": 1,',
      '"version": 1, "disableAllHooks": true,'
    )
    const off = { state: "disabled" as const, details: ["disableAllHooks is set: no hook will run"] }
    assert.deepStrictEqual(statusOf(copilotHooks, { [file]: text }), off)
  })
})
