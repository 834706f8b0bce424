import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fs from "node:fs"
import { file, text } from "../../../scripts/settings-schema.ts"
import { CliSettings, PolicyRule, Settings } from "../../../src/domain/settings/Settings.ts"
import { SettingsFile } from "../../../src/domain/settings/SettingsFile.ts"

describe("the description of the settings file for editors", () => {
  it("is current: 'node scripts/settings-schema.ts' writes it", () =>
    assert.strictEqual(fs.readFileSync(file, "utf8"), text()))

  it("names all that leap reads", () => {
    const names = (value: unknown, at: ReadonlyArray<string>): ReadonlyArray<string> => {
      const found = at.reduce<unknown>((now, key) => (now as Record<string, unknown>)[key], value)
      return Object.keys(found as object).sort()
    }
    const document = JSON.parse(text()) as unknown
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
