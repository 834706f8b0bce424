import { assert, describe, it } from "@effect/vitest"
import { lineFor } from "../../../../src/domain/engine/approvals/Approvals.ts"
import type { Decision, Verdict } from "../../../../src/domain/policy/Decision.ts"
import { requestOf } from "../../../../src/domain/cli/provider/RequestReading.ts"
import { claudePermissions } from "../../../../src/domain/providers/claude/Permissions.ts"
import { codexPermissions } from "../../../../src/domain/providers/codex/Permissions.ts"
import { copilotPermissions } from "../../../../src/domain/providers/copilot/Permissions.ts"
import { geminiPermissions } from "../../../../src/domain/providers/gemini/Permissions.ts"

const decision = (verdict: Verdict, rule: string | null): Decision => ({ verdict, rule, why: "because" })
const plain = requestOf({ tool: "shell", kind: "command", command: "$x" })

describe("a hook that can only refuse", () => {
  const told = (more: object, given: Omit<Decision, "why">) =>
    lineFor(
      codexPermissions,
      { event: "PreToolUse", heeds: ["deny"], request: { ...plain, ...more } },
      { ...given, why: "because" }
    )

  it("refuses what a rule asks for, where the CLI asks nobody", () => {
    assert.include(told({ unasked: true }, { verdict: "ask", rule: "deny rm" }) ?? "", "asks nobody")
  })

  it("refuses what a rule that could not be read may deny", () => {
    assert.include(told({}, { verdict: "ask", rule: "ask *", unread: true }) ?? "", '"deny"')
  })

  it.each([
    ["where the CLI may ask", {}, decision("ask", "deny rm")],
    ["where no rule asks", { unasked: true }, decision("ask", null)],
    ["what is allowed", { unasked: true }, decision("allow", "allow ls")]
  ] as const)("says nothing: %s", (_, more, given) => {
    assert.isNull(told(more, given))
  })

  it("leaves it to a hook that can ask", () => {
    const line = lineFor(
      claudePermissions,
      { event: "PreToolUse", heeds: ["ask", "deny"], request: { ...plain, unasked: true } },
      decision("ask", "ask rm")
    )
    assert.include(line ?? "", '"ask"')
  })
})

describe("a CLI asks nobody", () => {
  it.each([
    ["codex", codexPermissions, ["--yolo"], true],
    ["codex", codexPermissions, ["--dangerously-bypass-approvals-and-sandbox", "x"], true],
    ["codex", codexPermissions, ["--model", "yolo"], false],
    ["copilot", copilotPermissions, ["--allow-all-tools"], true],
    ["copilot", copilotPermissions, ["--allow-tool", "shell"], false],
    ["gemini", geminiPermissions, ["-y"], true],
    ["gemini", geminiPermissions, ["--approval-mode", "yolo"], true],
    ["gemini", geminiPermissions, ["--approval-mode=yolo"], true],
    ["gemini", geminiPermissions, ["--approval-mode", "default"], false]
  ] as const)("%s by its arguments (%#)", (_, { asksNobody }, args, is) => {
    assert.strictEqual(asksNobody?.(args), is)
  })

  it.each([
    ["bypassPermissions", true],
    ["dontAsk", true],
    ["default", undefined]
  ] as const)("codex by its mode %s", (mode, is) => {
    const payload = { tool_name: "Bash", tool_input: { command: "ls" }, cwd: "/p", permission_mode: mode }
    assert.strictEqual(codexPermissions.request("PreToolUse", payload)?.request.unasked, is)
  })
})
