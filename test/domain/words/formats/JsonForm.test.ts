import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { fits, formed, type JsonForm } from "../../../../src/domain/words/formats/JsonForm.ts"
import { SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import forms from "#generated/hostForms.mts"

const form = forms.Status as unknown as JsonForm
const decode = Schema.decodeUnknownOption(SessionStatus)

/** As it comes over the wire. */
const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const readsSame = (value: unknown): boolean =>
  Option.match(decode(value), {
    onNone: () => false,
    onSome: (read) => JSON.stringify(read) === JSON.stringify(value)
  })

const fieldNames = Object.keys(SessionStatus.fields)
const others: ReadonlyArray<unknown> = [
  null,
  "text",
  1,
  1.5,
  true,
  [],
  {},
  [null],
  { a: 1 },
  [{ number: 1, label: "x" }]
]

describe("the form of a JSON value", () => {
  it.prop("has each status as the schema writes it", [SessionStatus], ([status]) => {
    const value = wire(Schema.encodeSync(SessionStatus)(status))
    assert.isTrue(fits(form, value))
    assert.isTrue(readsSame(value))
  })

  it.prop(
    "has nothing that the schema would read as something else",
    [
      SessionStatus,
      Schema.Literals(fieldNames),
      Schema.Literals(others.map((_, i) => i)),
      Schema.Literals([0, 1, 2, 3])
    ],
    ([status, name, other, change]) => {
      const { [name]: moved, ...rest } = wire(Schema.encodeSync(SessionStatus)(status)) as Record<string, unknown>
      const changed = [{ ...rest, [name]: others[other] }, rest, { ...rest, [name]: moved }, { ...rest, other: 1 }][
        change
      ]
      if (fits(form, changed)) assert.isTrue(readsSame(changed), JSON.stringify(changed))
      const read = Option.map(decode(changed), (status) => JSON.stringify(status))
      assert.strictEqual(JSON.stringify(formed(form, changed)), Option.getOrUndefined(read))
    }
  )

  const cases: ReadonlyArray<readonly [form: JsonForm, value: unknown, expected: boolean]> = [
    ["string", 1, false],
    ["null", undefined, false],
    ["integer", 1.5, false],
    ["integer", 2 ** 53, false],
    ["number", "1", false],
    [{ enum: ["a", "b"] }, "b", true],
    [{ enum: ["a", "b"] }, "c", false],
    [{ anyOf: ["string", "null"] }, null, true],
    [{ anyOf: ["string", "null"] }, 1, false],
    [{ items: "string" }, ["a", 1], false],
    [{ items: "string" }, { length: 0 }, false],
    [{ fields: { a: "string", b: "integer" }, optional: ["a"] }, { b: 1 }, true],
    [{ fields: { a: "string", b: "integer" }, optional: ["a"] }, { b: 1, a: "" }, false],
    [{ fields: { a: "string", b: "integer" }, optional: ["a"] }, { a: "" }, false],
    [{ fields: { a: "string", b: "integer" }, optional: ["a"] }, { b: 1, c: 1 }, false],
    [{ fields: { a: "string" }, optional: ["a"] }, [], false],
    [{ fields: { a: "string" }, optional: ["a"] }, null, false]
  ]
  it.each(cases)("%j: %j is %s", (form, value, expected) => assert.strictEqual(fits(form, value), expected))
})
