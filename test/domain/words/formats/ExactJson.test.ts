import { assert, describe, it } from "@effect/vitest"
import { exactJson } from "../../../../src/domain/words/formats/ExactJson.ts"

describe("JSON that every program reads alike", () => {
  it.each<readonly [string, unknown]>([
    ["{}", {}],
    ["7", 7],
    ["null", null],
    ['{"a":{"b":1},"b":[{"b":2},{"b":3}]}', { a: { b: 1 }, b: [{ b: 2 }, { b: 3 }] }],
    ['{"a":"\\"a\\":1,","b":":"}', { a: '"a":1,', b: ":" }],
    ['{"a\\\\":1,"a":2}', { "a\\": 1, a: 2 }],
    [' {"a" : [ "a" , "a" ] } ', { a: ["a", "a"] }],
    [`${"[".repeat(200)}${"]".repeat(200)}`, JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`)]
  ])("%s", (text, value) => assert.deepStrictEqual(exactJson(text), { value, isJson: true, flaw: null }))
})

describe("JSON that programs read differently", () => {
  it.each<readonly [string, string, unknown, string]>([
    ["a name twice", '{"a":1,"a":2}', { a: 2 }, 'it names "a" twice'],
    ["the same with the same", '{"a":1,"b":0,"a":1}', { a: 1, b: 0 }, 'it names "a" twice'],
    ["spelled differently", '{"command":1,"comm\\u0061nd":2}', { command: 2 }, 'it names "command" twice'],
    ["further in", '[{"x":{"a" : 1, "a": 2}}]', [{ x: { a: 2 } }], 'it names "a" twice'],
    ["none", "", null, "it is no JSON"],
    ["a half", '{"a":"', null, "it is no JSON"],
    ["quotes", '"""""', null, "it is no JSON"],
    ["a mark before it", "\ufeff{}", null, "it is no JSON"],
    ["too deep", `${"[".repeat(201)}${"]".repeat(201)}`, null, "it is nested too deeply"],
    ["far too deep", "[".repeat(1_000_000), null, "it is nested too deeply"]
  ])("%s", (_, text, value, flaw) => assert.deepInclude(exactJson(text), { value, flaw }))

  it("is read in time, however long", () => {
    for (const piece of ['"', "\\", '\\"', "{", '"a":', ":", '{"a":"', "x"]) {
      const text = `{"a":"${piece.repeat(1_000_000)}`
      assert.isString(exactJson(text).flaw)
    }
  })
})
