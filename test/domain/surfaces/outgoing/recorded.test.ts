import { assert, describe, it } from "@effect/vitest"
import type { OutEvent } from "../../../../src/domain/surfaces/outgoing/OutEvent.ts"
import * as OutFold from "../../../../src/domain/surfaces/outgoing/outFold.ts"
import * as Recorded from "../../../../src/domain/surfaces/outgoing/recorded.ts"
import type { SessionMemory } from "../../../../src/domain/surfaces/outgoing/SessionMemory.ts"
import type { RecordedLife } from "../../../../src/domain/engine/history/RecordedLife.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"
import { recordedLife } from "../../../support/out/recordedLife.ts"
import { each } from "../../../support/data/fields.ts"

const begin = Date.UTC(2026, 0, 1)
const iso = (ms: number) => new Date(begin + ms).toISOString()
const beside: Recorded.Beside = { now: begin + 1_000_000, from: begin - 1, gone: false, seen: new Map() }
const limit = { kind: "rate_limited" as const, message: "usage limit", until: iso(900_000) }

/** A session's life as it is recorded, moment by moment: turns, a dialog, a problem, an end. */
const moments = (): ReadonlyArray<readonly [number, RecordedLife]> => {
  const { life, tell } = recordedLife("demo", begin)
  const steps = [
    [500, { state: "idle" }],
    [1_000, { state: "running" }],
    [5_000, { state: "idle", answer: "first", answerAt: begin + 5_000, lastTurn: "completed" }],
    [5_400, { state: "running", lastTurn: null }],
    [6_000, { state: "needs_permission", asked: "Write notes.md?" }],
    [9_000, { state: "running", asked: null }],
    [9_500, { state: "needs_permission", asked: "A policy's" }],
    [9_900, { state: "running", asked: null }],
    [12_000, { state: "idle" }],
    [12_700, { lastTurn: "failed", answer: "second", answerAt: begin + 12_600 }],
    [13_000, { problem: limit }],
    [20_000, { state: "running", problem: null, lastTurn: null }],
    [21_000, { state: "interrupted", lastTurn: "interrupted" }],
    [30_000, { state: "running", lastTurn: null }],
    [31_000, { state: "exited", exit: { code: 0, signal: null } }]
  ] as const
  return [[begin, life()] as const, ...steps.map(([ms, change]) => [begin + ms, tell(begin + ms, change)] as const)]
}
const whole = moments().at(-1)![1]

/** The life without the rows that a cursor says are known, as a query gives it. */
const since = (life: RecordedLife, { dialog, interval, note, turn }: Recorded.Cursor): RecordedLife => ({
  ...life,
  intervals: life.intervals.filter(({ n }) => n >= Math.min(interval, dialog)),
  turns: life.turns.filter(({ n }) => n >= turn),
  problems: life.problems.filter(({ n }) => n >= note)
})
const shown = ({ data, timestamp, type }: OutEvent): string =>
  `${Date.parse(timestamp) - begin} ${type} ${Object.values(data).slice(0, 1).join()}`

const turnsOf = (events: ReadonlyArray<OutEvent>) =>
  events.flatMap((event) =>
    event.type === "turn.ended"
      ? [`${Date.parse(event.timestamp) - begin} ${event.data.outcome} ${event.data.response}`]
      : []
  )

