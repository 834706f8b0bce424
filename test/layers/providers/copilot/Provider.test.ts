import { assert, describe, it } from "@effect/vitest"
import { copilotHooks as hooks } from "../../../../src/domain/providers/copilot/Wiring.ts"
import { provider } from "../../../../src/layers/providers/copilot/Provider.ts"
import { each } from "../../../support/data/fields.ts"

describe("Copilot", () => {
  it("is told of every hook that it reads, and reads every hook that it is told of", () => {
    for (const { event } of hooks.events) {
      const payload = event === "notification" ? { notification_type: "permission_prompt" } : { sessionId: "s1" }
      assert.notDeepEqual(each(provider.detection.readHook(event, payload), "_tag"), ["Ignored"], event)
    }
  })

  it("keeps a session's transcript where the session's id says", () => {
    assert.strictEqual(
      provider.transcript?.({ HOME: "/home/me" }, "s1"),
      "/home/me/.copilot/session-state/s1/events.jsonl"
    )
    assert.strictEqual(
      provider.transcript?.({ HOME: "/home/me", COPILOT_HOME: "/etc/c/" }, "s1"),
      "/etc/c/session-state/s1/events.jsonl"
    )
  })

  it("is started as the user would", () => {
    assert.deepStrictEqual(provider.launch({ args: ["--continue"], env: {}, self: [] }), {
      command: "copilot",
      args: ["--continue"],
      env: {}
    })
  })
})
