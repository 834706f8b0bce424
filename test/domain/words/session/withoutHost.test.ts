import { assert, it } from "@effect/vitest"
import type { SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { withoutHost } from "../../../../src/domain/words/session/withoutHost.ts"

it("a session whose directory was moved says so, under the name that it has now", () => {
  const last = { exit: null, tag: "before" } as Partial<SessionStatus> as SessionStatus
  const { problem, reason, tag } = withoutHost(last, [], null, "after")
  assert.deepStrictEqual([tag, reason], ["after", "its directory was moved here from session 'before', which ended it"])
  assert.include(problem?.message, reason)
  assert.include(withoutHost(last, [], null).reason, "died without a word")
})
