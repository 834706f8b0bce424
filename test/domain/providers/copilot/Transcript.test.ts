import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readTranscript } from "../../../../src/domain/providers/copilot/Transcript.ts"
import { Signal } from "../../../../src/domain/words/session/Signal.ts"

const timestamp = "2026-11-21T10:00:00.000Z"
const at = Date.parse(timestamp)
const record = (type: string, data: object = {}, more: object = {}) => ({
  type,
  data,
  id: "e1",
  timestamp,
  parentId: null,
  ...more
})
const failed = (data: object) => readTranscript(record("session.error", data))[0]

describe("a record of events.jsonl", () => {
  it.each<readonly [string, unknown, ReadonlyArray<unknown>]>([
    ["a stop", record("abort", { reason: "user_initiated" }), [{ _tag: "Interrupted", at }]],
    ["a stop without a time", { type: "abort", data: {} }, []],
    ["a subagent's stop", record("abort", {}, { agentId: "a1" }), []],
    [
      "what was said",
      record("assistant.message", { content: "Done.", toolRequests: [] }),
      [{ _tag: "Responded", text: "Done." }]
    ],
    [
      "a tool that begins",
      record("tool.execution_start", { toolCallId: "c1", toolName: "bash" }),
      [{ _tag: "ToolRan", tool: "bash", id: null, at, ok: true }]
    ],
    ["a subagent's tool", record("tool.execution_start", { toolName: "bash" }, { agentId: "a1" }), []],
    ["a message of tools alone", record("assistant.message", { content: "", toolRequests: [{}] }), []],
    ["what a subagent said", record("assistant.message", { content: "Found.", parentToolCallId: "t1" }), []],
    [
      "a permission",
      record("permission.requested", {
        requestId: "p1",
        permissionRequest: { kind: "shell", intention: "Make a folder", fullCommandText: "mkdir out" }
      }),
      [{ _tag: "Asked", kind: "permission", tool: null, message: "Make a folder" }]
    ],
    ["a permission that a hook decided", record("permission.requested", { requestId: "p1", resolvedByHook: true }), []],
    [
      "its answer",
      record("permission.completed", { requestId: "p1", result: { kind: "approved" } }),
      [{ _tag: "Answered" }]
    ],
    [
      "a question",
      record("elicitation.requested", { message: "Which?" }),
      [{ _tag: "Asked", kind: "question", tool: null, message: "Which?" }]
    ],
    [
      "a server's question",
      record("elicitation.requested", { message: "Name?", elicitationSource: "lab" }),
      [{ _tag: "Asked", kind: "elicitation", tool: "lab", message: "Name?" }]
    ],
    [
      "a plan",
      record("exit_plan_mode.requested", { summary: "Three steps" }),
      [{ _tag: "Asked", kind: "plan", tool: null, message: "Three steps" }]
    ],
    ["a compaction", record("session.compaction_start"), [{ _tag: "CompactStarted" }]],
    ["its end", record("session.compaction_complete", { success: true }), [{ _tag: "CompactEnded" }]],
    ["one model request's end, which is not the turn's", record("assistant.turn_end", { turnId: "0" }), []],
    ["a prompt", record("user.message", { content: "abort" }), []],
    ["nothing", null, []]
  ])("%s", (_, given, signals) => assert.deepStrictEqual<ReadonlyArray<unknown>>(readTranscript(given), signals))

  it.each<readonly [object, string]>([
    [{ errorType: "quota", errorCode: "quota_exceeded", message: "You are out of premium requests" }, "rate_limited"],
    [{ errorType: "query", statusCode: 503, message: "try later" }, "overloaded"],
    [{ errorType: "query", statusCode: 400, message: "400 the request is invalid" }, "unknown"]
  ])("a failure %j is a problem of kind %s, in the CLI's words", (data, kind) => {
    const signal = failed(data)
    assert.strictEqual(signal?._tag, "TurnFailed")
    if (signal?._tag === "TurnFailed") {
      assert.deepStrictEqual([signal.problem?.kind ?? null, signal.message], [
        kind,
        (data as { readonly message: string }).message
      ] as never)
      assert.strictEqual(signal.at, at)
      if (signal.problem !== null) assert.strictEqual(signal.problem.message, signal.message)
    }
  })

  it("a subagent's failure is not the session's", () => {
    assert.deepStrictEqual(readTranscript(record("session.error", { message: "x" }, { agentId: "a1" })), [])
  })

  it.prop(
    "never throws",
    {
      given: Schema.Unknown,
      type: Schema.Literals([
        "abort",
        "session.error",
        "permission.requested",
        "elicitation.requested",
        "assistant.message"
      ])
    },
    ({ given, type }) => {
      for (const signal of [
        ...readTranscript(given),
        ...readTranscript({ type, data: given, timestamp: given, agentId: given })
      ])
        assert.isTrue(Schema.is(Signal)(signal))
    }
  )
})
