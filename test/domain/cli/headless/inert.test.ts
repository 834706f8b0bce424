import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { claudeHeadless } from "../../../../src/domain/providers/claude/Headless.ts"
import { codexHeadless } from "../../../../src/domain/providers/codex/Headless.ts"
import { copilotHeadless } from "../../../../src/domain/providers/copilot/Headless.ts"
import { geminiHeadless } from "../../../../src/domain/providers/gemini/Headless.ts"
import { opencodeHeadless } from "../../../../src/domain/providers/opencode/Headless.ts"

// What each reads was tried with the real ones: `test/real/headlessOptions.real.ts`.
describe("text that is data", () => {
  it.each<readonly [text: string, claude: string, gemini: string]>([
    ["see @a.txt", "see \\@a.txt", "see \\@a.txt"],
    ["@a.txt", "\\@a.txt", "\\@a.txt"],
    ['@"a b"', '\\@"a b"', '\\@"a b"'],
    ["x=@a.txt", "x=@a.txt", "x=\\@a.txt"],
    ["u@example.com", "u@example.com", "u\\@example.com"],
    ["\\@a.txt", "\\@a.txt", "\\@a.txt"],
    ["@@ -1 +1 @@", "@@ -1 +1 @@", "\\@@ -1 +1 \\@@"],
    ["a @ b @", "a @ b @", "a @ b @"]
  ])("%j names no file", (text, claude, gemini) => {
    assert.strictEqual(claudeHeadless.inert?.(text), claude)
    assert.strictEqual(geminiHeadless.inert?.(text), gemini)
    for (const { inert } of [codexHeadless, copilotHeadless, opencodeHeadless]) assert.isUndefined(inert)
  })

  it.prop("is changed once, and only by backslashes", [Schema.String], ([some]) => {
    const text = some.replaceAll("a", "@").replaceAll("e", " ")
    for (const { inert = (it: string) => it } of [claudeHeadless, geminiHeadless]) {
      assert.strictEqual(inert(inert(text)), inert(text))
      assert.strictEqual(inert(text).replaceAll("\\", ""), text.replaceAll("\\", ""))
    }
  })
})
