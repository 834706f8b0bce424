import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { CliSettings, PolicyRule, Settings } from "../../../../src/domain/store/settings/Settings.ts"
import { settingsSchema } from "../../../../src/domain/store/settings/settingsList.ts"
import { SettingsFile } from "../../../../src/domain/store/settings/settingsList.ts"

describe("the description of the settings file for editors", () => {
  it("names all that leap reads", () => {
    const names = (value: unknown, at: ReadonlyArray<string>): ReadonlyArray<string> => {
      const found = at.reduce<unknown>((now, key) => (now as Record<string, unknown>)[key], value)
      return Object.keys(found as object).sort()
    }
    const document: unknown = settingsSchema()
    const sorted = (fields: object) => Object.keys(fields).sort()
    assert.deepStrictEqual(names(document, ["properties"]), ["$schema", ...sorted(Settings.fields)])
    assert.deepStrictEqual(
      names(document, ["properties", "clis", "additionalProperties", "properties"]),
      sorted(CliSettings.fields)
    )
    for (const list of ["deny", "ask", "allow"]) {
      assert.deepStrictEqual(
        names(document, ["properties", "policy", "properties", list, "items", "properties"]),
        sorted(PolicyRule.fields)
      )
    }
  })

  it.prop("takes all settings", { settings: Settings }, ({ settings }) =>
    assert.isTrue(Schema.is(SettingsFile)(settings))
  )
})
