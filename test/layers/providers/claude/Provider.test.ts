import { assert, describe, it } from "@effect/vitest"
import { claudeHooks as hooks } from "../../../../src/domain/providers/claude/Wiring.ts"
import { provider } from "../../../../src/layers/providers/claude/Provider.ts"
import { place } from "../../../support/wiring/wiring.ts"
import { each } from "../../../support/data/fields.ts"

describe("Claude", () => {
  it("keeps its settings where it is told, else in the home directory", () => {
    const files = (env: Record<string, string>) => hooks.files(place({ env })).map(({ path }) => path)
    assert.deepStrictEqual(files({ HOME: "/home/me" }), ["/home/me/.claude/settings.json"])
    assert.deepStrictEqual(files({ HOME: "/home/me", CLAUDE_CONFIG_DIR: "/etc/c/" }), ["/etc/c/settings.json"])
    assert.deepStrictEqual(files({ HOME: "/home/me", CLAUDE_CONFIG_DIR: "" }), ["/home/me/.claude/settings.json"])
    assert.strictEqual(
      provider.ownStatus?.directory({ HOME: "/home/me", CLAUDE_CONFIG_DIR: "/etc/c" }),
      "/etc/c/sessions"
    )
  })

  it("decides at a permission and before a tool, and leaves alone what would change the CLI", () => {
    assert.deepStrictEqual(
      each(
        hooks.events.filter(({ canAnswer }) => canAnswer),
        "event"
      ),
      ["PreToolUse", "PermissionRequest"]
    )
    const events = hooks.events.map(({ event }) => event)
    assert.notIncludeMembers(events, ["WorktreeCreate", "MessageDisplay"])
    assert.includeMembers(events, [
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "Stop",
      "StopFailure",
      "PreCompact"
    ])
    assert.strictEqual(new Set(events).size, events.length)
  })

  it("is told of every hook that it reads, and reads every hook that it is told of", () => {
    for (const { event } of hooks.events) {
      assert.notDeepEqual(each(provider.detection.readHook(event, {}), "_tag"), ["Ignored"], event)
    }
  })

  it("is started as the user would, and not as a part of another one", () => {
    const { args, command, env } = provider.launch({ args: ["--continue"], env: { CLAUDECODE: "1" }, self: [] })
    assert.deepStrictEqual([command, args, env["CLAUDECODE"]], ["claude", ["--continue"], null])
  })
})
