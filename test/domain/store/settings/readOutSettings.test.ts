import { assert, describe, it } from "@effect/vitest"
import { defaultOut } from "../../../../src/domain/store/settings/OutSettings.ts"
import { readSettings } from "../../../../src/domain/store/settings/readSettings.ts"
import { each } from "../../../support/data/fields.ts"

const read = (out: unknown) => {
  const text = JSON.stringify({ out })
  const { settings, warnings } = readSettings(new TextEncoder().encode(text), [])
  return { ...settings.out, warnings: warnings.join("\n") }
}

describe("who is told, in the settings", () => {
  it("is nobody where nothing is said", () => {
    assert.deepStrictEqual(read({}), { ...defaultOut, warnings: "" })
    assert.deepStrictEqual(read({ slack: null, webhooks: [] }), { ...defaultOut, warnings: "" })
  })

  it.each([
    ["no name", { url: "https://h/SECRET", secretFile: "~/s" }, "its name"],
    ["a name of another form", { name: "My Hook", url: "https://h/SECRET", secretFile: "~/s" }, "its name"],
    ["the name of Slack", { name: "slack", url: "https://h/SECRET", secretFile: "~/s" }, "another receiver"],
    ["an address that is none", { name: "a", url: "ftp://h/SECRET", secretFile: "~/s" }, "its url"],
    ["no secret", { name: "a", url: "https://h/SECRET" }, "a secretFile"],
    ["two secrets", { name: "a", url: "https://h/SECRET", secretFile: "~/s", secretEnv: "S" }, "a secretFile"],
    [
      "a secret in place of a variable's name",
      { name: "a", url: "https://h/x", secretEnv: "SECRET=1" },
      "a secretFile"
    ],
    ["texts that are no answer", { name: "a", url: "https://h/SECRET", secretFile: "~/s", texts: "no" }, "its texts"],
    ["tags that are none", { name: "a", url: "https://h/SECRET", secretFile: "~/s", tags: ["a b"] }, "its tags"],
    ["no tag", { name: "a", url: "https://h/SECRET", secretFile: "~/s", tags: [] }, "its tags"],
    ["no object", "https://h/SECRET", "must be an object"]
  ])("leaves a webhook out with %s, and repeats nothing of it", (_, webhook, why) => {
    const good = { name: "good", url: "https://h/x", secretEnv: "S" }
    const { warnings, webhooks } = read({ webhooks: [webhook, good] })
    assert.deepStrictEqual(each(webhooks, "name"), ["good"])
    assert.include(warnings, '"out.webhooks[0]" was left out')
    assert.include(warnings, why)
    assert.notInclude(warnings, "SECRET")
  })

  it("takes a name once", () => {
    const hook = { name: "a", url: "https://h/x", secretEnv: "S" }
    const { warnings, webhooks } = read({ webhooks: [hook, { ...hook, url: "https://other/x" }] })
    assert.deepStrictEqual(each(webhooks, "url"), ["https://h/x"])
    assert.include(warnings, "another receiver has its name")
  })

  it.each([
    ["no channel", { users: ["U01"] }, "its channel"],
    ["a channel's name", { channel: "#general", users: ["U01"] }, "its channel"],
    ["nobody who may answer", { channel: "C01", users: [] }, "its users"],
    ["no users", { channel: "C01" }, "its users"],
    ["one user who is none", { channel: "C01", users: ["U01", "@ann"] }, "its users"],
    ["a tag that is none", { channel: "C01", users: ["U01"], tags: ["feat-*", 7] }, "its tags"],
    ["a token in the settings", { channel: "C01", users: ["U01"], botTokenEnv: "xoxb-SECRET" }, "its tokens"]
  ])("leaves Slack out with %s", (_, slack, why) => {
    const found = read({ slack })
    assert.isNull(found.slack)
    assert.include(found.warnings, '"out.slack" was left out')
    assert.include(found.warnings, why)
    assert.notInclude(found.warnings, "SECRET")
  })

  it("has Slack's tokens in the variables that its own programs use", () => {
    assert.deepStrictEqual(read({ slack: { channel: "D01", users: ["U01"] } }).slack, {
      channel: "D01",
      users: ["U01"],
      botTokenEnv: "SLACK_BOT_TOKEN",
      appTokenEnv: "SLACK_APP_TOKEN",
      texts: true
    })
  })

  it("has the names of sessions as patterns", () => {
    const hook = { name: "a", url: "https://h/x", secretEnv: "S", tags: ["feat-*", "docs"] }
    const { slack, warnings, webhooks } = read({
      webhooks: [hook],
      slack: { channel: "D01", users: ["U01"], tags: ["x?"] }
    })
    assert.deepStrictEqual([webhooks[0]?.tags, slack?.tags, warnings], [["feat-*", "docs"], ["x?"], ""])
  })

  it("keeps events for a time within bounds", () => {
    assert.strictEqual(read({ keepHours: 0 }).keepHours, defaultOut.keepHours)
    assert.strictEqual(read({ keepHours: 1 }).keepHours, 1)
    assert.strictEqual(read({ keepHours: 100_000 }).keepHours, defaultOut.keepHours)
  })
})
