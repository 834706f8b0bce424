import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { defaultModes } from "../../../../src/domain/words/session/Session.ts"
import { SessionEvent } from "../../../../src/domain/words/session/SessionEvent.ts"
import * as Tracker from "../../../../src/domain/engine/tracker/Tracker.ts"
import { eventsOf, Life, live, Mode, modesOf, tellsOf } from "../../../support/session/lives.ts"
import { everything, settle } from "../../../support/session/trace.ts"

const all = { arbitrary: { runs: 400 } }

describe("Tracker, whatever happens", () => {
  it.prop("takes any events at all", { events: Schema.Array(SessionEvent) }, ({ events }) => {
    const track = Tracker.track({ capabilities: everything })
    const memory = events.reduce(track, Tracker.start(0, defaultModes))
    assert.isString(memory.view.reason._tag)
    assert.isTrue(memory.view.changesAt === null || memory.view.changesAt > memory.facts.at)
  })

  it.prop(
    "is not ready within a moment of the user's key",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      for (const { facts, view } of live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen) {
        if (view.ready && facts.userKeyAt !== null) assert.isAtLeast(facts.at - facts.userKeyAt, 1_000)
      }
    },
    all
  )

  it.prop(
    "is not ready against the CLI's own word, until that is a minute stale",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      for (const { facts, view } of live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen) {
        const root = facts.records.find(({ id }) => id === "")
        if (!view.ready || facts.reportedSince === null || root === undefined) continue
        // A missing login of which a hook told that it failed the last turn: the queue's pause waits for that.
        const { turnEndedAt, turnFailedAt, turnStartedAt } = facts
        const hasFailed = turnFailedAt !== null && turnFailedAt >= Math.max(turnStartedAt ?? 0, turnEndedAt ?? 0)
        const isAsked = root.state === "blocked" && !(root.kind === "auth" && hasFailed)
        if (isAsked || (root.state === "working" && mode.churn === "wait"))
          assert.isAtLeast(facts.at - facts.reportedSince, 60_000)
      }
    },
    all
  )

  it.prop(
    "changes by itself in the future only, and comes to rest",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      const { last, seen, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      for (const { facts, view } of seen) assert.isTrue(view.changesAt === null || view.changesAt > facts.at)
      const settled = settle(track, last, Infinity)
      assert.isNull(settled.memory.view.changesAt)
      assert.isBelow(settled.ticks, 40)
    },
    all
  )

  it.prop(
    "changes at no other time",
    { life: Life, mode: Mode, early: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })) },
    ({ early, life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { at } = last.facts
      const due = last.view.changesAt ?? at + 1_000_000
      const between = track(last, { _tag: "Tick", at: Math.min(at + (due - at) * early, due - 0.001) })
      assert.deepStrictEqual(between.view, last.view)
    },
    all
  )

  it.prop(
    "is never held by a screen: after long silence only the CLI's own word keeps it at work",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { facts, view } = settle(track, last, Infinity).memory
      const says = facts.records.find(({ id }) => id === "")?.state ?? facts.ownStatus?.phase
      if (view.state === "running") assert.include(["working", "work", "blocked", "wait"], says)
    },
    all
  )

  it.prop(
    "waits for the user only where the screen shows it, the CLI says it, or a hook or the title said it and nothing can be read",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      for (const { facts, view } of live(eventsOf(life), modesOf(mode), tellsOf(mode)).seen) {
        if (view.state !== "needs_permission" && view.state !== "needs_input") continue
        const root = facts.records.find(({ id }) => id === "")
        const says = root === undefined ? facts.ownStatus?.phase === "wait" : root.state === "blocked"
        assert.isTrue(
          facts.screen.dialog !== null ||
            says ||
            facts.openQuestions.length > 0 ||
            ((facts.lastQuestion !== null || facts.screen.title === "ask") && facts.screen.box === null),
          view.reason._tag
        )
      }
    },
    all
  )

  it.prop(
    "ends with the process",
    { life: Life, after: Life, mode: Mode },
    ({ after, life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const gone = track(last, { _tag: "Exited", at: last.facts.at, exit: { code: 0, signal: null } })
      assert.deepStrictEqual(
        [gone.view.state, gone.view.ready, gone.view.dialog, gone.view.changesAt],
        ["exited", false, false, null]
      )
      assert.strictEqual(eventsOf(after).reduce(track, gone), gone)
    },
    { arbitrary: { runs: 100 } }
  )

  it.prop(
    "takes ticks, resizes and half frames for no news",
    { life: Life, mode: Mode },
    ({ life, mode }) => {
      const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
      const { at } = last.facts
      assert.deepStrictEqual(track(last, { _tag: "Tick", at }).view, last.view)
      assert.strictEqual(track(last, { _tag: "Resize", at, cols: 100, rows: 30 }).view.state, last.view.state)
    },
    all
  )
})

describe("Tracker, where an event makes due at once what else only time brings", () => {
  // a new conversation began behind a turn's end: the sign of work that stood through it is text from then on
  it("changes with the event, and not at the next tick", () => {
    const life = [
      { wait: 0, step: "workingTitle" },
      { wait: 10_500, step: "started" },
      { wait: 8_010, step: "ended" },
      { wait: 50, step: "started" },
      { wait: 8_010, step: "clear" }
    ] as const
    const mode = { churn: "wait", autoSend: "pause", tells: false } as const
    const { last, track } = live(eventsOf(life), modesOf(mode), tellsOf(mode))
    assert.deepStrictEqual(track(last, { _tag: "Tick", at: last.facts.at }).view, last.view)
  })
})
