import { assert, describe, it } from "@effect/vitest"
import { record } from "../../../src/layers/providers/CursorAgent.ts"

describe("Cursor Agent", () => {
  it("PRV-25: goes by its own name", () => {
    assert.deepStrictEqual([record.id, record.displayName], ["cursor-agent", "Cursor Agent"])
  })

  it("is started as the user would", () => {
    const { args, command, env } = record.launch({ args: ["--resume", "c1"], env: {}, self: [] })
    assert.deepStrictEqual([command, args, env], ["cursor-agent", ["--resume", "c1"], {}])
    assert.strictEqual(record.binary, command)
  })

  it("has no other witness than its hooks and its screen", () => {
    assert.isNull(record.ownStatus)
    assert.deepStrictEqual(record.detection.tells, { programStatus: false, ownStatus: false, turnHooks: true })
    assert.deepStrictEqual([record.detection.readOwnStatus({ status: "busy" }), record.detection.readTranscript({ type: "user" })], [[], []])
  })

  it("is told when a turn begins and ends, and of no event that its reader does not know", () => {
    const events = (record.hooks?.events ?? []).map(({ event }) => event)
    assert.includeMembers(events, ["sessionStart", "beforeSubmitPrompt", "preToolUse", "postToolUse", "stop"])
    assert.strictEqual(new Set(events).size, events.length)
    // A single name that the CLI does not know makes it pass over the whole file.
    assert.notIncludeMembers(events, ["notification", "Stop", "permissionRequest"])
    // It is told the whole file.
    assert.notInclude(events, "beforeReadFile")
    for (const event of events) {
      const said = record.detection.readHook(event, { conversation_id: "c1", text: "Done." }).map(({ _tag }) => _tag)
      assert.isNotEmpty(said, event)
      assert.notInclude(said, "Ignored", event)
    }
  })
})
