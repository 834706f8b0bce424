import { assert, describe, it } from "@effect/vitest"
import { parseRule } from "../../../src/domain/policy/parseRule.ts"
import { ruleText } from "../../../src/domain/policy/RuleText.ts"
import type { PolicyRule } from "../../../src/domain/store/settings/PolicySettings.ts"

describe("a rule in one line", () => {
  it.each<[string, PolicyRule]>([
    ["command(git push *)", { command: "git push *" }],
    ["command(echo (a) \n b)", { command: "echo (a) \n b" }],
    ["path(~/.ssh/**)", { path: "~/.ssh/**" }],
    ["url(https://x.example/*)", { url: "https://x.example/*" }],
    ["edit(src/**)", { kind: "edit", path: "src/**" }],
    ["read(/etc/**)", { kind: "read", path: "/etc/**" }],
    ["fetch(https://*)", { kind: "fetch", url: "https://*" }],
    ["mcp", { kind: "mcp" }],
    ["command", { kind: "command" }],
    ["WebFetch", { tool: "WebFetch" }],
    ["mcp__github__*", { tool: "mcp__github__*" }]
  ])("%s", (text, rule) => {
    assert.deepStrictEqual(parseRule(text), rule)
    assert.deepStrictEqual(parseRule(` ${text} `), rule)
    // as leap writes it
    if (!text.includes("\n")) assert.strictEqual(ruleText("deny", rule), `deny ${text}`)
  })

  it.each([
    "",
    "git push",
    "command()",
    "path",
    "url",
    "Bash(rm -rf *)",
    "mcp(x)",
    "agent(x)",
    "command(x",
    "(x)",
    "!x"
  ])("is none: %s", (text) => assert.isNull(parseRule(text)))
})
