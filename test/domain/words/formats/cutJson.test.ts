import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { isCutObject } from "../../../../src/domain/words/formats/cutJson.ts"

describe("an object that was cut off while it was written", () => {
  it.prop("is known wherever it was", [Schema.Record(Schema.String, Schema.Json)], ([value]) => {
    const text = JSON.stringify(value)
    for (let end = 1; end < text.length; end++) assert.isTrue(isCutObject(text.slice(0, end)), text.slice(0, end))
    assert.isFalse(isCutObject(text))
    assert.isFalse(isCutObject(`${text}{`))
  })

  it.each([
    "",
    "[",
    '"text',
    "1",
    "{ ",
    '{"a": 1',
    '{"a":\t',
    '{"a":1,,',
    '{"a":tru ',
    '{"a"]',
    '{"a":"\0',
    "{x",
    "{}}"
  ])("is not %j", (text) => assert.isFalse(isCutObject(text)))
})
