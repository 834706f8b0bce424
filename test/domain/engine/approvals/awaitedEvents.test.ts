import { assert, describe, it } from "@effect/vitest"
import { answeredVerdict } from "../../../../src/domain/engine/approvals/answeredVerdict.ts"
import { awaitedEvents } from "../../../../src/domain/engine/approvals/HookRules.ts"
import * as uncertain from "../../../../src/domain/engine/approvals/decideUncertain.ts"
import type { Decision } from "../../../../src/domain/policy/Decision.ts"
import { unreadPolicy } from "../../../../src/domain/store/settings/readPolicySettings.ts"
import { noPolicy } from "../../../../src/domain/store/settings/Settings.ts"

const allow: Decision = { verdict: "allow", rule: null, why: "always" }
const deny: Decision = { verdict: "deny", rule: "deny ls", why: "the rule" }

describe("which hooks are to wait", () => {
  const decisions = [
    { event: "PermissionRequest", verdicts: ["allow", "deny"] as const },
    { event: "PreToolUse", verdicts: ["ask", "deny"] as const },
    { event: "BeforeTool", verdicts: ["deny"] as const },
    { event: "Elicitation", verdicts: [] }
  ]
  const rule = [{ tool: "Bash" }]

  it.each([
    ["pause, nothing configured", noPolicy, "pause", []],
    ["always", noPolicy, "always", ["PermissionRequest"]],
    ["allow rules", { ...noPolicy, allow: rule }, "pause", ["PermissionRequest"]],
    ["deny rules", { ...noPolicy, deny: rule }, "pause", ["PermissionRequest", "PreToolUse", "BeforeTool"]],
    ["ask rules", { ...noPolicy, ask: rule }, "pause", ["PreToolUse", "BeforeTool"]],
    ["always, with ask rules", { ...noPolicy, ask: rule }, "always", ["PermissionRequest", "PreToolUse", "BeforeTool"]]
  ] as const)("%s", (_, policy, mode, events) => {
    assert.deepStrictEqual(awaitedEvents(decisions, policy, mode), events)
  })

  it("an unknown request is granted only where no rule could be meant for it", () => {
    assert.deepStrictEqual(uncertain.decideUnknown(noPolicy, "always").verdict, "allow")
    assert.deepStrictEqual(uncertain.decideUnknown({ ...noPolicy, allow: rule }, "always").verdict, "allow")
    for (const policy of [
      { ...noPolicy, deny: rule },
      { ...noPolicy, ask: rule }
    ])
      assert.strictEqual(uncertain.decideUnknown(policy, "always").verdict, "ask")
    for (const policy of [noPolicy, { ...noPolicy, allow: rule }])
      assert.strictEqual(uncertain.decideUnknown(policy, "pause").verdict, "ask")
  })

  it("what was denied is denied still while the settings cannot be read, and no longer", () => {
    const deny = [{ command: "rm *" }]
    const before = { ...noPolicy, deny, whenSilent: "deny" } as const
    const doubtful = unreadPolicy(noPolicy, "leap's settings cannot be read")
    const now = uncertain.rulesNow(before, doubtful)
    assert.deepStrictEqual([now.deny, now.ask, now.whenSilent], [deny, doubtful.ask, "deny"])
    assert.deepStrictEqual(uncertain.rulesNow(now, doubtful), now, "a file that stays so adds nothing")
    assert.strictEqual(uncertain.rulesNow(now, noPolicy), noPolicy)
    const own = { ...noPolicy, ask: [{ reason: "ask me about everything" }] }
    assert.strictEqual(uncertain.rulesNow(before, own), own)
  })

  it("rules that cannot be asked are no silence", () => {
    assert.strictEqual(uncertain.decideUnasked({ ...noPolicy, allow: rule }).rule, null)
    for (const policy of [{ ...noPolicy, deny: rule }, unreadPolicy(noPolicy, "leap's settings cannot be read")]) {
      const { rule, unread, verdict } = uncertain.decideUnasked(policy)
      assert.deepStrictEqual([verdict, unread], ["ask", true])
      assert.isNotNull(rule)
    }
  })

  it("paths that cannot be followed are granted nothing", () => {
    assert.strictEqual(uncertain.whenUncertain(allow).verdict, "ask")
    assert.strictEqual(uncertain.whenUncertain(deny), deny)
    assert.isTrue(uncertain.hasPathRules({ ...noPolicy, ask: [{ path: "/etc/**" }] }))
    assert.isFalse(uncertain.hasPathRules({ ...noPolicy, ask: rule }))
  })

  it.each([
    ["Yes", "allow"],
    ["Yes, and don't ask again for Write", "allow"],
    ["No", "deny"],
    ["No, and tell it why", "deny"],
    ["Reject", "deny"],
    ["Allow once", "allow"],
    ["Nothing else", "allow"]
  ])("a person who answers %s means %s", (option, verdict) => assert.strictEqual(answeredVerdict(option), verdict))
})
