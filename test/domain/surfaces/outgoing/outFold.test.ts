import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { OutBody, bodyOf, OutEvent, withoutTexts } from "../../../../src/domain/surfaces/outgoing/OutEvent.ts"
import * as OutFold from "../../../../src/domain/surfaces/outgoing/outFold.ts"
import { SessionMemory } from "../../../../src/domain/surfaces/outgoing/SessionMemory.ts"
import { type FeedLink } from "../../../../src/domain/words/session/Feed.ts"
import type { Question, SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"
import { each } from "../../../support/data/fields.ts"

const begin = Date.UTC(2026, 0, 1)
const iso = (ms: number): string => new Date(begin + ms).toISOString()
const write: Question = {
  title: "Write notes.md?",
  options: [
    { number: 1, label: "Yes" },
    { number: 2, label: "No" }
  ]
}
const other: Question = { ...write, title: "Run ls?" }

/** A session as one who folds sees it, in milliseconds from its beginning. */
const watcher = (isFirst = false) => {
  let memory: SessionMemory | null = null
  let now = 0
  const events: Array<OutEvent> = []
  const needs: Array<readonly [ms: number, ...texts: ReadonlyArray<string | null>]> = []
  const take = (folded: OutFold.Folded | null): void => {
    if (folded === null) return
    memory = folded.memory
    for (const event of folded.events)
      if (event.type !== "session.needs") events.push(event)
      else needs.push([Date.parse(event.timestamp) - begin, ...event.data.needs.map(({ text }) => text)])
  }
  const watch = {
    /** All but what it needs, which `needs` has with its time. */
    events,
    needs,
    types: () => events.map(({ type }) => type),
    /** What was told since it was last asked. */
    news: () => events.splice(0).map(({ data, type }) => ({ type, ...data })),
    memory: () => memory,
    /** Time passes, and what it brings is told. */
    at: (ms: number) => {
      for (let due = memory === null ? null : OutFold.wakeAt(memory); due !== null && due <= begin + ms;) {
        take(OutFold.tick(memory!, due))
        due = OutFold.wakeAt(memory!)
      }
      now = ms
      return watch
    },
    /** The status of now; a state other than the last one begins now. */
    see: (status: Partial<SessionStatus>, link: FeedLink = "live") => {
      take(OutFold.fold(memory, { link, status: sessionStatus({ since: iso(now), ...status }) }, begin + now, isFirst))
      return watch
    }
  }
  return watch
}

describe("what a session's statuses tell", () => {
  it("tells of its beginning, its states, its turn with the answer, and its end", () => {
    const watch = watcher()
    watch.see({ state: "starting", since: iso(0) })
    watch.at(100).see({ state: "idle" })
    watch.at(200).see({ state: "running" })
    watch.at(900).see({ state: "idle", lastResponse: "It is done." })
    watch.at(5_000).see({ state: "exited", lastResponse: "It is done.", exit: { code: 0, signal: null } })
    assert.deepStrictEqual(watch.types(), [
      "session.started",
      "session.state",
      "session.state",
      "turn.ended",
      "session.state",
      "session.state",
      "session.ended"
    ])
    assert.deepInclude(watch.events[3], {
      timestamp: iso(900),
      data: { outcome: "completed", startedAt: iso(200), response: "It is done." }
    })
    assert.deepInclude(watch.events.at(-1), { data: { exit: { code: 0, signal: null }, lost: false } })
  })

  it("waits a moment for a turn's answer, and takes none of the turn before", () => {
    const watch = watcher()
    watch.see({ state: "idle", lastResponse: "one" })
    watch.at(1_000).see({ state: "running", lastResponse: "one" })
    watch.news()
    watch.at(2_000).see({ state: "idle", lastResponse: "one" })
    assert.notInclude(watch.types(), "turn.ended")
    watch.at(2_500).see({ state: "idle", since: iso(2_000), lastResponse: "two" })
    assert.deepInclude(watch.news().at(-1), { type: "turn.ended", response: "two" })
    watch.at(3_000).see({ state: "running", lastResponse: "two" })
    watch.at(4_000).see({ state: "interrupted", lastResponse: "two" })
    watch.news()
    watch.at(10_000)
    assert.deepInclude(watch.news(), {
      type: "turn.ended",
      outcome: "interrupted",
      startedAt: iso(3_000),
      response: null
    })
  })

  it("tells the answer of a turn that leaves background work, once, whatever becomes of that", () => {
    const watch = watcher()
    const answers = () => watch.events.flatMap((event) => (event.type === "turn.ended" ? [event.data.response] : []))
    watch.see({ state: "running" })
    assert.deepStrictEqual(answers(), [])
    watch.at(1_000).see({ state: "churning", lastResponse: "it runs" })
    assert.deepStrictEqual(answers(), ["it runs"])
    watch.at(9_000).see({ state: "idle", lastResponse: "it runs" })
    watch.at(20_000)
    assert.deepStrictEqual(answers(), ["it runs"])
  })

  it("tells how a turn ended once the CLI has told it, or has had its time", () => {
    const end = (...then: ReadonlyArray<Partial<SessionStatus>>) => {
      const watch = watcher()
      watch.see({ state: "running" })
      then.forEach((more, n) => watch.at(1_000 + 500 * n).see({ state: "idle", since: iso(1_000), ...more }))
      watch.at(9_000)
      return watch.events.flatMap((event) =>
        event.type === "turn.ended" ? [[event.data.outcome, event.data.response]] : []
      )
    }
    const failed = { outcome: "failed", why: "it failed" } as const
    const half = { lastResponse: "half" }
    assert.deepStrictEqual(end({ ...half, lastTurn: null }, { ...half, lastTurn: failed }), [["failed", "half"]])
    assert.deepStrictEqual(end({ lastTurn: failed }, { ...half, lastTurn: failed }), [["failed", "half"]])
    assert.deepStrictEqual(end({ ...half, lastTurn: null }), [["completed", "half"]])
    assert.deepStrictEqual(end(half, { ...half, lastTurn: failed }), [["completed", "half"]], "an earlier host's")
    assert.deepStrictEqual(
      end({ state: "interrupted", lastTurn: null }, { lastTurn: { ...failed, outcome: "completed" } }),
      [["interrupted", null]]
    )
  })

  it("is not hurried by time that passes for something else", () => {
    const watch = watcher()
    watch.see({ state: "running" })
    watch.at(1_000).see({ state: "idle", lastTurn: null, lastResponse: "half" })
    const memory = watch.memory()
    const tick = (at: number) =>
      memory === null ? null : OutFold.tick(memory, begin + at).events.map(({ type }) => type)
    assert.deepStrictEqual(tick(2_999), [])
    assert.deepStrictEqual(tick(3_000), ["turn.ended"])
  })

  it("tells of a turn's end before the next one begins", () => {
    const watch = watcher()
    watch.see({ state: "idle" })
    watch.at(100).see({ state: "running" })
    watch.at(200).see({ state: "idle" })
    watch.at(300).see({ state: "running" })
    watch.at(400).see({ state: "idle", problem: { kind: "overloaded", message: "529", until: null } })
    watch.at(9_000)
    const turns = watch.events.filter((event) => event.type === "turn.ended").map(({ data }) => data)
    assert.deepStrictEqual(turns, [
      { outcome: "completed", startedAt: iso(100), response: null },
      { outcome: "failed", startedAt: iso(300), response: null }
    ])
  })

  it("tells of a dialog once it has stood for a moment, and of its end", () => {
    const watch = watcher()
    watch.see({ state: "running" })
    watch.news()
    watch.at(1_000).see({ state: "needs_permission", question: null, message: "permission" })
    watch.at(1_200).see({ state: "needs_permission", since: iso(1_000), question: write })
    assert.deepStrictEqual(each(watch.news(), "type"), ["session.state"])
    watch.at(2_600)
    assert.deepStrictEqual(watch.news(), [])
    watch.at(2_800)
    const [opened] = watch.events
    assert.deepInclude(opened, {
      type: "dialog.opened",
      timestamp: iso(1_000),
      data: { title: "Write notes.md?", subject: null, options: write.options }
    })
    watch.at(9_000).see({ state: "needs_permission", since: iso(1_000), question: null })
    watch.at(9_100).see({ state: "needs_permission", since: iso(1_000), question: write })
    assert.lengthOf(watch.events, 1)
    watch.at(9_200).see({ state: "running" })
    assert.deepInclude(watch.events.at(-1), { type: "dialog.closed", data: { dialog: opened?.id ?? "" } })
    assert.deepStrictEqual(watch.needs, [[1_200, "Write notes.md?"], [9_200]])
  })

  it("tells two dialogs apart that follow each other in one state", () => {
    const watch = watcher()
    watch.see({ state: "needs_permission", question: write })
    watch.at(2_000)
    watch.at(3_000).see({ state: "needs_permission", since: iso(0), question: other })
    watch.at(6_000)
    const [first, second] = watch.events.filter(({ type }) => type === "dialog.opened")
    assert.notStrictEqual(first?.id, second?.id)
    assert.deepInclude(
      watch.events.find(({ type }) => type === "dialog.closed"),
      { data: { dialog: first?.id ?? "" } }
    )
    assert.strictEqual(watch.memory()?.dialog?.id, second?.id)
  })

  it("takes a session that was there before for no news, but for its dialog", () => {
    const watch = watcher(true)
    watch.see({ state: "needs_input", since: iso(-60_000), question: write })
    watch.at(5_000)
    assert.deepStrictEqual(watch.types(), ["dialog.opened"])
    watch.at(6_000).see({ state: "running" })
    watch.at(7_000).see({ state: "idle", lastResponse: "yes" })
    assert.deepStrictEqual(watch.types().slice(1), ["session.state", "dialog.closed", "turn.ended", "session.state"])
  })

  it("tells that a session ended unseen when its next life begins", () => {
    const watch = watcher()
    watch.see({ state: "running" })
    watch.news()
    watch.at(60_000).see({ state: "starting", startedAt: iso(50_000), since: iso(50_000) })
    assert.deepStrictEqual(each(watch.news(), "type"), ["turn.ended", "session.ended", "session.started"])
  })

  it("tells of a session that is started again, also where it was there before", () => {
    const watch = watcher(true)
    watch.see({ state: "exited", exit: { code: 0, signal: null } }, "ended")
    assert.deepStrictEqual(watch.news(), [])
    watch.at(60_000).see({ state: "starting", startedAt: iso(60_000) })
    assert.deepStrictEqual(each(watch.news(), "type"), ["session.started"])
    // two lives later it has ended, and nobody saw how
    watch.at(90_000).see({ state: "exited", startedAt: iso(80_000), exit: { code: 1, signal: null } }, "ended")
    const unseen = watch.events.map(({ session, type }) => [type, session?.startedAt])
    assert.deepStrictEqual(
      unseen.filter(([type]) => type !== "session.state"),
      [
        ["session.ended", iso(60_000)],
        ["session.started", iso(80_000)],
        ["session.ended", iso(80_000)]
      ]
    )
  })

  it("tells that a host died without a word, and of one that hangs only that", () => {
    const watch = watcher()
    watch.see({ state: "idle" })
    watch.news()
    const stuck = { kind: "stuck", message: "the session's host does not answer", until: null } as const
    watch.at(1_000).see({ state: "exited", problem: stuck }, "silent")
    watch.at(2_000).see({ state: "exited", problem: stuck }, "silent")
    assert.deepStrictEqual(watch.news(), [{ type: "session.problem", ...stuck }])
    watch.at(3_000).see({ state: "exited", exit: null }, "ended")
    assert.deepInclude(watch.news().at(-1), { type: "session.ended", exit: null, lost: true })
    watch.at(4_000).see({ state: "exited", exit: null }, "ended")
    assert.deepStrictEqual(watch.news(), [])
  })

  it("tells of one limit once, however exactly its end is told", () => {
    const watch = watcher()
    watch.see({ state: "idle" })
    const limit = (until: string | null, within?: number) => ({
      kind: "rate_limited" as const,
      message: "spent",
      until: until === null ? null : `2026-01-01T${until}.000Z`,
      ...(within === undefined ? {} : { within })
    })
    const ends = [
      limit("15:00:00", 59_999),
      limit("15:00:40"),
      limit("15:00:00", 3_599_999),
      limit("20:00:00"),
      limit(null)
    ]
    ends.forEach((problem, i) => watch.at(2_000 + i * 1_000).see({ state: "idle", problem }))
    const told = watch.events.flatMap((event) => (event.type === "session.problem" ? [event.data.until] : []))
    assert.deepStrictEqual(told, ["2026-01-01T15:00:00.000Z", "2026-01-01T20:00:00.000Z", null])
  })

  it("masks what looks like a secret, and keeps long texts within bounds", () => {
    const watch = watcher()
    const key = `sk-ant-api03-${"a".repeat(60)}`
    watch.see({ state: "needs_permission", question: { ...write, title: `curl -H 'x-api-key: ${key}'`, subject: key } })
    watch.at(2_000).see({ state: "running" })
    watch.at(3_000).see({ state: "idle", lastResponse: `${key} ${"x".repeat(100_000)}` })
    const text = JSON.stringify(watch.events)
    assert.notInclude(text, key)
    assert.include(text, "curl")
    assert.isBelow(text.length, 50_000)
  })
})

const Steps = Schema.Array(
  Schema.Struct({
    after: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4_000 })),
    state: Schema.Literals([
      "starting",
      "idle",
      "running",
      "needs_permission",
      "needs_input",
      "interrupted",
      "churning"
    ]),
    question: Schema.Literals([0, 1, 2]),
    response: Schema.Literals(["", "one", "two"]),
    link: Schema.Literals(["live", "live", "live", "silent", "ended"]),
    restart: Schema.Boolean
  })
)
type Steps = typeof Steps.Type

