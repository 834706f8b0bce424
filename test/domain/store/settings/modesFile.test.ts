import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Modes, ModesChange } from "../../../../src/domain/words/session/Session.ts"
import { readModes, writeModes } from "../../../../src/domain/store/settings/modesFile.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (content: Uint8Array) => new TextDecoder().decode(content)

describe("a tag's modes file", () => {
  it.prop("says what was written", { modes: Modes, before: Schema.String }, ({ before, modes }) => {
    assert.deepStrictEqual(readModes(writeModes(null, modes)), modes)
    assert.deepStrictEqual(readModes(writeModes(bytes(before), modes)), modes)
    assert.deepStrictEqual(writeModes(writeModes(null, modes), modes), writeModes(null, modes))
  })

  it("keeps what a newer leap put in it", () => {
    const after = writeModes(bytes('{"schema": 2, "turbo": 7, "autoSend": "always", "list": [1]'), {
      autoSend: "pause",
      churn: "wait"
    })
    assert.deepStrictEqual(JSON.parse(text(after)), { schema: 2, turbo: 7, autoSend: "pause", churn: "wait" })
  })

  it.each<readonly [content: string, modes: typeof ModesChange.Type]>([
    ["", {}],
    ["null", {}],
    ["[]", {}],
    ['["always"]', {}],
    ['"always"', {}],
    ['{"autoSend": 5, "churn": "send"}', { churn: "send" }],
    ['{"autoSend": "Always", "churn": null}', {}],
    ['{"autoSend": "always", "churn": "se', { autoSend: "always" }],
    ['{"autoSend": ["always"], "churn": "send"', { churn: "send" }],
    ['{"autoSend": "pause", "autoSend": "always"}', { autoSend: "always" }],
    ['{ oops "autoSend": "always", // why\n "churn": "send"', { autoSend: "always", churn: "send" }]
  ])("each mode that can be read counts: %s", (content, modes) =>
    assert.deepStrictEqual(readModes(bytes(content)), modes)
  )

  it("cut off at any byte keeps what stands before the cut", () => {
    const whole = writeModes(null, { autoSend: "always", churn: "send" })
    for (let end = 0; end <= whole.length; end++) {
      const modes = readModes(whole.subarray(0, end))
      assert.deepStrictEqual(
        modes,
        {
          ...(text(whole.subarray(0, end)).includes('"always"') ? { autoSend: "always" as const } : {}),
          ...(text(whole.subarray(0, end)).includes('"send"') ? { churn: "send" as const } : {})
        },
        `cut at ${end}`
      )
    }
  })

  it.prop(
    "of any bytes holds modes, or none",
    { noise: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))) },
    ({ noise }) => {
      const content = new Uint8Array([...bytes('{"churn": "send", "autoSend": '), ...noise])
      const modes = readModes(content)
      assert.isTrue(Schema.is(ModesChange)(modes))
      assert.isTrue(Schema.is(ModesChange)(readModes(new Uint8Array(noise))))
    }
  )
})
