import { assert, describe, it } from "@effect/vitest"
import { readHook } from "../../../../src/domain/providers/claude/Hooks.ts"
import { asked, toolEnded, toolStarted, turnEnded, turnStarted } from "../../../support/data/signals.ts"
import { each } from "../../../support/data/fields.ts"

const named = { session_id: "s1", transcript_path: "/t/s1.jsonl" }
const identity = { _tag: "SessionStarted", sessionId: "s1", transcriptPath: "/t/s1.jsonl", source: "turn" }
const shell = { id: "b1", type: "shell", status: "running", description: "Run the build", command: "make" }

describe("readHook", () => {
  it.each<readonly [string, unknown, ReadonlyArray<unknown>]>([
    ["SessionStart", { ...named, source: "resume" }, [{ ...identity, source: "resume" }]],
    ["SessionEnd", { reason: "clear" }, [{ _tag: "SessionEnded", reason: "clear" }]],
    ["UserPromptSubmit", { ...named, prompt: "fix it" }, [identity, turnStarted("fix it")]],
    [
      "UserPromptSubmit",
      {
        prompt: "Your claude.ai usage limit has reset. Continue the task you were working on when the limit was reached"
      },
      [
        {
          _tag: "TurnStarted",
          prompt:
            "Your claude.ai usage limit has reset. Continue the task you were working on when the limit was reached",
          own: true,
          afterLimit: true
        }
      ]
    ],
    [
      "UserPromptSubmit",
      { prompt: "<task-notification>\n<task-id>b1</task-id>" },
      [turnStarted("<task-notification>\n<task-id>b1</task-id>", true)]
    ],
    [
      "UserPromptSubmit",
      { prompt: '\n\n<pasted_content id="d121">\na long\n\ntext\n</pasted_content id="d121">\n' },
      [turnStarted("a long\n\ntext")]
    ],
    ["PreToolUse", { tool_name: "Bash", tool_use_id: "t1" }, [toolStarted("Bash", "t1")]],
    ["PostToolUse", { tool_name: "Bash", tool_use_id: "t1", agent_id: "a1" }, [toolEnded("Bash", "t1", "a1")]],
    ["PostToolUseFailure", { tool_name: "Bash" }, [toolEnded("Bash")]],
    [
      "PermissionRequest",
      { tool_name: "Bash", tool_input: { command: "ls", description: "List" } },
      [asked("permission", "Bash", "Bash: List")]
    ],
    [
      "PermissionRequest",
      { tool_name: "AskUserQuestion", tool_input: { questions: [{ question: "Which one?" }] } },
      [asked("question", "AskUserQuestion", "Which one?")]
    ],
    [
      "PermissionRequest",
      { tool_name: "ExitPlanMode", tool_input: {} },
      [asked("plan", "ExitPlanMode", "approve the plan")]
    ],
    ["Elicitation", { mcp_server_name: "lab", message: "Your name?" }, [asked("elicitation", "lab", "Your name?")]],
    ["ElicitationResult", { action: "accept" }, [{ _tag: "Answered" }]],
    ["Stop", { ...named, last_assistant_message: "Done.", background_tasks: [] }, [identity, turnEnded("Done.", [])]],
    [
      "Stop",
      { last_assistant_message: "It runs.", background_tasks: [shell, { ...shell, id: "b2", status: "completed" }] },
      [turnEnded("It runs.", [{ id: "b1", kind: "shell", title: "Run the build", state: "running" }])]
    ],
    [
      "StopFailure",
      { error: "authentication_failed", last_assistant_message: "Please run /login · API Error: 403" },
      [
        {
          _tag: "TurnFailed",
          problem: { kind: "auth", message: "Please run /login · API Error: 403", until: null },
          message: "Please run /login · API Error: 403",
          ends: true
        }
      ]
    ],
    [
      "StopFailure",
      { error: "invalid_request", error_details: "prompt is too long" },
      [
        {
          _tag: "TurnFailed",
          problem: { kind: "context", message: "prompt is too long", until: null },
          message: "prompt is too long",
          ends: true
        }
      ]
    ],
    ["PreCompact", { trigger: "auto" }, [{ _tag: "CompactStarted" }]],
    ["PostCompact", {}, [{ _tag: "CompactEnded" }]]
  ])("%s %j", (event, payload, signals) => {
    assert.deepStrictEqual<ReadonlyArray<unknown>>(readHook(event, payload), signals)
  })

  it("tells a subagent's end from the session's", () => {
    assert.deepStrictEqual(each(readHook("Stop", { agent_id: "a1" }), "_tag"), ["Ignored"])
    assert.deepStrictEqual(each(readHook("StopFailure", { agent_id: "a1" }), "_tag"), ["Ignored"])
  })
})
