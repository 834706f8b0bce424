import { assert, describe, it } from "@effect/vitest"
import { silentAnswers } from "../../../../src/domain/engine/approvals/silentAnswers.ts"
import { claudePermissions } from "../../../../src/domain/providers/claude/Permissions.ts"
import { codexPermissions } from "../../../../src/domain/providers/codex/Permissions.ts"
import { copilotPermissions } from "../../../../src/domain/providers/copilot/Permissions.ts"
import { geminiPermissions } from "../../../../src/domain/providers/gemini/Permissions.ts"
import { opencodePermissions } from "../../../../src/domain/providers/opencode/Permissions.ts"
import { noPolicy, type Policy } from "../../../../src/domain/store/settings/Settings.ts"

const rule = [{ command: "rm *" }]
const protocols = {
  claude: claudePermissions,
  codex: codexPermissions,
  copilot: copilotPermissions,
  gemini: geminiPermissions,
  opencode: opencodePermissions
}

describe("what hooks say while leap cannot answer", () => {
  it("is nothing without a rule that denies or asks, and nothing where the user wants that", () => {
    for (const protocol of Object.values(protocols)) {
      assert.deepStrictEqual(silentAnswers(protocol, { ...noPolicy, allow: rule }), {})
      assert.deepStrictEqual(silentAnswers(protocol, { ...noPolicy, deny: rule, whenSilent: "leave" }), {})
    }
  })

  it.each(
    (["ask", "deny"] as const).flatMap((whenSilent) =>
      Object.entries(protocols).map(([name, protocol]) => ({ name, protocol, whenSilent }))
    )
  )("$name, $whenSilent: every event that a rule could stop is stopped or comes with a dialog", (row) => {
    const { protocol, whenSilent } = row
    const said = silentAnswers(protocol, { ...noPolicy, deny: rule, whenSilent } satisfies Policy)
    assert.deepStrictEqual(silentAnswers(protocol, { ...noPolicy, ask: rule, whenSilent }), said)
    for (const { event, verdicts } of protocol.decisions.filter((one) => one.verdicts.includes("deny"))) {
      const wanted = whenSilent === "deny" || !verdicts.includes("ask") ? "deny" : "ask"
      const line = whenSilent === "ask" && verdicts.includes("allow") ? undefined : protocol.reply(event, wanted, why)
      assert.strictEqual(said[event], line, event)
    }
  })
})

const why = "leap's rules could be about this, and leap does not answer"
