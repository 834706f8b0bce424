// A budget of the settings keeps the next message of a hosted session back, by what its CLI tells of its use.
import { assert, describe, it } from "@effect/vitest"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { atRest } from "./approvals.ts"
import { hosted } from "./hosted.ts"
import { say } from "./model/FakeModel.ts"

describe.each([claude, codex, gemini, opencode, copilot])("a budget that $id has used up", (cli) => {
  it("keeps the next message back, and lets it go when the budget does", () =>
    hosted(cli, `${cli.id}-budget`, async (session) => {
      const { api, leap, stays, tag, until } = session
      api.otherwise = say("That is my answer.")
      await leap(["send", tag, "The first."])
      await until("the first is answered", ({ queue }) => queue.length === 0)
      await atRest(session)
      const asked = api.main.length
      await leap(["settings", "set", "budget.dayTokens", "1"])
      await until("it is used up", ({ pause }) => pause?.kind === "budget")
      await leap(["send", tag, "The second."])
      await stays("it waits", 5_000, ({ queue }) => queue[0]?.status === "queued")
      assert.match(await leap(["why", tag]), /the day's budget of tokens \(1\) is used up: (?:at least )?\d+ used/)
      assert.strictEqual(api.main.length, asked, "the model was not asked")
      await leap(["settings", "set", "budget.dayTokens", "null"])
      await until("the second is answered", ({ queue }) => queue.length === 0)
    }))
})
