import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { geminiHooks } from "../../../../src/domain/providers/gemini/Wiring.ts"
import { commandOf, installed, place, removed, statusOf } from "../../../support/wiring/wiring.ts"
import { each } from "../../../support/data/fields.ts"

const file = "/home/me/.gemini/settings.json"
/** As Gemini CLI 0.61.0 wrote it after the choice of an account and `gemini mcp add`. */
const real = readFileSync(new URL("../../../fixtures/settings/gemini/settings.json", import.meta.url), "utf8")

describe("Gemini CLI's hooks", () => {
  it.each([
    [{ HOME: "/home/me" }, file],
    [{ HOME: "/home/me", GEMINI_CLI_HOME: "" }, file],
    [{ HOME: "/home/me", GEMINI_CLI_HOME: "/g/" }, "/g/.gemini/settings.json"]
  ])("stand where it looks for them: %j", (env, path) =>
    assert.deepStrictEqual(each(geminiHooks.files(place({ env })), "path"), [path])
  )

  it("have a name to show, a time-out in milliseconds, and cannot fail", () => {
    const { hooks } = JSON.parse(installed(geminiHooks, {})[file] ?? "") as { hooks: Record<string, unknown> }
    assert.deepStrictEqual(hooks["AfterAgent"], [
      { hooks: [{ type: "command", name: "leap", command: commandOf("AfterAgent"), timeout: 5000 }] }
    ])
    assert.deepStrictEqual((hooks["PreCompress"] as ReadonlyArray<object>)[0], {
      matcher: "manual",
      hooks: [{ type: "command", name: "leap", command: commandOf("PreCompress"), timeout: 5000 }]
    })
    assert.notIncludeMembers(Object.keys(hooks), ["BeforeModel", "AfterModel", "BeforeToolSelection"])
  })

  it("come and go without a trace in settings that Gemini CLI wrote", () => {
    const there = installed(geminiHooks, { [file]: real })
    assert.strictEqual(statusOf(geminiHooks, there).state, "installed")
    assert.deepStrictEqual(
      { ...(JSON.parse(there[file] ?? "") as object), hooks: null },
      { ...(JSON.parse(real) as object), hooks: null }
    )
    assert.deepStrictEqual(removed(geminiHooks, there), { [file]: real })
  })

  it.each([
    ['{"hooksConfig":{"enabled":false}}', /hooksConfig\.enabled is off/],
    ['{"hooksConfig":{"disabled":["x","leap"]}}', /hooksConfig\.disabled names "leap"/],
    ['{"hooksConfig":{"disabled":["x"]}}', /^$/],
    ['{"hooksConfig":[]}', /^$/]
  ])("tell when they are switched off: %s", (text, detail) => {
    const found = statusOf(geminiHooks, installed(geminiHooks, { [file]: text }))
    assert.strictEqual(found.state, found.details.length > 0 ? "disabled" : "installed")
    assert.match(found.details.join("; "), detail)
  })
})
