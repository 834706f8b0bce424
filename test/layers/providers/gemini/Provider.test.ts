import { assert, describe, it } from "@effect/vitest"
import { provider } from "../../../../src/layers/providers/gemini/Provider.ts"
import { geminiHooks as hooks } from "../../../../src/domain/providers/gemini/Wiring.ts"
import { each } from "../../../support/data/fields.ts"

describe("Gemini", () => {
  it("is told of every hook that it reads, and reads every hook that it is told of", () => {
    const said: Readonly<Record<string, unknown>> = {
      PreCompress: { trigger: "manual" },
      Notification: { notification_type: "ToolPermission" }
    }
    const events = hooks.events.map(({ event }) => event)
    assert.includeMembers(events, [
      "SessionStart",
      "BeforeAgent",
      "AfterAgent",
      "BeforeTool",
      "AfterTool",
      "Notification"
    ])
    for (const event of events) {
      assert.notDeepEqual(each(provider.detection.readHook(event, said[event] ?? {}), "_tag"), ["Ignored"], event)
    }
  })

  it("is started as the user would", () => {
    assert.deepStrictEqual(provider.launch({ args: ["--yolo"], env: {}, self: [] }), {
      command: "gemini",
      args: ["--yolo"],
      env: {}
    })
    assert.strictEqual(provider.id, "gemini")
  })
})
