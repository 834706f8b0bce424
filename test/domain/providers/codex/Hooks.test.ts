import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readHook } from "../../../../src/domain/providers/codex/Hooks.ts"
import { Signal } from "../../../../src/domain/words/session/Signal.ts"

const named = { session_id: "s1", transcript_path: "/s/rollout-s1.jsonl", cwd: "/repo", permission_mode: "default" }
const turn = { ...named, turn_id: "t1" }
const identity = { _tag: "SessionStarted", sessionId: "s1", transcriptPath: "/s/rollout-s1.jsonl", source: "turn" }
const question = { questions: [{ id: "db", header: "Database", question: "Which database?", options: [] }] }

describe("readHook", () => {
  it.each<readonly [string, unknown, ReadonlyArray<unknown>]>([
    ["SessionStart", { ...named, source: "resume" }, [{ ...identity, source: "resume" }]],
    [
      "SessionStart",
      { session_id: "s1", transcript_path: null, source: "clear" },
      [{ ...identity, transcriptPath: null, source: "clear" }]
    ],
    ["SessionEnd", { ...named, reason: "other" }, [{ _tag: "SessionEnded", reason: "other" }]],
    [
      "UserPromptSubmit",
      { ...turn, prompt: "fix it" },
      [identity, { _tag: "TurnStarted", prompt: "fix it", own: false }]
    ],
    [
      "PreToolUse",
      { ...turn, tool_name: "Bash", tool_use_id: "c1", tool_input: { command: "ls" } },
      [{ _tag: "ToolStarted", tool: "Bash", id: "c1", agent: null }]
    ],
    [
      "PreToolUse",
      { ...turn, agent_id: "a1", tool_name: "Bash", tool_use_id: "c1" },
      [{ _tag: "ToolStarted", tool: "Bash", id: "c1", agent: "a1" }]
    ],
    [
      "PreToolUse",
      { ...turn, tool_name: "request_user_input", tool_use_id: "c2", tool_input: question },
      [
        { _tag: "ToolStarted", tool: "request_user_input", id: "c2", agent: null },
        { _tag: "Asked", kind: "question", tool: "request_user_input", message: "Which database?" }
      ]
    ],
    [
      "PreToolUse",
      { ...turn, tool_name: "request_user_input_async", tool_use_id: "c3", tool_input: question },
      [{ _tag: "ToolStarted", tool: "request_user_input_async", id: "c3", agent: null }]
    ],
    [
      "PostToolUse",
      { ...turn, tool_name: "request_user_input", tool_use_id: "c2" },
      [{ _tag: "ToolEnded", tool: "request_user_input", id: "c2", agent: null }, { _tag: "Answered" }]
    ],
    [
      "PostToolUse",
      { ...turn, tool_name: "apply_patch" },
      [{ _tag: "ToolEnded", tool: "apply_patch", id: null, agent: null }]
    ],
    [
      "PermissionRequest",
      { ...turn, tool_name: "Bash", tool_input: { command: "touch a\ntouch b", description: "May I?" } },
      [{ _tag: "Asked", kind: "permission", tool: "Bash", message: "Bash: touch a" }]
    ],
    [
      "PermissionRequest",
      { ...turn, tool_name: "mcp__lab__do", tool_input: {} },
      [{ _tag: "Asked", kind: "permission", tool: "mcp__lab__do", message: "mcp__lab__do" }]
    ],
    [
      "Stop",
      { ...turn, stop_hook_active: false, last_assistant_message: "Done." },
      [identity, { _tag: "TurnEnded", response: "Done.", background: null }]
    ],
    ["Stop", turn, [identity, { _tag: "TurnEnded", response: null, background: null }]],
    ["Interrupt", turn, [{ _tag: "Interrupted", at: null }]],
    ["PreCompact", { ...turn, trigger: "manual" }, [{ _tag: "CompactStarted" }]],
    ["PostCompact", { ...turn, trigger: "manual" }, [{ _tag: "CompactEnded" }]]
  ])("%s %j", (event, payload, signals) => {
    assert.deepStrictEqual<ReadonlyArray<unknown>>(readHook(event, payload), signals)
  })

  it.each<readonly [string, unknown]>([
    ["SubagentStart", { ...turn, agent_id: "a1" }],
    ["SubagentStop", { ...turn, agent_id: "a1" }],
    ["Stop", { ...turn, agent_id: "a1" }],
    ["Interrupt", { ...turn, agent_id: "a1" }],
    ["UserPromptSubmit", { ...turn, agent_id: "a1", prompt: "count" }],
    // of a hidden thread as well as of this one
    ["notify", { type: "agent-turn-complete", "thread-id": "hidden", "last-assistant-message": "Lab session" }],
    ["SomethingNew", turn]
  ])("%s %j says nothing of the state", (event, payload) => {
    assert.deepStrictEqual(
      readHook(event, payload).map(({ _tag }) => _tag),
      ["Ignored"]
    )
  })

  const events = Schema.Literals([
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PermissionRequest",
    "Stop",
    "Interrupt",
    "PreCompact",
    "x"
  ])
  const isSignals = Schema.is(Schema.Array(Signal))
  it.prop("is total", { event: events, payload: Schema.Unknown }, ({ event, payload }) =>
    assert.isTrue(isSignals(readHook(event, payload)))
  )
  it.prop(
    "is total over strange fields",
    {
      event: events,
      session_id: Schema.Unknown,
      tool_name: Schema.Literals(["request_user_input", "Bash"]),
      tool_input: Schema.Unknown,
      agent_id: Schema.Unknown
    },
    ({ event, ...payload }) => assert.isTrue(isSignals(readHook(event, payload)))
  )
})
