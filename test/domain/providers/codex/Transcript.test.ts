import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { readTranscript } from "../../../../src/domain/providers/codex/Transcript.ts"
import { dated } from "../../../../src/domain/words/problems/ProblemText.ts"

const timestamp = "2026-11-21T07:51:33.545Z"
const at = Date.parse(timestamp)
const event = (payload: object, more: object = {}) => ({ timestamp, ordinal: 47, type: "event_msg", payload, ...more })
const failed = (message: unknown, codex_error_info: unknown) =>
  event({
    type: "task_complete",
    turn_id: "t1",
    last_agent_message: null,
    error: { message, codex_error_info },
    duration_ms: 12
  })
const ran = (type: string, more: object = {}) =>
  event({
    type: "item_completed",
    item: { type, id: "exec-1", source: "unified_exec_startup", status: "completed", ...more }
  })
const aborted = { type: "turn_aborted", turn_id: "t1", reason: "interrupted" }
const plain = 'fake: the "request" is\ninvalid'
const json = `{"error":{"type":"invalid_request_error","code":"invalid_request_error","message":"fake: the \\"request\\" is\\ninvalid","param":null}}`

describe("a record of the rollout", () => {
  it.each<readonly [string, unknown, ReadonlyArray<unknown>]>([
    ["a stop", event(aborted), [{ _tag: "Interrupted", at }]],
    ["an end for another reason", event({ ...aborted, reason: "replaced" }), []],
    ["a stop without a time", { ...event(aborted), timestamp: undefined }, []],
    ["a turn's good end", event({ type: "task_complete", turn_id: "t1", last_agent_message: "Done." }), []],
    [
      "a failure told as JSON",
      failed(json, "bad_request"),
      [
        {
          _tag: "TurnFailed",
          problem: { kind: "unknown", message: plain, until: null },
          message: plain,
          ends: true,
          at
        }
      ]
    ],
    ["a command that ran", ran("CommandExecution"), [{ _tag: "ToolRan", tool: null, id: "exec-1", at, ok: true }]],
    ["a command of the user's", ran("CommandExecution", { source: "user_shell" }), []],
    ["a patch", ran("FileChange"), [{ _tag: "ToolRan", tool: null, id: "exec-1", at, ok: true }]],
    ["a message", ran("AgentMessage"), [{ _tag: "ModelActed" }]],
    ["a tool that no hook tells of", ran("Plan"), [{ _tag: "ModelActed" }]],
    ["a prompt", ran("UserMessage"), []],
    ["a compaction", ran("ContextCompaction"), []],
    ["a response item", event(aborted, { type: "response_item" }), []],
    ["nothing", null, []]
  ])("%s", (_, record, signals) => assert.deepStrictEqual<ReadonlyArray<unknown>>(readTranscript(record), signals))

  it.each<readonly [string, string, unknown]>([
    [
      "rate_limited",
      "Exceeded retry limit, last status: 429 Too Many Requests",
      { response_too_many_failed_attempts: { http_status_code: 429 } }
    ],
    ["auth", "Unexpected status 401 Unauthorized: Incorrect API key provided", "unauthorized"],
    ["model", "The model 'gpt-9' does not exist or you do not have access to it.", "other"]
  ])("a problem of kind %s: %s", (kind, message, info) => {
    const [signal] = readTranscript(failed(message, info))
    assert.strictEqual<unknown>(signal?._tag === "TurnFailed" ? signal.problem?.kind : signal, kind)
  })

  it.each<readonly [string, string, number]>([
    ["You've hit your usage limit. Try again in 3 hours 20 minutes.", "2026-11-21T11:11:33.545Z", 60_000],
    ["You've hit your usage limit. Try again at 9:15 AM.", "2026-11-21T08:15:00.000Z", 60_000],
    ["You've hit your usage limit. Try again at Nov 24th, 2026 9:15 AM.", "2026-11-24T08:15:00.000Z", 60_000]
  ])("when a limit ends: %s", (message, until, within) => {
    const [signal] = readTranscript(failed(message, "usage_limit_exceeded"))
    const problem = signal?._tag === "TurnFailed" ? signal.problem : null
    const told = problem === null ? null : dated(problem, at, "Europe/Zurich")
    assert.deepStrictEqual([told?.until, told?.within], [until, within])
  })

  it.prop(
    "never throws on strange events",
    { type: Schema.Literals(["task_complete", "turn_aborted"]), error: Schema.Unknown },
    ({ error, type }) => assert.isArray(readTranscript(event({ type, error })))
  )
})
