import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as LimitContinuation from "../../../../src/domain/engine/continuation/LimitContinuation.ts"
import * as Queue from "../../../../src/domain/engine/queue/Queue.ts"
import { holdLeftovers } from "../../../../src/domain/engine/queue/Leftovers.ts"
import { nextMoment } from "../../../../src/domain/words/reading/DayTime.ts"
import { limitPlanText } from "../../../../src/domain/words/wording/limitPlanText.ts"
import type { Problem, View } from "../../../../src/domain/words/session/Session.ts"
import { defaultNight, type NightSettings } from "../../../../src/domain/store/settings/NotifySettings.ts"
import { isThorough } from "../../../support/run/thorough.ts"
import { each } from "../../../support/data/fields.ts"

const hour = 3_600_000
const planned = ({ plan }: LimitContinuation.NightMemory): string => (plan === null ? "" : limitPlanText(plan))
const begin = Date.UTC(2026, 0, 1, 22)
const view = (problem: Problem | null, state: View["state"] = "idle"): View => ({
  state,
  ready: false,
  dialog: false,
  reason: { _tag: "BoxShown" },
  since: begin,
  message: null,
  problem,
  background: [],
  changesAt: null,
  notReady: null
})
const limit = (until: number | null): Problem => ({
  kind: "rate_limited",
  message: "limit",
  until: until === null ? null : new Date(until).toISOString()
})

/** A session of which the test says what it shows, on a clock that the test sets. */
const session = (settings: Partial<NightSettings> = {}) => {
  const whole = { ...defaultNight, ...settings }
  let memory = LimitContinuation.start(whole, "UTC")
  let queue = Queue.emptyQueue
  let now = begin
  let shown = view(null)
  let mode: "on" | "off" = "on"
  let continues: string | null = null
  const sent: Array<{ readonly at: number; readonly id: string }> = []
  /** Those of them that were taken back: they have not gone out. */
  const back = new Set<object>()
  const taken: Array<number> = []
  const said: Array<string> = []
  const note = (records: ReadonlyArray<Queue.QueueRecord>): void => {
    for (const record of records) {
      const gone = record._tag === "Removed" ? sent.findLast(({ id }) => id === record.id) : undefined
      if (gone !== undefined) back.add(gone)
    }
  }
  const step = (): void => {
    const move = LimitContinuation.step(memory, { now, mode, view: shown, queue, pause: null, continues })
    memory = move.memory
    if (move.said !== null) said.push(move.said)
    for (const record of move.records) {
      if (record._tag === "Accepted") sent.push({ at: now, id: record.message.id })
      if (record._tag === "Removed") taken.push(now)
    }
    note(move.records)
    queue = Queue.replayLog(move.records, queue)
  }
  /** Time passes, with a tick at each moment that is asked for, or none where the machine sleeps. */
  const pass = (span: number, asleep = false): void => {
    const until = now + span
    for (let rounds = 0; !asleep && rounds < 100; rounds++) {
      const wake = LimitContinuation.wakeAt(memory, queue, now)
      if (wake === null || wake > until) break
      now = wake
      step()
    }
    now = until
    step()
  }
  const settle = (status: "started" | "done"): void => {
    const open = queue.entries.find(({ message }) => message.night === true)
    if (open === undefined) return
    queue = Queue.applyRecord(queue, { _tag: "StatusChanged", v: 1, at: now, id: open.message.id, status, why: null })
  }
  return {
    sent,
    taken,
    /** What was not taken back. */
    out: () => sent.filter((one) => !back.has(one)),
    said,
    now: () => now,
    memory: () => memory,
    queue: () => queue,
    pass,
    show: (next: View) => {
      shown = next
      step()
    },
    /** The clock is set: the next event comes at another time. */
    jump: (span: number) => {
      now += span
      if (span !== 0) step()
    },
    /** The CLI says that it goes on by itself, and when. */
    continues: (when: string | null) => {
      continues = when
      step()
    },
    mode: (next: "on" | "off") => {
      mode = next
      step()
    },
    cost: (usd: number, floor: string | null = null) => {
      memory = { ...memory, cost: usd, costFloor: floor }
      step()
    },
    /** The continuation is typed, and its turn runs. */
    deliver: () => {
      settle("started")
      shown = view(null, "running")
      step()
      settle("done")
    },
    /** Another host takes the session over, from the queue's log alone. */
    restart: (kept: LimitContinuation.KeptLimit | null = null) => {
      const leftovers = holdLeftovers(queue, now)
      note(leftovers)
      queue = Queue.replayLog(Queue.compact(Queue.replayLog(leftovers, queue)))
      memory = LimitContinuation.start(whole, "UTC", kept !== null && kept.end > now ? kept : null)
      shown = view(null)
      step()
    }
  }
}