describe("what the record tells", () => {
  it("is all that happened to a session, in its order", () => {
    const { cursor, events, wakeAt } = Recorded.eventsFrom(whole, Recorded.atStart, beside)
    assert.deepStrictEqual(events.map(shown), [
      "0 session.started ",
      "500 session.state idle",
      "1000 session.state running",
      "5000 session.state idle",
      "5000 turn.ended completed",
      "5400 session.state running",
      "6000 session.state needs_permission",
      "6000 dialog.opened Write notes.md?",
      "9000 session.state running",
      "9000 dialog.closed dialog_demo_mjuohwmo",
      "9500 session.state needs_permission",
      "9900 session.state running",
      "12000 session.state idle",
      "12000 turn.ended failed",
      "13000 session.problem rate_limited",
      "20000 session.state running",
      "21000 session.state interrupted",
      "21000 turn.ended interrupted",
      "30000 session.state running",
      "31000 session.state exited",
      "31000 turn.ended ended",
      "31000 session.ended [object Object]"
    ])
    assert.deepStrictEqual(turnsOf(events), [
      "5000 completed first",
      "12000 failed second",
      "21000 interrupted null",
      "31000 ended null"
    ])
    assert.deepStrictEqual(events.find(({ type }) => type === "session.problem")?.data, {
      kind: "rate_limited",
      message: "usage limit",
      until: limit.until
    })
    assert.isNull(wakeAt)
    assert.isTrue(cursor.ended)
    assert.deepStrictEqual(Recorded.eventsFrom(since(whole, cursor), cursor, beside).events, [])
  })

  it("is the same, each thing once, whenever it was looked at and at whatever step that ended", () => {
    const all = Recorded.eventsFrom(whole, Recorded.atStart, beside).events.map(({ id }) => id)
    // looks at each moment or not: of 16 moments all choices of three, and each at once or so much later
    const steps = moments()
    for (let a = 0; a < steps.length; a++)
      for (let b = a; b < steps.length; b++)
        for (const late of [0, 100, 1_900, 2_000, 5_000]) {
          let cursor = Recorded.atStart
          const told: Array<OutEvent> = []
          for (const step of [steps[a], steps[b], steps.at(-1)]) {
            if (step === undefined) continue
            const [at, life] = step
            const looked = Recorded.eventsFrom(since(life, cursor), cursor, { ...beside, now: at + late })
            told.push(...looked.events)
            cursor = looked.cursor
          }
          const where = `${a} ${b} ${late}`
          assert.deepStrictEqual(told.map(({ id }) => id).sort(), [...all].sort(), where)
          const times = told.filter(({ type }) => type !== "dialog.opened").map(({ timestamp }) => timestamp)
          assert.deepStrictEqual(times, [...times].sort(), where)
          // a dialog that is over is opened before it is closed
          const opened = told.findIndex(({ type }) => type === "dialog.opened")
          assert.isBelow(
            opened,
            told.findIndex(({ type }) => type === "dialog.closed"),
            where
          )
        }
  })

  it("waits for an answer and for how a turn ended, no longer than is promised", () => {
    const [at, life] = moments().find(([at]) => at === begin + 12_000)!
    const look = (now: number, seen: Recorded.Beside["seen"] = new Map()) =>
      Recorded.eventsFrom(life, Recorded.atStart, { ...beside, now, seen })
    const waits = look(at + 1_999)
    assert.deepStrictEqual(turnsOf(waits.events), ["5000 completed first"])
    assert.strictEqual(waits.wakeAt, at + 2_000)
    assert.deepStrictEqual(turnsOf(look(at + 2_000).events), ["5000 completed first", "12000 completed null"])
    // the session has told it whole already
    const session = Recorded.sessionOf(life)
    const live = OutFold.eventsOf(session).turn(begin + 5_400, at, "failed", "second")
    assert.deepStrictEqual(turnsOf(look(at + 10, new Map([[live.id, live]])).events), [
      "5000 completed first",
      "12000 completed second"
    ])
  })

  it("ends what was open when a host died, and takes texts from the session where the record keeps none", () => {
    const { tell } = recordedLife("demo", begin, "meta")
    tell(begin + 500, { state: "idle" })
    tell(begin + 1_000, { state: "running" })
    tell(begin + 5_000, { state: "idle", answer: "first", answerAt: begin + 5_000 })
    const life = tell(begin + 6_000, { state: "running" })
    const told = OutFold.eventsOf(Recorded.sessionOf(life)).turn(begin + 1_000, begin + 5_000, "completed", "first")
    const seen = new Map([[told.id, told]])
    assert.deepStrictEqual(turnsOf(Recorded.eventsFrom(life, Recorded.atStart, { ...beside, seen }).events), [
      "5000 completed first"
    ])
    const { cursor, events } = Recorded.eventsFrom(life, Recorded.atStart, { ...beside, gone: true })
    assert.deepStrictEqual(turnsOf(events), ["5000 completed null", "6000 ended null"])
    assert.deepStrictEqual(events.at(-1)?.data, { exit: null, lost: true })
    assert.isTrue(cursor.ended)
  })

  it("is nothing of before, but the end of what had begun", () => {
    const { cursor, events } = Recorded.eventsFrom(whole, Recorded.atStart, { ...beside, from: begin + 8_000 })
    assert.deepStrictEqual(events.slice(0, 3).map(shown), [
      "9000 session.state running",
      "9000 dialog.closed dialog_demo_mjuohwmo",
      "9500 session.state needs_permission"
    ])
    assert.lengthOf(turnsOf(events), 3)
    assert.isTrue(cursor.ended)
    assert.deepStrictEqual(Recorded.eventsFrom(whole, Recorded.atStart, { ...beside, from: begin + 60_000 }).events, [])
  })

  it("is told no further than rows are whole, where there are more than are read at once", () => {
    const cut = { ...whole, intervals: whole.intervals.slice(0, 3), horizon: begin + 1_000 }
    const first = Recorded.eventsFrom(cut, Recorded.atStart, beside)
    assert.deepStrictEqual(first.events.map(shown), [
      "0 session.started ",
      "500 session.state idle",
      "1000 session.state running"
    ])
    const rest = Recorded.eventsFrom(since(whole, first.cursor), first.cursor, beside)
    assert.deepStrictEqual(
      [...first.events, ...rest.events],
      Recorded.eventsFrom(whole, Recorded.atStart, beside).events
    )
  })

  it("has the ids that it has when it is seen as it happens", () => {
    const seen = [
      { state: "starting", since: iso(0) },
      { state: "idle", since: iso(500) },
      { state: "running", since: iso(1_000) },
      { state: "idle", since: iso(5_000), lastResponse: "first" },
      { state: "running", since: iso(5_400) },
      { state: "needs_permission", since: iso(6_000), question: { title: "Write notes.md?", options: [] } },
      { state: "running", since: iso(9_000), question: null },
      { state: "needs_permission", since: iso(9_500), question: { title: "A policy's", options: [] } },
      { state: "running", since: iso(9_900), question: null },
      { state: "idle", since: iso(12_000), lastResponse: "second" },
      { state: "running", since: iso(20_000) },
      { state: "interrupted", since: iso(21_000) },
      { state: "running", since: iso(30_000) },
      { state: "exited", since: iso(31_000), exit: { code: 0, signal: null } }
    ] as const
    let memory: SessionMemory | null = null
    const live = new Set<string>()
    for (const status of seen) {
      const now = Date.parse(status.since)
      const ticked = memory === null ? null : OutFold.tick(memory, now - 1)
      const startedAt = iso(0)
      const feed = { link: "live", status: sessionStatus({ ...status, startedAt }) } as const
      const folded = OutFold.fold(ticked?.memory ?? null, feed, now, false)
      // what it needs is of the moment, and no record's
      for (const { id, type } of [...(ticked?.events ?? []), ...(folded?.events ?? [])])
        if (type !== "session.needs") live.add(id)
      memory = folded?.memory ?? null
    }
    const told = Recorded.eventsFrom(whole, Recorded.atStart, beside).events.filter(
      ({ type }) => type !== "session.problem"
    )
    assert.sameMembers(each(told, "id"), [...live])
  })
})
