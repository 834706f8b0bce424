import { assert, describe, it } from "@effect/vitest"
import {
  concernsOtherSession,
  noSessions,
  withSignal,
  type SessionsSeen
} from "../../../../src/domain/engine/tracker/SessionsSeen.ts"
import type { Signal } from "../../../../src/domain/words/session/Signal.ts"

const created = (sessionId: string, parent: string | null = null): Signal => ({
  _tag: "SessionStarted",
  sessionId,
  transcriptPath: null,
  source: "startup",
  parent
})
const told = (phase: "work" | "rest" | "wait", session: string): Signal => ({
  _tag: "OwnStatus",
  phase,
  waitingFor: null,
  background: false,
  word: phase,
  sessionId: null,
  session
})
const ended = (session?: string): Signal => ({
  _tag: "TurnEnded",
  response: null,
  background: null,
  ...(session === undefined ? {} : { session })
})
const after = (...signals: ReadonlyArray<Signal>): SessionsSeen => signals.reduce(withSignal, noSessions)

describe("a subagent's session", () => {
  const sessions = after(created("root"), told("work", "root"), created("child", "root"), told("work", "child"))

  it("is known by its parent", () => {
    assert.deepStrictEqual(sessions, { children: ["child"], working: ["root"] })
  })

  it("says nothing of the session as a whole", () => {
    for (const signal of [
      told("rest", "child"),
      told("work", "child"),
      ended("child"),
      created("child", "root"),
      { _tag: "TurnStarted", prompt: "count", own: false, session: "child" } as const
    ]) {
      assert.isTrue(concernsOtherSession(withSignal(sessions, signal), signal), signal._tag)
    }
  })

  it("leaves the root's own words alone", () => {
    for (const signal of [told("rest", "root"), ended("root")])
      assert.isFalse(concernsOtherSession(withSignal(sessions, signal), signal))
  })

  it("that was working before it was announced is a subagent all the same", () => {
    assert.deepStrictEqual(after(told("work", "late"), created("late", "root")), { children: ["late"], working: [] })
  })
})

describe("several sessions", () => {
  it("are at rest when the last of them is", () => {
    const both = after(told("work", "a"), told("work", "b"))
    const first = withSignal(both, told("rest", "b"))
    assert.isTrue(concernsOtherSession(first, told("rest", "b")))
    assert.isTrue(concernsOtherSession(first, ended("b")))
    assert.isTrue(concernsOtherSession(first, { _tag: "Interrupted", at: null, session: "b" }))
    assert.isFalse(concernsOtherSession(first, told("work", "b")))
    const last = withSignal(first, told("rest", "a"))
    assert.isFalse(concernsOtherSession(last, told("rest", "a")))
    assert.isFalse(concernsOtherSession(last, ended("a")))
  })

  it("work while they wait", () => {
    assert.deepStrictEqual(after(told("wait", "a")).working, ["a"])
  })
})

describe("a CLI that names no sessions", () => {
  it("is always heard", () => {
    assert.strictEqual(withSignal(noSessions, ended()), noSessions)
    assert.isFalse(concernsOtherSession(after(told("work", "a")), ended()))
  })

  it("is remembered without end, but not without bound", () => {
    const many = after(...Array.from({ length: 500 }, (_, i) => created(`c${i}`, "root")))
    assert.isAtMost(many.children.length, 200)
    assert.include(many.children, "c499")
  })
})
