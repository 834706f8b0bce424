import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { checkedEdit, setting } from "../../../../src/domain/store/settings/checkedEdit.ts"
import { removeIn, setIn } from "../../../../src/domain/store/settings/editSettings.ts"
import { readSettings } from "../../../../src/domain/store/settings/readSettings.ts"
import { defaultSettings, Settings } from "../../../../src/domain/store/settings/Settings.ts"
import { defaultAt, settingsList, valueAt } from "../../../../src/domain/store/settings/settingsList.ts"
import { each } from "../../../support/data/fields.ts"

const builtin = ["claude", "codex"]
const read = (text: string | null) => readSettings(text === null ? null : new TextEncoder().encode(text), builtin)
const list = settingsList()

describe("the list of settings", () => {
  it("has each once, with what it can be and what it is for", () => {
    assert.strictEqual(new Set(list.map(({ name }) => name)).size, list.length)
    for (const { description, name, takes } of list) {
      assert.notStrictEqual(description, "", name)
      assert.notStrictEqual(takes, "", name)
    }
    const takes = (name: string) => list.find((one) => one.name === name)?.takes
    assert.deepStrictEqual(
      ["modes.autoSend", "notify.desktop", "notify.doneAfterMinutes", "notify.quietHours", "policy.deny", "clis"].map(
        takes
      ),
      ["pause|always", "true|false|auto", "number or null", "text or null", "list", "table"]
    )
  })

  it("has all that leap reads", () => {
    const names = (value: unknown, at: string): ReadonlyArray<string> =>
      typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
        ? Object.entries(value).flatMap(([key, inner]) => names(inner, at === "" ? key : `${at}.${key}`))
        : [at]
    assert.includeMembers(each(list, "name"), [...names(defaultSettings, "")])
  })

  it.each(list.filter(({ takes }) => takes.includes("|")).map(({ name, takes }) => [name, takes] as const))(
    "says of %s what is taken, and nothing else is",
    (name, takes) => {
      for (const word of takes.replace(" or null", "").split("|")) {
        const after = setting(name, word, builtin)(null)
        if (Result.isFailure(after)) assert.fail(after.failure)
        assert.deepStrictEqual(
          [read(after.success).warnings, String(valueAt(read(after.success).settings, name))],
          [[], word]
        )
      }
      assert.isTrue(Result.isFailure(setting(name, "nonsense", builtin)(null)))
    }
  )
})

describe("a setting that is set", () => {
  const text = `{\n  // mine\n  "modes": { "autoSend": "pause" }, // stays\n  "stray": 1\n}\n`

  it.each<readonly [name: string, word: string, value: unknown]>([
    ["modes.autoSend", "always", "always"],
    ["notify.doneAfterMinutes", "15", 15],
    ["notify.doneAfterMinutes", "null", null],
    ["notify.desktop", "true", true],
    ["night.message", "go on", "go on"],
    // a text that is a number, too
    ["night.message", "15", "15"],
    ["order", '["codex"]', ["codex"]],
    ["clis.claude.flags", "--model opus", "--model opus"],
    ["policy.allow", '[{"command":"git status*"}]', [{ command: "git status*" }]]
  ])("%s to %s", (name, word, value) => {
    const after = setting(name, word, builtin)(text)
    if (Result.isFailure(after)) return assert.fail(after.failure)
    assert.include(after.success, "// mine")
    assert.include(after.success, "// stays")
    const { settings, warnings } = read(after.success)
    assert.deepStrictEqual(valueAt(settings, name), value)
    assert.lengthOf(warnings, read(text).warnings.length)
    const back = removeIn(name.split("."))(after.success)
    assert.deepStrictEqual(valueAt(read(Result.getOrThrow(back)).settings, name), defaultAt(name))
  })

  it.each([
    ["modes.autoSend", "sometimes", /must be "pause" or "always"/],
    ["modes.autosend", "always", /autosend/],
    ["notify.quietHours", "late", /must be hours/],
    ["notify.doneAfterMinutes", "soon", /doneAfterMinutes/],
    ["recordDays", "-1", /recordDays/],
    ["clis.claude.flgs", "--x", /flgs/],
    ["policy.allow", '[{"comand":"git"}]', /comand/],
    ["modes", "5", /modes/]
  ])("%s is not set to %s, with why", (name, word, why) => {
    const after = setting(name, word, builtin)(text)
    assert.match(Result.isFailure(after) ? after.failure : "set", why)
  })

  it.prop("means what was said, or is refused, whatever the word", { word: Schema.String }, ({ word }) => {
    for (const name of ["night.message", "modes.churn", "notify.doneAfterMinutes", "order", "notify.push"]) {
      const after = setting(name, word, builtin)(text)
      if (Result.isFailure(after)) continue
      assert.deepStrictEqual(read(after.success).warnings.length, read(text).warnings.length, name)
      assert.isTrue(Schema.is(Settings)(read(after.success).settings))
    }
  })

  it("leaves what was wrong before for who mends it", () => {
    const edit = checkedEdit(setIn(["modes", "churn"], "send"), builtin)
    assert.isTrue(Result.isSuccess(edit('{"modes": {"autoSend": 5}}')))
  })
})
