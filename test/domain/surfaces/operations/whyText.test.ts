import { assert, describe, it } from "@effect/vitest"
import { whyText } from "../../../../src/domain/surfaces/operations/whyText.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const why = "an event of its CLI's hooks, of which none has called leap since the session began in this directory"
const reply = {
  now: 60_000,
  since: 57_000,
  decided: { rule: "idle", state: "idle", reason: "program status: done" },
  overruled: [],
  ready: false,
  holds: [{ name: "no-box", why }],
  evidence: [{ source: "screen", says: "nothing", since: null }]
} as const

describe("why a session is in its state", () => {
  it("is wrapped between words at the terminal's width, and names no word of leap's sources", () => {
    const lines = whyText(reply, sessionStatus({}), 60).split("\n")
    for (const line of lines) assert.isAtMost(line.length, 60)
    const text = lines.map((line) => line.trim()).join(" ")
    assert.include(text.replaceAll(/ +/g, " "), `held by ${why}`)
    assert.notInclude(text, "no-box")
    assert.include(whyText(reply, sessionStatus({})), why)
    const unwired = sessionStatus({
      unwired: { since: "2026-11-30T00:00:00.000Z", text: "no hook calls leap", rules: 0 }
    })
    assert.match(whyText(reply, unwired), /^not known +context, cost, last message: only hooks tell of them$/m)
    assert.notInclude(whyText(reply, sessionStatus({})), "not known")
    const uncounted = sessionStatus({ uncounted: { _tag: "NotTold" } })
    assert.match(whyText(reply, uncounted), /^budget +no budget counts it: its CLI does not tell what it uses$/m)
  })
})
