import { assert, describe, it } from "@effect/vitest"
import { provider } from "../../../../src/layers/providers/codex/Provider.ts"
import { codexHooks as hooks } from "../../../../src/domain/providers/codex/Wiring.ts"
import { place } from "../../../support/wiring/wiring.ts"
import { each } from "../../../support/data/fields.ts"

describe("Codex", () => {
  it("keeps its hooks where it is told, else in the home directory", () => {
    const files = (env: Record<string, string>) => hooks.files(place({ env })).map(({ path }) => path)
    assert.deepStrictEqual(files({ HOME: "/home/me" }), ["/home/me/.codex/config.toml", "/home/me/.codex/hooks.json"])
    assert.deepStrictEqual(files({ HOME: "/home/me", CODEX_HOME: "/etc/c" }), [
      "/etc/c/config.toml",
      "/etc/c/hooks.json"
    ])
  })

  it("is told of every hook that says something of the state", () => {
    const wired = hooks.events.map(({ event }) => event)
    for (const event of [
      "SessionStart",
      "SessionEnd",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "PermissionRequest",
      "Stop",
      "Interrupt",
      "PreCompact",
      "PostCompact"
    ]) {
      assert.include(wired, event)
      assert.notDeepEqual(each(provider.detection.readHook(event, {}), "_tag"), ["Ignored"], event)
    }
  })

  it("runs its session itself, so that its hooks are its own", () => {
    assert.deepStrictEqual(provider.launch({ args: ["resume", "--last"], env: {}, self: [] }), {
      command: "codex",
      args: ["--no-daemon", "resume", "--last"],
      env: {}
    })
  })
})
