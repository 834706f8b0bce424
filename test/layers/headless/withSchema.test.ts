import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as turns from "../../../src/domain/cli/headless/turns.ts"
import { withSchema } from "../../../src/layers/headless/withSchema.ts"
import { collect } from "../../support/headless/chatClient.ts"
import { limitError, scripted, type ScriptedTurn } from "../../support/headless/scripted.ts"
import { effect, effectOfEach } from "../../support/run/effects.ts"

const schema = {
  type: "object",
  properties: { n: { type: "integer" }, when: { type: "string", format: "date" } },
  required: ["n"],
  additionalProperties: false
}

const ask = (script: ReadonlyArray<ScriptedTurn>, options: object = {}, keeps = false) => {
  const { agent, asked } = scripted("a", script, keeps ? { keepsSchema: () => true } : {})
  return Effect.map(collect(withSchema(agent).execute("P", { schema, ...options })), (ran) => ({ ...ran, asked }))
}

describe("an answer with a schema", () => {
  effect("that fits is the answer, as a value too", function* () {
    const { asked, events, result } = yield* ask([{ answer: '```json\n{"n": 1, "when": "2026-11-22"}\n```' }])
    assert.deepStrictEqual([result?.json, asked.length, events.length], [{ n: 1, when: "2026-11-22" }, 1, 0])
  })
  effect("that does not is mended in one further turn of its session, which counts too", function* () {
    const { asked, events, result } = yield* ask([
      { answer: '{"n": "1", "m": 2}', cost: 1 },
      { answer: '{"n": 1}', cost: 2 }
    ])
    assert.deepStrictEqual([result?.json, result?.tokens.total, result?.cost?.usd], [{ n: 1 }, 4, 3])
    assert.strictEqual(asked[1]?.conversation?.sessionId, "S")
    assert.match(asked[1]?.prompt ?? "", /\/n must be integer/)
    assert.match(asked[1]?.prompt ?? "", /it must NOT have additional properties: m/)
    assert.deepStrictEqual(asked[1]?.options.schema, schema)
    assert.match(events.map((event) => ("text" in event ? event.text : "")).join(), /asked once more: .*\/n must be/)
  })
  effect("that is not mended is none", function* () {
    const { asked, error } = yield* ask([
      { answer: "no" },
      { answer: '{"n": 1, "when": "soon"}' },
      { answer: '{"n": 1}' }
    ])
    assert.strictEqual(asked.length, 2)
    assert.deepInclude(error, {
      _tag: "AgentProtocolError",
      exitCode: 13,
      text: '{"n": 1, "when": "soon"}',
      sessionId: "S"
    })
    assert.match(error?.message ?? "", /does not fit the schema: \/when must match format "date"/)
  })
  effect("is kept where the turn that was to mend it fails", function* () {
    const { error } = yield* ask([{ answer: "no" }, { answer: limitError("a") }])
    assert.deepInclude(error, { _tag: "AgentReportedError", exitCode: 11, text: "no" })
  })
  effect("of a provider that keeps to it is checked, and not mended", function* () {
    const { asked, error } = yield* ask([{ answer: '{"n": 1.5}' }, { answer: '{"n": 1}' }], {}, true)
    assert.deepStrictEqual([asked.length, error?._tag], [1, "AgentProtocolError"])
  })
  effect("is not mended beyond what the run may use", function* () {
    const twice = [{ answer: "no", cost: 1 }, { answer: '{"n": 1}' }]
    const spent = yield* ask(twice, { maxCost: 1 })
    assert.deepStrictEqual([spent.asked.length, spent.error?._tag], [1, "AgentProtocolError"])
    const left = yield* ask(twice, { maxCost: 1.5, maxTokensTotal: 10 })
    assert.deepInclude(left.asked[1]?.options, { maxCost: 0.5, maxTokensTotal: 8 })
  })
  effect("goes into the conversation as it was mended", function* () {
    const { agent } = scripted("a", [{ answer: "no" }, { answer: '{"n": 1}' }])
    const ran = yield* collect(withSchema(agent).executeConversation(turns.begin("a"), "P", { schema }))
    assert.strictEqual(turns.lastAnswer(ran.result?.conversation ?? turns.begin("a")), '{"n": 1}')
  })
  effectOfEach([
    [{ type: "strin" }, /type/],
    [{ $ref: "https://example.com/s.json" }, /example\.com/],
    [{ $schema: "https://json-schema.org/draft/2019-09/schema", minimum: "x" }, /minimum/],
    [{ $schema: "http://json-schema.org/draft-07/schema#", pattern: "(" }, /pattern|regular/i]
  ] as const)("is asked for by a schema alone: %j", function* ([wrong, says]) {
    const { agent, asked } = scripted("a", [])
    const { error } = yield* collect(withSchema(agent).execute("P", { schema: { ...wrong } }))
    assert.deepStrictEqual([error?._tag, asked.length], ["AgentOptionError", 0])
    assert.match(error?.message ?? "", says)
  })
})
