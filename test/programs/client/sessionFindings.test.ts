import { assert, describe, it } from "@effect/vitest"
import { unreachable } from "../../../src/domain/words/session/hostUnreached.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { sessionFinding } from "../../../src/programs/client/sessionFindings.ts"
import { sessionStatus } from "../../support/data/sessionStatus.ts"
import { each } from "../../support/data/fields.ts"

const found = (change: Partial<SessionStatus>) =>
  sessionFinding(sessionStatus({ tag: "one", ...change }), "leap one", "/settings.json")

describe("what doctor says of a session", () => {
  it("is that its screen is not known, and what helps, unless the user trusts it or it has ended", () => {
    const [finding, ...others] = found({ layout: "unknown" })
    assert.deepStrictEqual([others, finding?.state, finding?.mend], [[], "warning", "leap attach one"])
    for (const words of [
      "leap does not recognize its screen",
      "NO_COLOR",
      '"unknownLayout": "trust" in /settings.json'
    ])
      assert.include(finding?.detail, words)
    for (const layout of ["known", "trusted"] as const) assert.deepInclude(found({ layout })[0], { state: "ok" })
    assert.deepStrictEqual(found({ layout: "unknown", state: "exited" }), [])
  })

  it("is what its host cannot do for it, beside what it does, until it has ended", () => {
    const problems = {
      unwired: { since: "2026-11-30T00:00:00.000Z", text: "no hook calls leap", rules: 0 },
      notifyProblem: "h: the server answered 500",
      recordProblem: "its host is of leap 0.1.0"
    }
    assert.deepStrictEqual(each(found({ state: "idle", ...problems }), "detail"), [
      "idle",
      "not wired here: no hook calls leap; not known: context, cost, last message",
      "you are not told of it: h: the server answered 500",
      "it is not recorded: its host is of leap 0.1.0"
    ])
    assert.deepStrictEqual(found({ state: "exited", ...problems }), [])
  })

  it("is that it is stuck before all else", () => {
    const problem = { kind: "stuck", message: "it hangs", until: null } as const
    assert.deepInclude(found({ layout: "unknown", problem })[0], { state: "broken", mend: "kill -CONT 1" })
    const lost = { _tag: "NoAddress", pid: 7, socket: "/s/host.sock", why: "there is none" } as const
    const [finding] = found(unreachable(sessionStatus({ tag: "one" }), lost))
    // nothing makes a host go on that goes on
    assert.deepInclude(finding, { state: "broken", mend: "leap stop one --force" })
    assert.include(finding?.detail, "(process 7), and nothing reaches it at /s/host.sock: there is none")
  })
})
