import { assert, describe, it } from "@effect/vitest"
import { checkAnswer, faultsText, isStrict, repairPrompt } from "../../../../src/domain/cli/headless/AnswerSchema.ts"

const object = (properties: object, more: object = {}) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more
})

describe("a schema that an API may hold a model to while it writes", () => {
  it.each<[string, object, boolean]>([
    ["inside too", object({ a: { type: "array", items: object({ b: { type: ["string", "null"] } }) } }), true],
    ["by a name", object({ a: { $ref: "#/$defs/a" } }, { $defs: { a: object({}) } }), true],
    ["no object", { type: "array", items: { type: "string" } }, false],
    ["an object that may have more", { type: "object", properties: { a: { type: "string" } }, required: ["a"] }, false],
    ["a property that may be absent", object({ a: { type: "string" } }, { required: [] }), false],
    ["one inside that is open", object({ a: { type: "object" } }), false],
    ["one of several that is open", object({ a: { anyOf: [{ type: "null" }, { type: "object" }] } }), false],
    ["a word that is not known there", object({ a: { type: "string", minLength: 1 } }), false],
    ["a part that is none", object({ a: true }), false]
  ])("%s", (_, schema, strict) => {
    assert.strictEqual(isStrict({ ...schema }), strict)
  })
})

describe("an answer that has to fit a schema", () => {
  const isOne = (value: unknown) => (value === 1 ? [] : [{ at: "/x", what: "must be one" }])
  it.each<[string, unknown, string]>([
    ["1", 1, ""],
    ["```json\n1\n```", 1, ""],
    ["one", null, "it is not one JSON value"],
    [" ", null, "it is empty"]
  ])("%j", (text, json, faults) => {
    const checked = checkAnswer(text, isOne)
    assert.deepStrictEqual([checked.json, faultsText(checked.faults)], [json, faults])
  })
  it("is told of at most so much", () => {
    const faults = Array.from({ length: 30 }, (_, at) => ({ at: `/${at}`, what: "is wrong" }))
    assert.match(repairPrompt(faults), /\/7 is wrong; and 22 more\. Send/)
  })
})