const questions = [null, write, other] as const

/** Folds a session's life; with `restarts` through what is on disk, wherever the life says so. */
const live = (life: Steps, restarts: boolean): ReadonlyArray<OutEvent> => {
  const events: Array<OutEvent> = []
  let memory: SessionMemory | null = null
  let at = begin
  let since = begin
  let last = ""
  const stored = Schema.fromJsonString(SessionMemory)
  for (const { after, link, question, response, restart, state } of life) {
    for (let due = memory && OutFold.wakeAt(memory); memory !== null && due !== null && due <= at + after;) {
      const folded = OutFold.tick(memory, due)
      memory = folded.memory
      events.push(...folded.events)
      due = OutFold.wakeAt(memory)
    }
    at += after
    if (state !== last) since = at
    last = state
    if (restarts && restart && memory !== null)
      memory = Schema.decodeUnknownSync(stored)(Schema.encodeSync(stored)(memory))
    const status = sessionStatus({
      state,
      question: questions[question],
      lastResponse: response === "" ? null : response,
      since: new Date(since).toISOString()
    })
    const folded = OutFold.fold(memory, { link, status }, at, false)
    if (folded === null) continue
    memory = folded.memory
    events.push(...folded.events)
  }
  return events
}

describe("what any session's statuses tell", () => {
  it.prop("has each id once, closes only what it opened, and is what its schema says", [Steps], ([life]) => {
    const events = live(life, false)
    assert.strictEqual(new Set(events.map(({ id }) => id)).size, events.length)
    const open = new Set<string>()
    for (const event of events) {
      assert.match(event.id, /^[\w-]+$/)
      if (event.type === "dialog.opened") {
        assert.strictEqual(open.size, 0)
        open.add(event.id)
      }
      if (event.type === "dialog.closed") assert.isTrue(open.delete(event.data.dialog))
      const sent = bodyOf({ sequence: 1, event })
      assert.deepStrictEqual(Schema.decodeUnknownSync(Schema.fromJsonString(OutBody))(sent), { sequence: 1, ...event })
      assert.doesNotThrow(() => Schema.decodeUnknownSync(OutEvent)(withoutTexts(event)))
    }
  })

  it.prop("is the same when it goes on from what was written down", [Steps], ([life]) => {
    assert.deepStrictEqual(live(life, true), live(life, false))
  })
})

describe("an event without texts", () => {
  it("has nothing that was on the screen", () => {
    const watch = watcher()
    watch.see({ state: "running", reason: "TEXT" })
    watch
      .at(1_000)
      .see({ state: "needs_permission", question: { title: "TEXT", subject: "TEXT", options: write.options } })
    watch.at(4_000).see({ state: "running", problem: { kind: "auth", message: "TEXT", until: null } })
    watch.at(5_000).see({ state: "idle", lastResponse: "TEXT" })
    assert.include(JSON.stringify(watch.events), "TEXT")
    assert.notInclude(JSON.stringify(watch.events.map(withoutTexts)), "TEXT")
    assert.notInclude(JSON.stringify(watch.events.map(withoutTexts)), "Yes")
  })
})
