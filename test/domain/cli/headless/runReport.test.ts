import { assert, describe, it } from "@effect/vitest"
import type { AgentEvent } from "../../../../src/domain/cli/headless/AgentEvent.ts"
import { failureDocument, progressOf, usageOf } from "../../../../src/domain/cli/headless/runReport.ts"
import { AgentExitError } from "../../../../src/services/AgentProvider.ts"

const tool = { _tag: "ToolStarted", id: null, tool: "Read", preview: "a.txt", input: {}, agent: null } as const
const problem = { kind: "overloaded", message: "busy", retryAfter: null } as const

describe("progress", () => {
  it.each<[string, AgentEvent, string | null]>([
    ["the model", { _tag: "Started", sessionId: "S", model: "m" }, "· m"],
    ["a tool without arguments", { ...tool, preview: "" }, "· Read"],
    ["a subagent's tool", { ...tool, agent: "explorer" }, "· explorer: Read a.txt"],
    [
      "a tool that failed",
      { _tag: "ToolEnded", id: null, tool: null, ok: false, output: "no\nsuch file", agent: null },
      "  failed: no such file"
    ],
    ["a tool that did not", { _tag: "ToolEnded", id: null, tool: null, ok: true, output: "x", agent: null }, null],
    ["a refusal", { _tag: "Refused", tool: "Bash", why: "asks" }, "! Bash was refused: asks"],
    [
      "a retry",
      { _tag: "Retrying", attempt: 1, of: 10, inMs: 518, problem },
      "! attempt 1 of 10 failed, again in 1 s: busy"
    ],
    [
      "a retry of unknown length",
      { _tag: "Retrying", attempt: 2, of: null, inMs: null, problem },
      "! attempt 2 failed: busy"
    ],
    ["a notice", { _tag: "Notice", text: "\u001b[31mred\u001b[0m" }, "! [31mred [0m"],
    ["what is said between", { _tag: "Text", text: "I look.", delta: false, message: null, agent: null }, "  I look."],
    ["a piece of it", { _tag: "Text", text: "I lo", delta: true, message: null, agent: null }, null]
  ])("%s", (_, event, line) => {
    const said = progressOf(event)
    assert.strictEqual(said?.replace(/ +(?=\[)/g, " ") ?? null, line)
    // nothing of what a CLI says reaches the terminal as a command
    assert.notMatch(said ?? "", /[\u0000-\u001f\u007f]/u)
  })
  it("what it used", () => {
    const result = {
      provider: "p",
      text: "",
      answers: [],
      json: null,
      sessionId: null,
      model: null,
      turns: null,
      refused: [],
      stopReason: null,
      startedAt: "",
      completedAt: ""
    }
    const tokens = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, total: 2, estimated: false }
    assert.strictEqual(usageOf({ ...result, tokens, cost: { usd: 0.00744, estimated: false } }), "· 2 tokens, $0.0074")
    assert.strictEqual(
      usageOf({ ...result, tokens: { ...tokens, estimated: true }, cost: { usd: 1, estimated: true } }),
      "· about 2 tokens, about $1.0000"
    )
    assert.strictEqual(usageOf({ ...result, tokens, cost: null }), "· 2 tokens")
  })
  it("a failure as a document", () => {
    const error = new AgentExitError({
      provider: "p",
      code: 3,
      signal: null,
      sessionId: "S",
      text: "half",
      stderr: "boom"
    })
    assert.deepStrictEqual(JSON.parse(JSON.stringify(failureDocument(error, 12))), {
      schema: 1,
      error: {
        tag: "AgentExitError",
        exitCode: 12,
        message: "p failed: exit code 3: boom",
        provider: "p",
        code: 3,
        signal: null,
        sessionId: "S",
        text: "half",
        stderr: "boom"
      }
    })
  })
})
