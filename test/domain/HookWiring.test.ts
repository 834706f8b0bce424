import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { claudeHooks } from "../../src/domain/claude/ClaudeWiring.ts"
import { codexHooks } from "../../src/domain/codex/CodexWiring.ts"
import { copilotHooks } from "../../src/domain/copilot/CopilotWiring.ts"
import { cursorHooks } from "../../src/domain/cursor/CursorWiring.ts"
import { demoHookWiring } from "../../src/domain/demo/DemoHooks.ts"
import { geminiHooks } from "../../src/domain/gemini/GeminiWiring.ts"
import { together } from "../../src/domain/HookWiring.ts"
import { opencodeHooks } from "../../src/domain/opencode/OpenCodeWiring.ts"
import * as Claude from "../../src/layers/providers/Claude.ts"
import * as Codex from "../../src/layers/providers/Codex.ts"
import * as Copilot from "../../src/layers/providers/Copilot.ts"
import * as CursorAgent from "../../src/layers/providers/CursorAgent.ts"
import * as Demo from "../../src/layers/providers/Demo.ts"
import * as Gemini from "../../src/layers/providers/Gemini.ts"
import * as OpenCode from "../../src/layers/providers/OpenCode.ts"
import { installed, place, removed, statusOf, type Texts } from "../support/wiring.ts"

const all = [
  ["claude", claudeHooks, Claude.record],
  ["codex", codexHooks, Codex.record],
  ["gemini", geminiHooks, Gemini.record],
  ["copilot", copilotHooks, Copilot.record],
  ["cursor", cursorHooks, CursorAgent.record],
  ["opencode", opencodeHooks, OpenCode.record],
  ["demo", demoHookWiring, Demo.record]
] as const

describe.each(all)("the hooks of %s", (_, hooks, record) => {
  it("are its provider's", () => assert.strictEqual(record.hooks, hooks))

  it("come where nothing is, and go without a trace", () => {
    assert.strictEqual(statusOf(hooks, {}).state, "missing")
    const texts = installed(hooks, {})
    assert.deepStrictEqual(statusOf(hooks, texts), { state: "installed", details: [] })
    assert.deepStrictEqual(installed(hooks, texts), texts)
    assert.deepStrictEqual(removed(hooks, texts), {})
    assert.deepStrictEqual(removed(hooks, {}), {})
    for (const text of Object.values(texts)) if (text.includes("\"command\"")) assert.include(text, "leap-hook.sh")
  })

  it("are brought up to date when leap moves, and then go without a trace", () => {
    const old = installed(hooks, {}, place({ script: "/older/leap-hook.sh" }))
    const texts = installed(hooks, old)
    assert.deepStrictEqual(texts, installed(hooks, {}))
    assert.deepStrictEqual(removed(hooks, texts), {})
    if (Object.values(old).some((text) => text.includes("/older/"))) assert.strictEqual(statusOf(hooks, old).state, "foreign")
  })

  it("say when one of several files is gone", () => {
    const texts = installed(hooks, {})
    const paths = hooks.files(place()).map(({ path }) => path)
    const main = paths.at(-1) ?? ""
    const { [main]: gone, ...rest } = texts
    assert.isDefined(gone)
    assert.notStrictEqual(statusOf(hooks, rest).state, "installed")
    assert.deepStrictEqual(installed(hooks, rest), texts)
  })

  it("are each told of once, and read by the provider", () => {
    const events = hooks.events.map(({ event }) => event)
    assert.strictEqual(new Set(events).size, events.length)
    for (const event of events) assert.match(event, /^[A-Za-z][A-Za-z.]*$/)
    const sample = {
      session_id: "s", sessionId: "s", sessionID: "s", conversation_id: "s", text: "Done.", notification_type: "ToolPermission", toolName: "bash",
      status: { type: "busy" }, part: { type: "text", text: "Done.", time: { start: 1, end: 2 } }, error: { message: "m" }, prompt: "p", trigger: "manual"
    }
    for (const event of events) {
      const read = record.detection.readHook(event, event === "notification" ? { ...sample, notification_type: "permission_prompt" } : sample)
      assert.notDeepEqual(read.map(({ _tag }) => _tag), ["Ignored"], event)
    }
  })

  it("never leave a file of the user's that they did not find", () => {
    const paths = hooks.files(place()).map(({ path }) => path)
    for (const path of paths) {
      if (/\.(?:js)$/.test(path)) continue
      for (const text of path.endsWith(".toml") ? ["", "# mine", "model = \"x\"\n"] : path.endsWith("npmrc") ? ["a=1\n"] : ["", "{}", "{\n  \"version\": 1,\n  \"mine\": [1]\n}\n"]) {
        const texts: Texts = { [path]: text }
        const there = installed(hooks, texts)
        assert.strictEqual(statusOf(hooks, there).state, "installed", path)
        assert.deepStrictEqual(removed(hooks, there), texts)
      }
    }
  })
})

describe("together", () => {
  const said = (...states: ReadonlyArray<Parameters<typeof together>[0][number]["state"]>) =>
    together(states.map((state) => ({ state, details: [state] }))).state
  it.each([
    [["installed", "installed"], "installed"],
    [["missing", "missing"], "missing"],
    [["installed", "missing"], "partly"],
    [["installed", "partly"], "partly"],
    [["installed", "outdated", "missing"], "outdated"],
    [["installed", "disabled"], "disabled"],
    [["partly", "disabled"], "partly"],
    [["missing", "disabled"], "partly"],
    [["installed", "foreign"], "foreign"],
    [["outdated", "foreign"], "foreign"],
    [["outdated", "unreadable"], "unreadable"]
  ] as const)("%j are %s", (states, state) => assert.strictEqual(said(...states), state))

  it.prop("tells every reason once", [Schema.Array(Schema.Literals(["a", "b", "c"]))], ([reasons]) => {
    const { details } = together(reasons.map((reason) => ({ state: "partly", details: [reason] })))
    assert.deepStrictEqual([...details].sort(), [...new Set(reasons)].sort())
  })
})
