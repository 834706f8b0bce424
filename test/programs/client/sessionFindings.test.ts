import { assert, describe, it } from "@effect/vitest"
import { needName } from "../../../src/domain/words/attention/dismissing.ts"
import { needsOf } from "../../../src/domain/words/attention/needsOf.ts"
import { unreachable } from "../../../src/domain/words/session/hostUnreached.ts"
import type { SessionStatus } from "../../../src/domain/words/session/Session.ts"
import { sessionFinding } from "../../../src/programs/client/sessionFindings.ts"
import { message } from "../../support/data/clientKeys.ts"
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

  const since = "2026-01-01T00:00:00.000Z"
  const held = message("HHHHH", "kept", { status: "held", why: "it may have been sent" })
  const lost = message("FFFFF", "too long", { status: "done", outcome: "failed", why: "its turn failed: refused" })
  const pause = (kind: NonNullable<SessionStatus["pause"]>["kind"], until: string | null = null) => ({
    pause: { kind, since, until, text: "the queue's own reason" }
  })
  const auth = { kind: "auth", message: "log in again", until: null } as const
  it.each<readonly [what: string, change: Partial<SessionStatus>, rows: ReadonlyArray<ReadonlyArray<string | null>>]>([
    [
      "messages held for the user",
      { queue: [held] },
      [["warning", "held: 1 message is held: it may have been sent", "leap queue release one"]]
    ],
    [
      "a message given up",
      { queue: [lost] },
      [["warning", "failed: 1 message failed: its turn failed: refused", "leap queue retry one all"]]
    ],
    [
      "a failed turn that keeps the queue back",
      { problem: auth, ...pause("auth"), queue: [held] },
      [["warning", "failed: log in again; the queue's own reason", "leap queue retry one all"]]
    ],
    ["a failed turn with nothing queued", { problem: auth }, [["warning", "failed: log in again", null]]],
    [
      "a budget that is used up",
      { ...pause("budget"), queue: [held] },
      [["warning", "held: the queue's own reason", "leap queue release one"]]
    ],
    [
      "a limit that time ends",
      pause("rate_limited", since),
      [["warning", "at limit: the queue's own reason", "leap queue release one"]]
    ],
    [
      "a dialog, which is no fault",
      { state: "needs_permission", message: "Write notes.md?" },
      [["ok", "permission: Write notes.md?", null]]
    ],
    [
      "a crash",
      { state: "exited", problem: { kind: "crashed", message: "its host died", until: null }, queue: [held] },
      [["broken", "ended: its host died; 1 message waits", "leap one"]]
    ],
    ["messages that wait for the next start", { state: "exited", queue: [held] }, []]
  ])("is what it needs of its user: %s", (_, change, rows) => {
    const findings = found(change)
    assert.deepStrictEqual(
      findings.map(({ detail, mend, state }) => [state, detail, mend]),
      rows
    )
    // what was dismissed is told nowhere
    const dismissed = needsOf(sessionStatus({ tag: "one", ...change })).map(needName)
    const left = found({ ...change, dismissed }).filter(({ state }) => state !== "ok")
    assert.deepStrictEqual(left, [])
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
