import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  type Action,
  type ActionFacts,
  messageActions,
  modeActions,
  muteActions,
  queueActions,
  stopActions,
  turnActions
} from "../../../../src/domain/surfaces/operations/actions.ts"
import { Call } from "../../../../src/domain/surfaces/operations/calls.ts"
import { allNeedsOf } from "../../../../src/domain/words/attention/needsOf.ts"
import { MessageStatus } from "../../../../src/domain/words/session/Message.ts"
import { pauseEnd } from "../../../../src/domain/words/session/queuePause.ts"
import { SessionState, type SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { message } from "../../../support/data/clientKeys.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const keys = (actions: ReadonlyArray<Action>): string => actions.map(({ key }) => key).join("")
const modes = { autoSend: "pause", churn: "wait" } as const
const of = (state: string, ...statuses: ReadonlyArray<string>): ActionFacts => ({
  tag: "one",
  state,
  queue: statuses.map((status, i) => ({
    id: `M${i}`,
    status: status === "lost" ? "done" : status,
    outcome: status === "lost" ? "failed" : null
  })),
  pauseEnd: null,
  modes
})

describe("what can be done with a session", () => {
  it.each([
    ["idle", ""],
    ["running", "i"],
    ["needs_permission", "i"],
    ["churning", "i"],
    ["interrupted", ""],
    ["exited", ""]
  ])("its turn while it is %s: %j", (state, expected) => assert.strictEqual(keys(turnActions({ state })), expected))

  it.each<readonly [statuses: ReadonlyArray<string>, all: string, each: ReadonlyArray<string>]>([
    [[], "", []],
    [["queued"], "Hc", ["hfd"]],
    [["held"], "Rc", ["hfd"]],
    [["queued", "held", "queued"], "RHc", ["hJfd", "hKJfd", "hKfd"]],
    [["lost", "held"], "TRc", ["td", "hfd"]],
    [["submitted", "queued"], "Hc", ["", "hfd"]],
    [["typed"], "", [""]]
  ])("a queue of %j", (statuses, all, each) => {
    const session = of("idle", ...statuses)
    assert.strictEqual(keys(queueActions(session)), all)
    assert.deepStrictEqual(
      session.queue.map((message) => keys(messageActions(session, message))),
      each
    )
    assert.deepStrictEqual(queueActions({ ...session, state: "exited" }), [])
  })

  it.each<readonly [kind: NonNullable<SessionStatus["pause"]>["kind"], until: string | null, all: string]>([
    ["auth", null, "THc"],
    ["rate_limited", "2026-11-30T08:00:00.000Z", "RHc"],
    ["budget", null, "RHc"],
    ["budget", "2026-12-01T00:00:00.000Z", "RHc"],
    ["unwired", null, "RHc"],
    ["unwired", "2026-11-30T08:00:00.000Z", "Hc"]
  ])("of a queue that waits for %s until %s", (kind, until, all) => {
    const pause = { kind, since: "2026-11-30T07:00:00.000Z", until, text: "" }
    const session = { ...of("idle", "queued"), pauseEnd: pauseEnd({ pause }) }
    assert.strictEqual(keys(queueActions(session)), all)
    const needs = allNeedsOf(sessionStatus({ state: "idle", pause, queue: [message("M0", "next")] }))
    const offered = new Set(needs.flatMap(({ offers }) => offers.map(({ operation }) => operation)))
    assert.deepStrictEqual([offered.has("retry"), offered.has("release")], [all.includes("T"), /[RT]/.test(all)])
  })

  it("asks before a queue is emptied, and says what is lost", () => {
    const question = (...statuses: ReadonlyArray<string>) => queueActions(of("idle", ...statuses)).at(-1)?.confirm
    assert.strictEqual(question("queued"), "Take the message that waits out of the queue of one?")
    assert.strictEqual(question("lost", "held"), "Take all 2 messages that wait or failed out of the queue of one?")
  })

  it("says of its modes which are current", () => {
    const set = (actions: ReadonlyArray<Action>) => keys(actions.filter(({ isSet }) => isSet))
    assert.strictEqual(set(modeActions(modes)), "pwo")
    assert.strictEqual(set(modeActions({ autoSend: "always", churn: "send", night: "on" })), "asl")
    assert.strictEqual(set(modeActions(null)), "")
    assert.strictEqual(set(muteActions(modes, 0)), "u")
    assert.strictEqual(set(muteActions({ ...modes, mute: "on" }, 0)), "m")
    assert.deepStrictEqual(muteActions(modes, 0)[0]?.call, {
      _tag: "SetModes",
      modes: { mute: "1970-01-01T01:00:00.000Z" }
    })
    assert.isTrue(stopActions("one").every(({ confirm }) => confirm === "Stop one? What is queued is kept."))
  })

  it.prop(
    "has a key of its own for each thing, and asks for what the catalogue has",
    {
      state: SessionState,
      statuses: Schema.Array(MessageStatus),
      failed: Schema.Boolean,
      pauseEnd: Schema.NullOr(Schema.Literals(["retry", "release"]))
    },
    ({ failed, pauseEnd, state, statuses }) => {
      const base = of(state, ...statuses, ...(failed ? ["lost"] : []))
      const session = { ...base, pauseEnd }
      const alone = [...modeActions(modes), ...muteActions(modes, 0)]
      const perMessage = session.queue.map((message) => [...messageActions(session, message), ...queueActions(session)])
      for (const actions of [alone, stopActions("one"), ...perMessage]) {
        assert.strictEqual(new Set(actions.map(({ key }) => key)).size, actions.length)
        for (const { call } of actions) assert.isTrue(Schema.is(Call)(call))
      }
    }
  )
})
