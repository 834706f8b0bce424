import { assert, describe, it } from "@effect/vitest"
import { answered, approvals, atRest, audit, ruled } from "./approvals.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"
import { rowsOf } from "../support/data/fields.ts"

// What leap has before a tool there can refuse, and cannot make the CLI ask.
approvals(codex, { silent: "refuses" })
approvals(copilot, { silent: "refuses" })
approvals(opencode, { silent: "refuses" })
// Its hooks can refuse, and none can grant.
approvals(gemini, { granted: "key", silent: "refuses" })

describe("opencode's own question about another directory", () => {
  it("is refused with the reason, and the turn goes on", () =>
    hosted(
      ruled(opencode, { deny: [{ tool: "external_directory", reason: "stay here" }] }),
      "opencode-outside",
      async (session) => {
        const { api, leap, tag } = session
        api.script(opencode.shell("cat /etc/hostname"), say("I stay."))
        await leap(["send", tag, "Who are you?"])
        await answered(session, 2)
        assert.include(api.main[1]?.toolResults.join("\n") ?? "", "stay here")
        await atRest(session)
        assert.deepStrictEqual(rowsOf(await audit(session), "event", "verdict", "told"), [
          ["permission.asked", "deny", "hook"]
        ])
      }
    ))
})
