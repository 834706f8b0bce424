import { assert, describe } from "@effect/vitest"
import { Effect, Struct } from "effect"
import type { AgentEvent } from "../../../src/domain/cli/headless/AgentEvent.ts"
import * as turns from "../../../src/domain/cli/headless/turns.ts"
import { withFallback } from "../../../src/programs/headless/fallback.ts"
import { AgentTimeoutError, type AgentRunOptions } from "../../../src/services/AgentProvider.ts"
import { aResult, limitError, scripted, type ScriptedTurn } from "../../support/headless/scripted.ts"
import { collect } from "../../support/headless/chatClient.ts"
import { effect, effectOfEach } from "../../support/run/effects.ts"
import { rowsOf } from "../../support/data/fields.ts"

const tool: AgentEvent = { _tag: "ToolStarted", id: null, tool: "t", preview: "", input: {}, agent: null }
const problem = { kind: "rate_limited", message: "slow down", retryAfter: null } as const
const failed: AgentEvent = { _tag: "Failed", problem }
const slow = new AgentTimeoutError({
  provider: "a",
  afterMs: 1,
  idle: false,
  trouble: problem,
  sessionId: null,
  text: "",
  stderr: ""
})
const withoutModel = (options: AgentRunOptions): AgentRunOptions => Struct.omit(options, ["model"])

/** Two providers with these turns; the second has no limit. */
const pair = (first: ScriptedTurn, ...more: ReadonlyArray<ScriptedTurn>) => {
  const a = scripted("a", [first])
  const b = scripted("b", [...more, { answer: "of b" }])
  const lines: Array<string> = []
  const agent = withFallback([a.agent, b.agent], withoutModel, (line) => Effect.sync(() => void lines.push(line)))
  return { a, b, agent, lines }
}

describe("a provider with others behind it", () => {
  effectOfEach<[string, ScriptedTurn, string | null]>([
    ["answers itself", { answer: "of a" }, "of a"],
    ["is at its limit", { events: [failed], answer: limitError("a") }, "of b"],
    ["has no quota left", { answer: limitError("a", "quota") }, "of b"],
    ["is overloaded", { answer: limitError("a", "overloaded") }, "of b"],
    ["took too long as it tried again", { answer: slow }, "of b"],
    ["is not logged in", { answer: limitError("a", "auth") }, null],
    ["had begun to use a tool", { events: [tool, failed], answer: limitError("a") }, null]
  ])("%s", function* ([, turn, answer]) {
    const { agent, b, lines } = pair(turn)
    const { error, events, result } = yield* collect(agent.execute("P", { model: "m", cwd: "/d" }))
    assert.strictEqual(result?.text ?? null, answer)
    if (answer === null) assert.isNotNull(error)
    const asks = answer === "of b"
    assert.deepStrictEqual(rowsOf(b.asked, "prompt", "options"), asks ? [["P", { cwd: "/d" }]] : [])
    assert.strictEqual(lines.length, asks ? 1 : 0)
    if (asks) {
      assert.match(lines[0] ?? "", /^a.*; B is asked instead$/)
      assert.deepStrictEqual(events, [{ _tag: "Notice", text: lines[0] ?? "" }])
    }
  })
  effect("tells the conversation to who stands in, and takes it back", function* () {
    const { a, agent, b } = pair({ answer: limitError("a") })
    const before = turns.after(turns.begin("a"), { prompt: "one", result: aResult("a", "first") })
    const { result } = yield* collect(agent.executeConversation(before, "two", {}))
    assert.deepInclude(b.asked[0]?.conversation, { provider: "b", sessionId: null, turns: before.turns })
    assert.strictEqual(result?.conversation.provider, "b")
    yield* collect(agent.executeConversation(result?.conversation ?? before, "three", {}))
    assert.deepInclude(a.asked[1]?.conversation, { provider: "a", sessionId: null })
    assert.strictEqual(a.asked[1]?.conversation?.turns.length, 4)
  })
})
