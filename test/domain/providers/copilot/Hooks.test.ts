import { assert, describe, it } from "@effect/vitest"
import { readHook } from "../../../../src/domain/providers/copilot/Hooks.ts"
import { asked, toolEnded, toolStarted, turnStarted } from "../../../support/data/signals.ts"
import { each } from "../../../support/data/fields.ts"

const base = { sessionId: "s1", timestamp: 1, cwd: "/app" }
const named = { _tag: "SessionStarted", sessionId: "s1", transcriptPath: null, source: "turn", directory: "/app" }
/** A subagent has a session id of its own. */
const sub = { ...base, sessionId: "a1", agentId: "a1", agentType: "explore", parentAgentId: "s1" }
const error = (message: string) => ({
  ...base,
  errorContext: "model_call",
  recoverable: true,
  error: { message, name: "Error", stack: "" }
})

describe("readHook", () => {
  it.each<readonly [string, unknown, ReadonlyArray<unknown>]>([
    [
      "StatusLine",
      { session_id: "s1", cwd: "/app", transcript_path: "/h/.copilot/session-state/s1" },
      [{ ...named, transcriptPath: "/h/.copilot/session-state/s1/events.jsonl", source: "status line" }]
    ],
    [
      "StatusLine",
      { session_id: "s1", cwd: "/app", transcript_path: "/h/s1/events.jsonl" },
      [{ ...named, transcriptPath: "/h/s1/events.jsonl", source: "status line" }]
    ],
    ["sessionStart", { ...base, source: "resume", initialPrompt: "go on" }, [named]],
    ["sessionEnd", { ...base, reason: "user_exit" }, [{ _tag: "SessionEnded", reason: "user_exit" }]],
    ["userPromptSubmitted", { ...base, prompt: "fix it" }, [named, turnStarted("fix it")]],
    [
      "userPromptSubmitted",
      { ...base, prompt: '<system_notification>\nShell command "x" has completed' },
      [named, turnStarted('<system_notification>\nShell command "x" has completed', true)]
    ],
    ["preToolUse", { ...base, toolName: "bash", toolArgs: {} }, [toolStarted("bash")]],
    [
      "preToolUse",
      { ...base, toolName: "ask_user", toolArgs: { message: "Which?" } },
      [toolStarted("ask_user"), asked("question", "ask_user", "Which?")]
    ],
    [
      "preToolUse",
      { ...base, toolName: "exit_plan_mode", toolArgs: {} },
      [toolStarted("exit_plan_mode"), asked("plan", "exit_plan_mode", "approve the plan")]
    ],
    ["postToolUse", { ...base, toolName: "bash" }, [toolEnded("bash")]],
    ["postToolUseFailure", { ...sub, toolName: "view", error: "no" }, [toolEnded("view", null, "a1")]],
    [
      "permissionRequest",
      { ...sub, toolName: "view", toolInput: { path: "/etc" } },
      [asked("permission", "view", "view: /etc")]
    ],
    [
      "notification",
      { ...base, notification_type: "permission_prompt", message: "Run command: ls" },
      [asked("permission", null, "Run command: ls")]
    ],
    [
      "notification",
      { ...base, notification_type: "elicitation_dialog", message: "Information requested" },
      [asked("question", null, "Information requested")]
    ],
    ["preCompact", { ...base, trigger: "manual" }, [{ _tag: "CompactStarted" }]]
  ])("%s %j", (event, payload, signals) => {
    assert.deepStrictEqual<ReadonlyArray<unknown>>(readHook(event, payload), signals)
  })

  it("an agent that the session itself runs as is the session", () => {
    assert.deepStrictEqual(each(readHook("agentStop", { ...base, agentId: "s1" }), "_tag"), [
      "SessionStarted",
      "TurnEnded"
    ])
  })

  it.each<readonly [string, string]>([
    ['{"type":"invalid_api_key","code":"invalid_api_key","message":"Incorrect API key provided"}', "auth"],
    ['{"type":"invalid_request_error","message":"the request is invalid"}', "unknown"]
  ])("a failed request is not the turn's end: %s is a problem of kind %s", (message, kind) => {
    const [signal, ...more] = readHook("errorOccurred", error(message))
    assert.deepStrictEqual(
      [signal?._tag, signal?._tag === "RequestFailed" ? (signal.problem?.kind ?? null) : undefined, more],
      ["RequestFailed", kind, []] as never
    )
  })
})
