import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readHook } from "../../../../src/domain/providers/cursor-agent/Hooks.ts"
import { Signal } from "../../../../src/domain/words/session/Signal.ts"

// HAND-MADE PAYLOADS, after the vendor's documentation of its hooks: there is no recording of Cursor Agent.
const named = {
  conversation_id: "c1",
  generation_id: "g1",
  workspace_roots: ["/home/me/app"],
  transcript_path: "/home/me/t.jsonl"
}
const identity = { _tag: "SessionStarted", sessionId: "c1", transcriptPath: "/home/me/t.jsonl", source: "turn" }

describe("Cursor's hooks", () => {
  it.each<readonly [string, unknown, ReadonlyArray<unknown>]>([
    ["sessionStart", named, [identity]],
    ["sessionStart", {}, []],
    ["sessionEnd", { reason: "user_close" }, [{ _tag: "SessionEnded", reason: "user_close" }]],
    [
      "beforeSubmitPrompt",
      { ...named, prompt: "fix it" },
      [identity, { _tag: "TurnStarted", prompt: "fix it", own: false }]
    ],
    ["beforeSubmitPrompt", null, [{ _tag: "TurnStarted", prompt: null, own: false }]],
    [
      "preToolUse",
      { tool_name: "Write", tool_use_id: "t1" },
      [{ _tag: "ToolStarted", tool: "Write", id: "t1", agent: null }]
    ],
    [
      "postToolUse",
      { tool_name: "Write", tool_use_id: "t1" },
      [{ _tag: "ToolEnded", tool: "Write", id: "t1", agent: null }]
    ],
    ["postToolUseFailure", {}, [{ _tag: "ToolEnded", tool: "a tool", id: null, agent: null }]],
    ["beforeShellExecution", { command: "ls" }, [{ _tag: "ToolStarted", tool: "Shell", id: null, agent: null }]],
    [
      "afterShellExecution",
      { command: "ls", output: "" },
      [{ _tag: "ToolEnded", tool: "Shell", id: null, agent: null }]
    ],
    ["beforeMCPExecution", { tool_name: "query" }, [{ _tag: "ToolStarted", tool: "query", id: null, agent: null }]],
    ["afterMCPExecution", {}, [{ _tag: "ToolEnded", tool: "an MCP tool", id: null, agent: null }]],
    ["afterAgentResponse", { text: "Done." }, [{ _tag: "Responded", text: "Done." }]],
    [
      "stop",
      { ...named, status: "completed", loop_count: 0 },
      [identity, { _tag: "TurnEnded", response: null, background: null }]
    ],
    ["stop", null, [{ _tag: "TurnEnded", response: null, background: null }]],
    ["stop", { status: "aborted" }, [{ _tag: "Interrupted", at: null }]],
    [
      "stop",
      { status: "error", error_message: "Rate limit reached, try again in 5m" },
      [
        {
          _tag: "TurnFailed",
          problem: { kind: "rate_limited", message: "Rate limit reached, try again in 5m", until: null },
          message: "Rate limit reached, try again in 5m",
          ends: true
        }
      ]
    ],
    [
      "stop",
      { status: "error", error: { message: "no" } },
      [{ _tag: "TurnFailed", problem: { kind: "unknown", message: "no", until: null }, message: "no", ends: true }]
    ],
    [
      "stop",
      { status: "error" },
      [
        {
          _tag: "TurnFailed",
          problem: { kind: "unknown", message: "the turn failed", until: null },
          message: "the turn failed",
          ends: true
        }
      ]
    ]
  ])("%s %j", (event, payload, signals) => {
    assert.deepStrictEqual<ReadonlyArray<unknown>>(readHook(event, payload), signals)
  })

  it.each([
    "preCompact",
    "subagentStart",
    "subagentStop",
    "afterFileEdit",
    "afterAgentThought",
    "beforeReadFile",
    "afterAgentResponse",
    "somethingNew"
  ])("%s says nothing of the state", (event) =>
    assert.deepStrictEqual(
      readHook(event, named).map(({ _tag }) => _tag),
      ["Ignored"]
    )
  )

  it.each([["conversation_id"], ["chatId"], ["chat_id"], ["session_id"]])("knows the conversation by %s", (name) => {
    const [signal] = readHook("sessionStart", { conversation_id: 7, chatId: [], [name]: "x" })
    assert.deepStrictEqual<unknown>(signal, { ...identity, sessionId: "x", transcriptPath: null })
  })

  const events = [
    "sessionStart",
    "beforeSubmitPrompt",
    "preToolUse",
    "afterAgentResponse",
    "stop",
    "sessionEnd",
    "nothing"
  ] as const
  const Loose = Schema.Union([
    Schema.Null,
    Schema.String,
    Schema.Finite,
    Schema.Array(Schema.Unknown),
    Schema.Record(
      Schema.Literals(["prompt", "status", "error", "text", "tool_name", "conversation_id", "transcript_path"]),
      Schema.Union([Schema.Null, Schema.String, Schema.Literals(["error", "aborted"]), Schema.Array(Schema.Unknown)])
    )
  ])
  it.prop("takes any payload", { event: Schema.Literals(events), payload: Loose }, ({ event, payload }) => {
    for (const signal of readHook(event, payload)) assert.isTrue(Schema.is(Signal)(signal))
  })
})
