import { assert, describe, it } from "@effect/vitest"
import { readHook } from "../../../../src/domain/providers/gemini/Hooks.ts"
import { asked, toolEnded, toolStarted, turnEnded, turnStarted } from "../../../support/data/signals.ts"
import { each } from "../../../support/data/fields.ts"

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
    ["BeforeAgent", { ...named, prompt: "fix it" }, [identity, turnStarted("fix it")]],
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
      [identity, turnEnded()]
    ],
    ["BeforeTool", { tool_name: "run_shell_command", tool_input: {} }, [toolStarted("run_shell_command")]],
    ["AfterTool", { tool_name: "replace" }, [toolEnded("replace")]],
    [
      "Notification",
      permission({ type: "exec", title: "Confirm Shell Command", command: "mkdir -p out", rootCommand: "mkdir" }),
      [asked("permission", "mkdir", "Confirm Shell Command: mkdir -p out")]
    ],
    [
      "Notification",
      permission({ type: "edit", title: "Confirm Edit", filePath: "/p/app.js" }),
      [asked("permission", null, "Confirm Edit: /p/app.js")]
    ],
    ["Notification", permission({ type: "ask_user", title: "Ask User" }), [asked("question", "ask_user", "Ask User")]],
    [
      "Notification",
      permission({ type: "exit_plan_mode", title: "Exit Plan Mode" }),
      [asked("plan", "exit_plan_mode", "Exit Plan Mode")]
    ],
    ["PreCompress", { trigger: "manual" }, [{ _tag: "CompactStarted" }]]
  ])("%s %j", (event, payload, signals) => {
    assert.deepStrictEqual<ReadonlyArray<unknown>>(readHook(event, payload), signals)
  })

  it.each<readonly [string, unknown]>([
    ["PreCompress", { ...named, trigger: "auto" }],
    ["Notification", { notification_type: "Other" }],
    ["BeforeModel", named]
  ])("%s %j says nothing of the state", (event, payload) => {
    assert.deepStrictEqual(each(readHook(event, payload), "_tag"), ["Ignored"])
  })
})
