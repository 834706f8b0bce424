import { assert, describe, it } from "@effect/vitest"
import { geminiHooks } from "../../../../src/domain/providers/gemini/Wiring.ts"
import { commandOf, installed, place, statusOf } from "../../../support/wiring/wiring.ts"
import { each } from "../../../support/data/fields.ts"

const file = "/home/me/.gemini/settings.json"

describe("Gemini CLI's hooks", () => {
  it.each([
    [{ HOME: "/home/me" }, file],
    [{ HOME: "/home/me", GEMINI_CLI_HOME: "/g/" }, "/g/.gemini/settings.json"]
  ])("stand where it looks for them: %j", (env, path) =>
    assert.deepStrictEqual(each(geminiHooks.files(place({ env })), "path"), [path])
  )

  it("have a name to show, a time-out in milliseconds, and cannot fail", () => {
    const { hooks } = JSON.parse(installed(geminiHooks, {})[file] ?? "") as { hooks: Record<string, unknown> }
    assert.deepStrictEqual(hooks["AfterAgent"], [
      { hooks: [{ type: "command", name: "leap", command: commandOf("AfterAgent"), timeout: 5000 }] }
    ])
    assert.notIncludeMembers(Object.keys(hooks), ["BeforeModel", "AfterModel", "BeforeToolSelection"])
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
