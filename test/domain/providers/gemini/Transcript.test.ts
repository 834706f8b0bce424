import { assert, describe, it } from "@effect/vitest"
import { readTranscript } from "../../../../src/domain/providers/gemini/Transcript.ts"
import * as Tracker from "../../../../src/domain/engine/tracker/Tracker.ts"
import { defaultModes } from "../../../../src/domain/words/session/Session.ts"
import { geminiDetection } from "../../../../src/domain/providers/gemini/Detection.ts"

const timestamp = "2026-11-21T10:00:00.000Z"
const at = Date.parse(timestamp)
const record = (type: string, content: unknown) => ({ id: "m1", timestamp, type, content })
const call = (status: string) => ({
  id: "run_shell_command__1",
  name: "run_shell_command",
  args: {},
  status,
  timestamp
})
const failure = (code: number, message: string, status: string) =>
  record("error", `[API Error: {"error":{"code":${code},"message":${JSON.stringify(message)},"status":"${status}"}}]`)

describe("a record of the chat file", () => {
  it.each<readonly [string, unknown, ReadonlyArray<unknown>]>([
    ["a cancelled request", record("info", "Request cancelled."), [{ _tag: "Interrupted", at }]],
    ["another notice", record("info", "This request failed. Press F12 for diagnostics"), []],
    [
      "an answer",
      record("gemini", "Done.\n\nRequest cancelled."),
      [{ _tag: "Responded", text: "Done.\n\nRequest cancelled." }]
    ],
    ["an answer that is a tool call alone", record("gemini", ""), []],
    ["a prompt", record("user", [{ text: "Request cancelled." }]), []],
    ["an error of leap's user", record("error", "Unknown command: /foo"), []],
    ["a change of the record", { $set: { lastUpdated: timestamp } }, []],
    ["a notice without a time", { ...record("info", "Request cancelled."), timestamp: "soon" }, []],
    [
      "tools that ran, and one that was cancelled",
      { ...record("gemini", ""), toolCalls: [call("success"), call("cancelled"), { name: "x" }, null] },
      [
        { _tag: "ToolRan", tool: "run_shell_command", id: null, at, ok: true },
        { _tag: "ToolRan", tool: "run_shell_command", id: null, at, ok: false }
      ]
    ],
    ["nothing", null, []]
  ])("%s", (_, from, signals) => assert.deepStrictEqual<ReadonlyArray<unknown>>(readTranscript(from), signals))

  it.each<readonly [string, unknown, string | null, string]>([
    [
      "a bad request, which says nothing of the next",
      failure(400, 'Request contains an "invalid" argument.', "INVALID_ARGUMENT"),
      "unknown",
      'Request contains an "invalid" argument.'
    ],
    ["plain words", record("error", "[API Error: fetch failed]"), "network", "fetch failed"],
    [
      "a reply without an end",
      record("error", "Model stream ended without a finish reason."),
      "network",
      "Model stream ended without a finish reason."
    ],
    [
      "a reply that is no call",
      record("info", "⚠️  Response stopped due to malformed function call."),
      "unknown",
      "the response was stopped: malformed function call."
    ]
  ])("the failure of a turn: %s", (_, from, kind, message) => {
    const [signal] = readTranscript(from)
    assert.deepStrictEqual<unknown>(signal, {
      _tag: "TurnFailed",
      message,
      problem: { kind, message, until: null },
      at
    })
  })

  it("tells when a limit ends", () => {
    const signals = readTranscript(
      failure(429, "You exceeded your current quota. Please retry in 32.5s.", "RESOURCE_EXHAUSTED")
    )
    const track = Tracker.track(geminiDetection)
    const view = signals.reduce(
      (memory, signal) => track(memory, { _tag: "Signal", at, source: "transcript", signal }),
      Tracker.start(at, defaultModes)
    ).view
    assert.deepStrictEqual(
      [view.problem?.kind, view.problem?.until, view.problem?.within],
      ["rate_limited", "2026-11-21T10:00:32.500Z", 100]
    )
  })
})
