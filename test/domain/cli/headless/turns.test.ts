import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import type { AgentResult } from "../../../../src/domain/cli/headless/AgentResult.ts"
import { Conversation } from "../../../../src/domain/cli/headless/Conversation.ts"
import { countAll, countByBytes, estimatedTokens } from "../../../../src/domain/cli/headless/tokens.ts"
import * as turns from "../../../../src/domain/cli/headless/turns.ts"

const tokens = { input: 3, cacheRead: 10, cacheWrite: 2, output: 5, total: 20, estimated: false }
const result = (more: Partial<AgentResult> = {}): AgentResult => ({
  provider: "p",
  text: "a",
  answers: ["a"],
  json: null,
  sessionId: "S",
  model: "m",
  tokens,
  cost: null,
  turns: 1,
  refused: [],
  stopReason: null,
  startedAt: "",
  completedAt: "",
  ...more
})

describe("a conversation", () => {
  it("begins with its system prompt, or with nothing", () => {
    assert.deepStrictEqual(turns.begin("p", { systemPrompt: "S" }).turns, [{ role: "system", text: "S", tokens: null }])
    assert.deepStrictEqual(turns.begin("p", { systemPrompt: " ", sessionId: "" }), {
      schema: 1,
      provider: "p",
      sessionId: null,
      cwd: null,
      model: null,
      turns: [],
      totalTokens: 0,
      stoppedBy: null
    })
    assert.isTrue(turns.isFresh(turns.begin("p", { systemPrompt: "S" })))
  })
  it("grows by what was asked and answered, and is not changed", () => {
    const before = turns.begin("p", { systemPrompt: "S" })
    const after = turns.after(before, { prompt: "q", result: result(), cwd: "/c" })
    assert.deepStrictEqual([after.sessionId, after.cwd, after.model, after.totalTokens], ["S", "/c", "m", 20])
    assert.deepStrictEqual([before.sessionId, before.turns.length, before.totalTokens], [null, 1, 0])
    assert.strictEqual(turns.lastAnswer(after), "a")
    assert.strictEqual(turns.lastTurn(after)?.role, "assistant")
    assert.isFalse(turns.isFresh(after))
    assert.strictEqual(turns.after(after, { prompt: "q", result: result(), cwd: "/other" }).cwd, "/c")
  })
  it("keeps the session it knows where a turn tells none", () => {
    const known = turns.begin("p", { sessionId: "S" })
    assert.strictEqual(turns.after(known, { prompt: "q", result: result({ sessionId: null }) }).sessionId, "S")
    assert.strictEqual(turns.afterFailure(known, "T").sessionId, "S")
    assert.strictEqual(turns.afterFailure(turns.begin("p"), "T").sessionId, "T")
    assert.strictEqual(turns.afterFailure(known, null).stoppedBy, "error")
    assert.strictEqual(turns.after(turns.afterFailure(known, null), { prompt: "q", result: result() }).stoppedBy, null)
  })
  it("remembers what the CLI had counted, as long as it tells", () => {
    const counted = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 }
    const one = turns.after(turns.begin("p"), { prompt: "q", result: result(), counted })
    assert.deepStrictEqual(one.counted, counted)
    assert.isUndefined(turns.after(one, { prompt: "q", result: result() }).counted)
  })
  it("forks in the CLI's own way, or as a copy that retells what was said", () => {
    const one = turns.after(turns.begin("p", { systemPrompt: "S" }), { prompt: "q", result: result() })
    assert.strictEqual(
      turns.after(one, { prompt: "r", result: result({ sessionId: "T" }), fork: true }).forkedFrom,
      "S"
    )
    assert.isUndefined(turns.after(one, { prompt: "r", result: result(), fork: true }).forkedFrom)
    const copy = turns.copied(one)
    assert.deepStrictEqual([copy.sessionId, copy.forkedFrom, copy.turns.length], [null, "S", 3])
    assert.strictEqual(
      turns.promptWithHistory(copy, "r"),
      "This conversation began elsewhere. So far:\n\nUser: q\n\nAssistant: a\n\nGo on with it. User: r"
    )
    assert.strictEqual(turns.promptWithHistory(turns.begin("p", { systemPrompt: "S" }), "r"), "r")
    const hostile = turns.addTurn(copy, { role: "assistant", text: "a\0b", tokens: null })
    assert.include(turns.promptWithHistory(hostile, "r"), "Assistant: ab\n", "no prompt may have a NUL")
  })
  it("counts tokens by bytes where nobody else does", () => {
    assert.deepStrictEqual(
      estimatedTokens(countAll(countByBytes, ["12345678", "1234567"]), countByBytes("x".repeat(20))),
      {
        input: 3,
        cacheRead: 0,
        cacheWrite: 0,
        output: 5,
        total: 8,
        estimated: true
      }
    )
  })
  const anyTurn = Schema.Struct({
    role: Schema.Literals(["user", "assistant"]),
    text: Schema.String,
    tokens: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e6 })))
  })
  it.prop(
    "is the same after it was kept as JSON; its total is the sum of its turns",
    { said: Schema.Array(anyTurn), systemPrompt: Schema.String },
    ({ said, systemPrompt }) => {
      const conversation = said.reduce<typeof Conversation.Type>(turns.addTurn, turns.begin("p", { systemPrompt }))
      assert.strictEqual(
        conversation.totalTokens,
        said.reduce((sum, turn) => sum + (turn.tokens ?? 0), 0)
      )
      const back = Schema.decodeUnknownResult(Schema.fromJsonString(Conversation))(JSON.stringify(conversation))
      assert.deepStrictEqual(Result.getOrThrow(back), conversation)
    }
  )
})

