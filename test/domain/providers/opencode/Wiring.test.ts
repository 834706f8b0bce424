import { assert, describe, it } from "@effect/vitest"
import { opencodePlugin } from "../../../../src/domain/providers/opencode/WiringPlugin.ts"
import { opencodeHooks } from "../../../../src/domain/providers/opencode/Wiring.ts"
import { installed, place, removed, statusOf } from "../../../support/wiring/wiring.ts"
import { each } from "../../../support/data/fields.ts"

const home = "/home/me/.config/opencode"
const plugin = `${home}/plugin/leap.js`

describe("OpenCode's hooks", () => {
  it("are a plugin where it looks for one", () => {
    const paths = (env: Record<string, string>) => opencodeHooks.files(place({ env })).map(({ path }) => path)
    assert.deepStrictEqual(paths({ HOME: "/home/me" }), [`${home}/package.json`, `${home}/.npmrc`, plugin])
    assert.strictEqual(paths({ HOME: "/home/me", XDG_CONFIG_HOME: "/x/" })[2], "/x/opencode/plugin/leap.js")
    assert.deepStrictEqual(each(opencodeHooks.events, "event"), [
      "session.created",
      "session.deleted",
      "session.status",
      "session.idle",
      "session.error",
      "session.compacted",
      "permission.asked",
      "permission.replied",
      "question.asked",
      "question.replied",
      "question.rejected",
      "message.part.updated",
      "hook.chat.message",
      "hook.tool.execute.before",
      "hook.tool.execute.after",
      "hook.experimental.session.compacting"
    ])
  })

  it("have npm give up at once where OpenCode has not installed its package yet", () => {
    const texts = installed(opencodeHooks, {})
    assert.deepStrictEqual(JSON.parse(texts[`${home}/package.json`] ?? ""), { private: true })
    assert.match(texts[`${home}/.npmrc`] ?? "", /^fetch-retries=0$/m)
    assert.deepStrictEqual(removed(opencodeHooks, texts), {})
  })

  it("are the plugin alone where it has", () => {
    const there = { [`${home}/package.json`]: '{"dependencies":{"@opencode-ai/plugin":"1.18.33"}}' }
    assert.deepStrictEqual(installed(opencodeHooks, there), { ...there, [plugin]: opencodePlugin })
    assert.deepStrictEqual(removed(opencodeHooks, installed(opencodeHooks, there)), there)
  })

  it("leave what OpenCode or the user has made of the files", () => {
    const texts = installed(opencodeHooks, {})
    const filled = {
      ...texts,
      [`${home}/package.json`]:
        '{\n  "private": true,\n  "dependencies": {\n    "@opencode-ai/plugin": "1.18.33"\n  }\n}\n'
    }
    assert.strictEqual(statusOf(opencodeHooks, filled).state, "installed")
    assert.deepStrictEqual(installed(opencodeHooks, filled), filled)
    assert.deepStrictEqual(removed(opencodeHooks, filled), { [`${home}/package.json`]: filled[`${home}/package.json`] })
    const users = { [`${home}/package.json`]: "{}", [`${home}/.npmrc`]: "registry=x\n" }
    assert.deepStrictEqual(removed(opencodeHooks, installed(opencodeHooks, users)), users)
    assert.strictEqual(statusOf(opencodeHooks, users).state, "missing")
  })

  it("do not take another's place", () => {
    const theirs = { [plugin]: "export const Mine = async () => ({})\n" }
    assert.throws(() => installed(opencodeHooks, theirs), /a file of this name|not leap's/)
    assert.strictEqual(statusOf(opencodeHooks, theirs).state, "unreadable")
    assert.deepStrictEqual(removed(opencodeHooks, theirs), theirs)
  })

  it("are replaced by those of this version", () => {
    const old = { [plugin]: opencodePlugin.replace("let count", "let total") }
    assert.strictEqual(statusOf(opencodeHooks, old).state, "outdated")
    assert.strictEqual(installed(opencodeHooks, old)[plugin], opencodePlugin)
  })
})