describe("a session that goes on after its limit", () => {
  it("gets one message at the limit's end, before all that waits, and no second one", () => {
    const it = session()
    it.show(view(limit(begin + 3 * hour)))
    assert.deepStrictEqual(it.memory().plan, { at: begin + 3 * hour, why: ["at", "2026-01-02 01:00"] })
    it.pass(3 * hour - 1)
    assert.deepStrictEqual(it.sent, [])
    it.pass(1)
    assert.deepStrictEqual(each(it.sent, "at"), [begin + 3 * hour])
    assert.strictEqual(Queue.next(it.queue())?.message.text, "continue")
    it.pass(2 * hour)
    it.deliver()
    it.show(view(limit(begin + 3 * hour)))
    it.pass(10 * hour)
    assert.strictEqual(it.sent.length, 1, "the same end of a limit")
    assert.strictEqual(planned(it.memory()), "does not go on by itself: it went on once after this limit")
  })

  it("gets none where it was not asked for, the time is not known, or the stop hour comes first", () => {
    const off = session()
    off.mode("off")
    off.show(view(limit(begin + hour)))
    off.pass(20 * hour)
    const unknown = session()
    unknown.show(view(limit(null)))
    unknown.pass(20 * hour)
    assert.match(planned(unknown.memory()), /not known/)
    const late = session({ stop: "00:30" })
    late.show(view(limit(begin + 3 * hour)))
    late.pass(20 * hour)
    const asleep = session()
    asleep.show(view(limit(begin + 3 * hour)))
    asleep.pass(11 * hour, true)
    assert.deepStrictEqual(
      [off, unknown, late, asleep].map(({ sent }) => sent.length),
      [0, 0, 0, 0]
    )
    const woken = session()
    woken.show(view(limit(begin + 3 * hour)))
    woken.pass(9 * hour, true)
    assert.strictEqual(woken.sent.length, 1, "awake again before the stop hour")
  })

  const record = { v: 1, at: begin, id: "a" } as const
  it.each<readonly [string, boolean, Partial<Parameters<typeof Queue.add>[1]>, ReadonlyArray<Queue.QueueRecord>]>([
    ["queued", false, {}, []],
    ["under way", false, {}, [{ ...record, _tag: "StatusChanged", status: "started", why: null }]],
    ["held", true, {}, [{ ...record, _tag: "StatusChanged", status: "held", why: null }]],
    ["queued for a time", true, { when: [{ _tag: "At", at: "2026-01-03T00:00:00.000Z" }] }, []]
  ])("says that an end is not known, unless its queue tries by itself: one is %s", (_, isSaid, more, records) => {
    const message = { id: "a", at: begin, text: "go", images: [], front: false, force: false, ...more }
    const added = Result.getOrThrow(Queue.add(Queue.emptyQueue, message))
    const { memory, said } = LimitContinuation.step(LimitContinuation.start(defaultNight, "UTC"), {
      now: begin,
      mode: "on",
      view: view(limit(null)),
      queue: Queue.replayLog([...added.records, ...records]),
      pause: null,
      continues: null
    })
    assert.strictEqual(planned(memory) !== "", isSaid)
    assert.strictEqual(said !== null, isSaid)
  })

  it("gets none beside its CLI's own, and says whose it is; what was about to go out is taken back", () => {
    for (const mode of ["on", "off"] as const) {
      const it = session()
      it.mode(mode)
      it.continues("at 1:57pm")
      it.show(view(limit(begin + hour)))
      it.pass(5 * hour)
      assert.deepStrictEqual(it.sent, [])
      assert.match(planned(it.memory()), /^its CLI goes on by itself at 1:57pm; neither mode nor stop hour/)
    }
    const late = session()
    late.show(view(limit(begin + hour)))
    late.pass(hour)
    assert.lengthOf(late.sent, 1)
    late.continues("shortly")
    assert.lengthOf(late.out(), 0)
    late.continues(null)
    late.pass(hour)
    assert.lengthOf(late.out(), 0, "once for one end")
  })

  it("waits for the last of several limits, and for one that moves", () => {
    const it = session()
    it.show(view(limit(begin + 4 * hour)))
    it.show(view(limit(begin + 2 * hour)))
    it.pass(3 * hour)
    assert.deepStrictEqual(it.sent, [])
    it.show(view(limit(begin + 5 * hour)))
    it.pass(6 * hour)
    assert.deepStrictEqual(
      it.sent.map(({ at }) => at - begin),
      [5 * hour]
    )
  })

  it("takes its message back: by the mode, at the stop hour, when somebody else went on, when its host ends", () => {
    const due = () => {
      const it = session()
      it.show(view(limit(begin + hour)))
      it.pass(hour)
      assert.strictEqual(it.sent.length, 1)
      return it
    }
    const off = due()
    off.mode("off")
    const stopped = due()
    stopped.pass(12 * hour)
    assert.deepStrictEqual(stopped.taken, [Date.UTC(2026, 0, 2, 8)])
    const other = due()
    other.show(view(null, "running"))
    const ended = due()
    ended.restart()
    ended.pass(20 * hour)
    for (const it of [off, stopped, other, ended]) {
      assert.isNull(Queue.next(it.queue()))
      assert.strictEqual(it.sent.length, 1)
    }
  })

  it("keeps its wait under another host that goes on with the conversation, once, until a turn begins", () => {
    const kept = { since: begin, end: begin + 3 * hour }
    const it = session()
    it.show(view(limit(kept.end)))
    it.pass(hour)
    it.restart(kept)
    it.pass(hour)
    assert.lengthOf(it.sent, 0)
    it.pass(hour)
    assert.lengthOf(it.sent, 1)
    it.restart(kept)
    it.pass(5 * hour)
    assert.lengthOf(it.sent, 1, "what was about to go out when its host died is not sent again")
    const sent = session()
    sent.show(view(limit(kept.end)))
    sent.pass(3 * hour)
    sent.deliver()
    sent.restart(kept)
    sent.pass(5 * hour)
    assert.lengthOf(sent.sent, 1, "nor what went out")
    const other = session()
    other.restart(kept)
    other.show(view(null, "running"))
    other.show(view(null))
    other.pass(5 * hour)
    assert.lengthOf(other.sent, 0, "somebody else has gone on")
    const late = session()
    late.restart({ since: begin, end: begin + 12 * hour })
    late.pass(20 * hour)
    assert.lengthOf(late.sent, 0, "its end is after the stop hour")
  })

  it("is known of a conversation by its host's last word, if that one goes on, and is still to end", () => {
    const problem = { kind: "rate_limited", message: "", until: new Date(begin + hour).toISOString() } as const
    const last = { problem, sessionId: "a", since: new Date(begin - hour).toISOString() }
    const kept = { since: begin - hour, end: begin + hour }
    assert.deepStrictEqual(LimitContinuation.keptLimit(last, "a", begin), kept)
    assert.isNull(LimitContinuation.keptLimit(last, "b", begin))
    assert.isNull(LimitContinuation.keptLimit({ ...last, sessionId: null }, null, begin))
    assert.isNull(LimitContinuation.keptLimit(last, "a", begin + hour))
    assert.isNull(LimitContinuation.keptLimit({ ...last, problem: null }, "a", begin))
    assert.isNull(LimitContinuation.keptLimit({ ...last, problem: { ...problem, until: null } }, "a", begin))
    assert.isNull(LimitContinuation.keptLimit(null, null, begin))
  })

  it("goes on no more often than it may, nor beyond its ceiling", () => {
    const it = session({ most: 2 })
    for (const index of [1, 2, 3, 4]) {
      it.show(view(limit(begin + index * hour)))
      it.pass(hour)
      it.deliver()
    }
    assert.strictEqual(it.sent.length, 2)
    assert.match(it.said.join("\n"), /2 times, as often as it may/)
    it.restart()
    it.show(view(limit(begin + 6 * hour)))
    it.pass(3 * hour)
    assert.strictEqual(it.sent.length, 2, "a new host knows of it")
    it.show(view(null, "running"))
    it.pass(24 * hour)
    it.show(view(limit(it.now() + hour)))
    it.pass(hour)
    assert.strictEqual(it.sent.length, 3, "the next night")
    const dear = session({ ceilingUsd: 5 })
    dear.cost(5)
    dear.show(view(limit(begin + hour)))
    dear.pass(2 * hour)
    assert.deepStrictEqual(dear.sent, [])
    assert.match(planned(dear.memory()), /\$5\.00/)
  })

  it("waits for the user where its cost is known in part only: no ceiling rests on that", () => {
    const partly = session({ ceilingUsd: 5 })
    partly.cost(0.01, "no price is known of free")
    partly.show(view(limit(begin + hour)))
    partly.pass(2 * hour)
    assert.deepStrictEqual(partly.sent, [])
    assert.match(planned(partly.memory()), /has cost \$0\.01 or more \(no price is known of free\).*\$5/)
    // without a ceiling nothing rests on the figure
    const free = session({ ceilingUsd: null })
    free.cost(0.01, "no price is known of free")
    free.show(view(limit(begin + hour)))
    free.pass(2 * hour)
    assert.lengthOf(free.sent, 1)
    // the whole is known in time
    const known = session({ ceilingUsd: 5 })
    known.cost(0.01, "no price is known of free")
    known.show(view(limit(begin + hour)))
    known.cost(0.02)
    known.pass(2 * hour)
    assert.lengthOf(known.sent, 1)
  })

  const Step = Schema.Struct({
    minutes: Schema.Literals([0, 1, 30, 90, 90, 400, 700]),
    asleep: Schema.Boolean,
    /** The machine's clock is set, forward or back. */
    jump: Schema.Literals([0, 0, 0, 45, -45, 600, -600]),
    what: Schema.Literals([
      "limit",
      "soon",
      "soon",
      "late",
      "same",
      "unknown",
      "deliver",
      "deliver",
      "turn",
      "on",
      "off",
      "restart",
      "nothing"
    ])
  })
  type What = (typeof Step)["Type"]["what"]
  /** How many hours from now a limit ends. */
  const ends: Partial<Record<What, number>> = { limit: 2, soon: 0.5, late: 11 }
  it.prop(
    "never twice for one end, too early, too often, after the stop hour, or unasked",
    { steps: Schema.Array(Step), most: Schema.Literals([1, 3]) },
    ({ most, steps }) => {
      const it = session({ most })
      /** The end of the limit that each went out after. */
      const after = new Map<object, number>()
      /** The end that was told last. */
      let told: number | null = null
      let on = true
      let since: number | null = null
      let latest = 0
      let known = false
      for (const { asleep, jump, minutes, what } of steps) {
        let seen = it.sent.length
        const check = () => {
          for (const one of it.sent.slice(seen)) {
            const { at } = one
            after.set(one, latest)
            assert.isTrue(on && since !== null && known)
            assert.isAtLeast(at, latest)
            assert.isBelow(at, nextMoment(8 * 60, since ?? 0, "UTC"))
          }
          seen = it.sent.length
        }
        it.jump(jump * 60_000)
        check()
        it.pass(minutes * 60_000, asleep)
        check()
        const hours = ends[what]
        if (hours !== undefined || what === "unknown" || what === "same") {
          const until: number | null = what === "same" ? told : hours === undefined ? null : it.now() + hours * hour
          told = until ?? told
          if (since === null) latest = 0
          since ??= it.now()
          known = until !== null
          latest = Math.max(latest, until ?? 0)
          it.show(view(limit(until)))
        } else if (what === "on" || what === "off") {
          on = what === "on"
          it.mode(what)
        } else if (what !== "nothing") {
          since = null
          if (what === "deliver") it.deliver()
          if (what === "turn") it.show(view(null, "running"))
          if (what === "restart") it.restart()
        }
        check()
      }
      const gone = it.out()
      assert.strictEqual(new Set(gone.map((one) => after.get(one))).size, gone.length, "once for one end")
      for (const { at } of gone)
        assert.isAtMost(gone.filter((other) => other.at >= at && other.at < nextMoment(8 * 60, at, "UTC")).length, most)
    },
    { arbitrary: { runs: isThorough ? 20_000 : 2000 } }
  )
})
