import { assert, it } from "@effect/vitest"
import { stateDetails } from "../../../../src/domain/surfaces/queueClient/panels.ts"
import { webSession } from "../../../../src/domain/surfaces/web/webSession.ts"
import { statusDetails } from "../../../../src/domain/words/wording/statusDetails.ts"
import { stateLine } from "../../../../src/domain/words/wording/StateLine.ts"
import { DrivenClient } from "../../../support/data/clientKeys.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"
import type { SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { endedWithout, withoutHost } from "../../../../src/domain/words/session/withoutHost.ts"

it("a session whose directory was moved says so, under the name that it has now", () => {
  const last = { exit: null, tag: "before" } as Partial<SessionStatus> as SessionStatus
  const { problem, reason, tag } = withoutHost(last, [], null, "after")
  assert.deepStrictEqual([tag, reason], ["after", "its directory was moved here from session 'before', which ended it"])
  assert.include(problem?.message, reason)
  assert.include(withoutHost(last, [], null).reason, "died without a word")
})

it("what a host planned, waited for and was asked ends with it, however it ended", () => {
  const since = "2026-01-01T00:00:00.000Z"
  const last = sessionStatus({
    message: "It works",
    night: { at: since, text: "it goes on by itself at two" },
    notReady: { _tag: "QueueWaits", text: "the queue waits for two" },
    pause: { kind: "rate_limited", since, until: since, text: "the next message is tried at two" },
    problem: { kind: "rate_limited", message: "limit reached until two", until: null },
    question: { title: "Stop until two?", options: [{ number: 1, label: "Yes, at two" }] },
    unwired: { since, text: "no hook has called by two", rules: 1 }
  })
  for (const status of [endedWithout(last, "ended by hand", null), withoutHost(last, [], null)]) {
    const client = new DrivenClient(status)
    const told = [
      stateLine(status, false),
      statusDetails(status, { colour: false, whole: true }),
      JSON.stringify(webSession({ link: "ended", status })),
      JSON.stringify(stateDetails(client.state))
    ]
    for (const text of told) assert.notMatch(text, /\btwo\b|It works/)
    assert.isTrue(told.every((text) => text.includes("exited") || text.includes("ended")))
  }
})
