import { assert, describe, it } from "@effect/vitest"
import { readHook } from "../../../../src/domain/providers/codex/Hooks.ts"
import { asked, toolEnded, toolStarted, turnEnded, turnStarted } from "../../../support/data/signals.ts"
import { each } from "../../../support/data/fields.ts"

const named = { session_id: "s1", transcript_path: "/s/rollout-s1.jsonl", cwd: "/repo", permission_mode: "default" }
const turn = { ...named, turn_id: "t1" }
const identity = {
  _tag: "SessionStarted",
  sessionId: "s1",
  transcriptPath: "/s/rollout-s1.jsonl",
  source: "turn",
  directory: "/repo"
}
const question = { questions: [{ id: "db", header: "Database", question: "Which database?", options: [] }] }

describe("readHook", () => {
  it.each<readonly [string, unknown, ReadonlyArray<unknown>]>([
    ["SessionStart", { ...named, source: "resume" }, [{ ...identity, source: "resume" }]],
    [
      "SessionStart",
      { ...named, transcript_path: null, source: "clear" },
      [{ ...identity, transcriptPath: null, source: "clear" }]
    ],
    ["SessionEnd", { ...named, reason: "other" }, [{ _tag: "SessionEnded", reason: "other" }]],
    ["UserPromptSubmit", { ...turn, prompt: "fix it" }, [identity, turnStarted("fix it")]],
    [
      "PreToolUse",
      { ...turn, tool_name: "Bash", tool_use_id: "c1", tool_input: { command: "ls" } },
      [toolStarted("Bash", "c1")]
    ],
    [
      "PreToolUse",
      { ...turn, agent_id: "a1", tool_name: "Bash", tool_use_id: "c1" },
      [toolStarted("Bash", "c1", "a1")]
    ],
    [
      "PreToolUse",
      { ...turn, tool_name: "request_user_input", tool_use_id: "c2", tool_input: question },
      [toolStarted("request_user_input", "c2"), asked("question", "request_user_input", "Which database?")]
    ],
    [
      "PreToolUse",
      { ...turn, tool_name: "request_user_input_async", tool_use_id: "c3", tool_input: question },
      [toolStarted("request_user_input_async", "c3")]
    ],
    [
      "PostToolUse",
      { ...turn, tool_name: "request_user_input", tool_use_id: "c2" },
      [toolEnded("request_user_input", "c2"), { _tag: "Answered" }]
    ],
    ["PostToolUse", { ...turn, tool_name: "apply_patch" }, [toolEnded("apply_patch")]],
    [
      "PermissionRequest",
      { ...turn, tool_name: "Bash", tool_input: { command: "touch a\ntouch b", description: "May I?" } },
      [asked("permission", "Bash", "Bash: touch a")]
    ],
    [
      "PermissionRequest",
      { ...turn, tool_name: "mcp__lab__do", tool_input: {} },
      [asked("permission", "mcp__lab__do", "mcp__lab__do")]
    ],
    ["Stop", { ...turn, stop_hook_active: false, last_assistant_message: "Done." }, [identity, turnEnded("Done.")]],
    ["Stop", turn, [identity, turnEnded()]],
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
    assert.deepStrictEqual(each(readHook(event, payload), "_tag"), ["Ignored"])
  })
})
