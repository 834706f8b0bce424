import { assert, describe, it } from "@effect/vitest"
import { readHook } from "../../../../src/domain/providers/codex/Hooks.ts"
import { asked, toolEnded, toolStarted, turnEnded, turnStarted } from "../../../support/data/signals.ts"

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
    ["SessionEnd", { ...named, reason: "other" }, [{ _tag: "SessionEnded", reason: "other" }]],
    ["UserPromptSubmit", { ...turn, prompt: "fix it" }, [identity, turnStarted("fix it")]],
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
    ["Interrupt", turn, [{ _tag: "Interrupted", at: null }]],
    ["PreCompact", { ...turn, trigger: "manual" }, [{ _tag: "CompactStarted" }]],
    ["PostCompact", { ...turn, trigger: "manual" }, [{ _tag: "CompactEnded" }]]
  ])("%s %j", (event, payload, signals) => {
    assert.deepStrictEqual<ReadonlyArray<unknown>>(readHook(event, payload), signals)
  })
})
