import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { errorCodeOf, fieldsOf, nonEmptyOf, stringOf, textOf } from "../../../../src/domain/words/reading/Fields.ts"
import { jsonOf, parseJson } from "../../../../src/domain/words/formats/Json.ts"

describe("what was parsed, read without trust", () => {
  it("tells an object's fields, and none of what is no object", () => {
    const object = { a: 1 }
    assert.strictEqual(fieldsOf(object), object)
    for (const other of [null, undefined, 1, "text", true, [object], () => object]) {
      assert.deepStrictEqual(fieldsOf(other), {})
    }
  })

  it.each([
    { value: "said", string: "said", nonEmpty: "said", text: "said" },
    { value: " said ", string: " said ", nonEmpty: " said ", text: " said " },
    { value: " \n", string: " \n", nonEmpty: " \n", text: null },
    { value: "", string: "", nonEmpty: null, text: null },
    { value: 1, string: null, nonEmpty: null, text: null },
    { value: ["said"], string: null, nonEmpty: null, text: null },
    { value: null, string: null, nonEmpty: null, text: null }
  ])("takes $value for a text as strictly as it is asked to", ({ nonEmpty, string, text, value }) => {
    assert.deepStrictEqual([stringOf(value), nonEmptyOf(value), textOf(value)], [string, nonEmpty, text])
  })

  it("tells an error's code, and none of what has none", () => {
    assert.strictEqual(errorCodeOf(Object.assign(new Error("gone"), { code: "ENOENT" })), "ENOENT")
    for (const other of [new Error("gone"), null, undefined, "ENOENT"]) assert.strictEqual(errorCodeOf(other), "")
  })
})

describe("JSON that may be none", () => {
  it.prop("reads back what was written", [Schema.Json], ([value]) => {
    const text = JSON.stringify(value)
    assert.deepStrictEqual(parseJson(text), Option.some(JSON.parse(text) as unknown))
    assert.deepStrictEqual(jsonOf(text), JSON.parse(text))
  })

  it.prop("never throws", [Schema.String], ([text]) => {
    assert.strictEqual(jsonOf(text), Option.getOrNull(parseJson(text)))
  })

  it("tells null from no JSON where it is asked to", () => {
    assert.deepStrictEqual(["null", "", "{", "nothing"].map(parseJson), [
      Option.some(null),
      Option.none(),
      Option.none(),
      Option.none()
    ])
    assert.deepStrictEqual(["null", "", "{", "nothing"].map(jsonOf), [null, null, null, null])
  })
})
