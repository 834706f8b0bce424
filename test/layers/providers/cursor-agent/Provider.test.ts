import { assert, describe, it } from "@effect/vitest"
import { provider } from "../../../../src/layers/providers/cursor-agent/Provider.ts"
import { cursorAgentHooks as hooks } from "../../../../src/domain/providers/cursor-agent/Wiring.ts"

describe("Cursor Agent", () => {
  it("PRV-25: goes by its own name", () => {
    assert.deepStrictEqual([provider.id, provider.displayName], ["cursor-agent", "Cursor Agent"])
  })

  it("is started as the user would", () => {
    const { args, command, env } = provider.launch({ args: ["--resume", "c1"], env: {}, self: [] })
    assert.deepStrictEqual([command, args, env], ["cursor-agent", ["--resume", "c1"], {}])
    assert.strictEqual(provider.binary, command)
  })

  it("has no other witness than its hooks and its screen", () => {
    assert.isNull(provider.ownStatus)
    assert.deepStrictEqual(provider.detection.capabilities, {
      programStatus: false,
      ownStatus: false,
      turnHooks: true,
      firstHook: "turn"
    })
    assert.deepStrictEqual(
      [provider.detection.readOwnStatus({ status: "busy" }), provider.detection.readTranscript({ type: "user" })],
      [[], []]
    )
  })

  it("is told when a turn begins and ends, and of no event that its reader does not know", () => {
    const events = hooks.events.map(({ event }) => event)
    assert.includeMembers(events, ["sessionStart", "beforeSubmitPrompt", "preToolUse", "postToolUse", "stop"])
    assert.strictEqual(new Set(events).size, events.length)
    // A single name that the CLI does not know makes it pass over the whole file.
    assert.notIncludeMembers(events, ["notification", "Stop", "permissionRequest"])
    // It is told the whole file.
    assert.notInclude(events, "beforeReadFile")
    for (const event of events) {
      const said = provider.detection.readHook(event, { conversation_id: "c1", text: "Done." }).map(({ _tag }) => _tag)
      assert.isNotEmpty(said, event)
      assert.notInclude(said, "Ignored", event)
    }
  })
})