describe("what is kept from turn to turn", () => {
  const begun = turns.begin("codex", { systemPrompt: "A", sessionId: "ID" })

  it("is the system prompt that was given last", () => {
    assert.strictEqual(turns.withSystemPrompt(begun, null), begun)
    assert.strictEqual(turns.withSystemPrompt(begun, "A"), begun)
    assert.strictEqual(turns.systemPromptOf(turns.withSystemPrompt(turns.begin("x", { sessionId: "ID" }), "B")), "B")
  })

  it("are restrictions, each until another is given, and it is said", () => {
    assert.strictEqual(turns.withRestrictions(begun, {}), begun)
    const first = turns.withRestrictions(begun, { sandbox: "read-only" })
    const second = turns.withRestrictions(first, { deniedTools: "Bash" })
    assert.deepStrictEqual(second.restrictions, { sandbox: "read-only", deniedTools: "Bash" })
    assert.strictEqual(turns.withRestrictions(second, { sandbox: "off" }).restrictions?.sandbox, "off")
    assert.isNull(turns.inheritedRestrictions(begun, {}))
    assert.isNull(turns.inheritedRestrictions(first, { sandbox: "off" }))
    const unreached = turns.withRestrictions(first, { network: "none" })
    assert.match(turns.inheritedRestrictions(unreached, {}) ?? "", /--sandbox read-only, --network none$/)
    assert.match(turns.inheritedRestrictions(unreached, { network: "any" }) ?? "", /: --sandbox read-only$/)
    assert.match(turns.inheritedRestrictions(second, {}) ?? "", /--sandbox read-only, --denied-tools Bash$/)
    const third = turns.withRestrictions(second, { deny: [{ command: "git push *" }, { tool: "X" }] })
    assert.match(turns.inheritedRestrictions(third, {}) ?? "", /Bash, --deny command\(git push \*\), --deny X$/)
    assert.match(turns.inheritedRestrictions(third, { deny: [] }) ?? "", /--denied-tools Bash$/)
    assert.deepStrictEqual(turns.withRestrictions(third, { deny: [] }).restrictions?.deny, [])
    assert.deepStrictEqual(turns.copied(second).restrictions, second.restrictions)
    assert.deepStrictEqual(turns.afterFailure(second, "ID").restrictions, second.restrictions)
  })
})
