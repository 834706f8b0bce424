import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readHook } from "../../../../src/domain/providers/gemini/Hooks.ts"
import { Signal } from "../../../../src/domain/words/session/Signal.ts"

const named = { session_id: "s1", transcript_path: "/t/session-2026-11-21T08-17-s1.jsonl" }
const identity = {
  _tag: "SessionStarted",
  sessionId: "s1",
  transcriptPath: "/t/session-2026-11-21T08-17-s1.jsonl",
  source: "turn"
}
const permission = (details: object) => ({
  ...named,
  notification_type: "ToolPermission",
  message: "Tool requires confirmation",
  details
})

describe("readHook", () => {
  it.each<readonly [string, unknown, ReadonlyArray<unknown>]>([
    ["SessionStart", { ...named, source: "resume" }, [{ ...identity, source: "resume" }]],
    ["SessionEnd", { reason: "exit" }, [{ _tag: "SessionEnded", reason: "exit" }]],
    ["BeforeAgent", { ...named, prompt: "fix it" }, [identity, { _tag: "TurnStarted", prompt: "fix it", own: false }]],
    [
      "BeforeAgent",
      {
        ...named,
        prompt:
          "[System: You successfully executed a tool but returned an empty response. Please analyze the tool output and explain your progress or final answer.]"
      },
      [identity, { _tag: "TurnStarted", prompt: null, own: true, goesOn: true }]
    ],
    [
      "AfterAgent",
      { ...named, prompt: "fix it", prompt_response: "Done. one. ", stop_hook_active: false },
      [identity, { _tag: "TurnEnded", response: null, background: null }]
    ],
    [
      "BeforeTool",
      { tool_name: "run_shell_command", tool_input: {} },
      [{ _tag: "ToolStarted", tool: "run_shell_command", id: null, agent: null }]
    ],
    ["AfterTool", { tool_name: "replace" }, [{ _tag: "ToolEnded", tool: "replace", id: null, agent: null }]],
    [
      "Notification",
      permission({ type: "exec", title: "Confirm Shell Command", command: "mkdir -p out", rootCommand: "mkdir" }),
      [
        {
          _tag: "Asked",
          kind: "permission",
          tool: "mkdir",
          message: "Confirm Shell Command: mkdir -p out"
        }
      ]
    ],
    [
      "Notification",
      permission({ type: "edit", title: "Confirm Edit", filePath: "/p/app.js" }),
      [{ _tag: "Asked", kind: "permission", tool: null, message: "Confirm Edit: /p/app.js" }]
    ],
    [
      "Notification",
      permission({ type: "ask_user", title: "Ask User" }),
      [{ _tag: "Asked", kind: "question", tool: "ask_user", message: "Ask User" }]
    ],
    [
      "Notification",
      permission({ type: "exit_plan_mode", title: "Exit Plan Mode" }),
      [{ _tag: "Asked", kind: "plan", tool: "exit_plan_mode", message: "Exit Plan Mode" }]
    ],
    ["PreCompress", { trigger: "manual" }, [{ _tag: "CompactStarted" }]]
  ])("%s %j", (event, payload, signals) => {
    assert.deepStrictEqual<ReadonlyArray<unknown>>(readHook(event, payload), signals)
  })

  it.each<readonly [string, unknown]>([
    ["PreCompress", { ...named, trigger: "auto" }],
    ["Notification", { notification_type: "Other" }],
    ["BeforeModel", named],
    ["AfterModel", named],
    ["SomethingNew", named]
  ])("%s %j says nothing of the state", (event, payload) => {
    assert.deepStrictEqual(
      readHook(event, payload).map(({ _tag }) => _tag),
      ["Ignored"]
    )
  })

  const events = [
    "SessionStart",
    "SessionEnd",
    "BeforeAgent",
    "AfterAgent",
    "BeforeTool",
    "AfterTool",
    "Notification",
    "PreCompress",
    "Nothing"
  ] as const
  const Value = Schema.Union([
    Schema.Null,
    Schema.String,
    Schema.Array(Schema.Unknown),
    Schema.Finite,
    Schema.Record(Schema.Literals(["type", "title", "command"]), Schema.Unknown)
  ])
  const Loose = Schema.Union([
    Schema.Null,
    Schema.String,
    Schema.Array(Schema.Unknown),
    Schema.Record(
      Schema.Literals(["prompt", "details", "trigger", "tool_name", "notification_type", "session_id"]),
      Value
    )
  ])
  it.prop("takes any payload", { event: Schema.Literals(events), payload: Loose }, ({ event, payload }) => {
    for (const signal of readHook(event, payload)) assert.isTrue(Schema.is(Signal)(signal))
  })
})
