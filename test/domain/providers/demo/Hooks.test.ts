import { assert, describe, it } from "@effect/vitest"
import { readHook } from "../../../../src/domain/providers/demo/Hooks.ts"
import { demoHooks } from "../../../../src/domain/providers/demo/Wiring.ts"
import { place } from "../../../support/wiring/wiring.ts"
import { Signal } from "../../../../src/domain/words/session/Signal.ts"
import { each } from "../../../support/data/fields.ts"

const { cases } = Signal
const common = { session_id: "s1", cwd: "/w", permission_mode: "default" }
const write = { tool_name: "Write", tool_input: { file_path: "notes.md", content: "x" } }
const ask = { tool_name: "Ask", tool_input: { question: "Which way?" } }

describe("readHook", () => {
  it.each([
    [
      "SessionStart",
      { source: "startup" },
      [cases.SessionStarted.make({ sessionId: "s1", transcriptPath: null, source: "startup", directory: "/w" })]
    ],
    ["UserPromptSubmit", { prompt: "hi" }, [cases.TurnStarted.make({ prompt: "hi", own: false })]],
    ["PreToolUse", write, [cases.ToolStarted.make({ tool: "Write", id: null, agent: null })]],
    [
      "PreToolUse",
      ask,
      [
        cases.ToolStarted.make({ tool: "Ask", id: null, agent: null }),
        cases.Asked.make({ kind: "question", tool: "Ask", message: "Which way?" })
      ]
    ],
    ["PermissionRequest", write, [cases.Asked.make({ kind: "permission", tool: "Write", message: "Write notes.md" })]],
    ["PostToolUse", write, [cases.ToolEnded.make({ tool: "Write", id: null, agent: null })]],
    ["PostToolUse", ask, [cases.Answered.make({}), cases.ToolEnded.make({ tool: "Ask", id: null, agent: null })]],
    [
      "Stop",
      {
        last_assistant_message: "done",
        background_tasks: [{ id: "b", type: "shell", status: "running", description: "Build" }]
      },
      [
        cases.TurnEnded.make({
          response: "done",
          background: [{ id: "b", kind: "shell", title: "Build", state: "running" }]
        })
      ]
    ],
    [
      "StopFailure",
      { error_details: "broken" },
      [cases.TurnFailed.make({ problem: { kind: "unknown", message: "broken", until: null }, message: "broken" })]
    ],
    ["SessionEnd", { reason: "prompt_input_exit" }, [cases.SessionEnded.make({ reason: "prompt_input_exit" })]]
  ])("%s", (event, fields, signals) => {
    assert.deepStrictEqual(readHook(event, { ...common, hook_event_name: event, ...fields }), signals)
  })
})

describe("demoHooks", () => {
  it("names the settings file the CLI reads", () => {
    const files = (env: Record<string, string>) => demoHooks.files(place({ env })).map(({ path }) => path)
    assert.deepStrictEqual(files({ HOME: "/h" }), ["/h/.leap-demo/settings.json"])
    assert.deepStrictEqual(files({ HOME: "/h", LEAP_DEMO_HOME: "/d" }), ["/d/settings.json"])
  })

  it("waits for an answer only where there is something to decide", () => {
    assert.deepStrictEqual(
      each(
        demoHooks.events.filter(({ canAnswer }) => canAnswer),
        "event"
      ),
      ["PermissionRequest"]
    )
  })
})
