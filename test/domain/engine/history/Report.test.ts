import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { daysIn } from "../../../../src/domain/engine/history/daysIn.ts"
import { durationText } from "../../../../src/domain/engine/history/durationText.ts"
import * as Report from "../../../../src/domain/engine/history/Report.ts"
import { reportText } from "../../../../src/domain/engine/history/recordPages.ts"
import { rowsOf } from "../../../support/data/fields.ts"

const hour = 3_600_000
const zone = (name: string) => DateTime.zoneMakeNamedUnsafe(name)
const life = (id: number, more: Partial<Report.LifeSeen> = {}): Report.LifeSeen => ({
  id,
  tag: `t${id}`,
  cli: id % 2 === 0 ? "codex" : "claude",
  hostPid: id,
  since: 0,
  seen: 5 * hour,
  until: 5 * hour,
  ...more
})
const nothing: Report.ReportSource = {
  lives: [],
  intervals: [],
  crossing: [],
  turns: [],
  messages: [],
  decisions: [],
  usage: []
}
const options = (
  spans: ReadonlyArray<Report.Span>,
  by: Report.ReportBy = "tag",
  running: ReadonlyArray<number> = []
) => ({
  by,
  spans,
  names: spans.map((_, i) => `day ${i}`),
  now: 100 * hour,
  runs: ({ id }: Report.LifeSeen) => running.includes(id)
})

describe("a report", () => {
  it("adds up by session, by CLI and by day, with a sum", () => {
    const source: Report.ReportSource = {
      ...nothing,
      lives: [life(1), life(2), life(3, { tag: "t1" })],
      intervals: [
        { life: 1, span: 0, state: "running", ms: 10, count: 2, longest: 8 },
        { life: 1, span: 1, state: "needs_permission", ms: 30, count: 2, longest: 20 },
        { life: 2, span: 0, state: "needs_input", ms: 7, count: 1, longest: 7 },
        { life: 3, span: 0, state: "running", ms: 5, count: 1, longest: 5 },
        { life: 3, span: 0, state: "idle", ms: 50, count: 1, longest: 50 },
        { life: 9, span: 0, state: "running", ms: 1_000, count: 1, longest: 1_000 }
      ],
      turns: [
        { life: 1, span: 0, outcome: "completed", count: 3 },
        { life: 1, span: 0, outcome: "failed", count: 1 }
      ],
      messages: [{ life: 2, span: 0, count: 4 }],
      decisions: [
        { life: 1, span: 0, by: "rule", verdict: "allow", count: 5 },
        { life: 1, span: 0, by: "rule", verdict: "deny", count: 1 },
        { life: 1, span: 0, by: "user", verdict: "allow", count: 2 },
        { life: 1, span: 0, by: "none", verdict: "ask", count: 2 }
      ],
      usage: [{ life: 1, span: 0, input: 1, cacheRead: 2, cacheWrite: 3, output: 4, usd: 0.5, estimated: true }]
    }
    const spans = [
      { from: 0, to: hour },
      { from: hour, to: 2 * hour }
    ]
    const of = (by: Report.ReportBy) => Report.fold(source, options(spans, by))
    const { rows, total } = of("tag")
    assert.deepStrictEqual(rowsOf(rows, "key", "sessions", "workedMs", "waitedMs"), [
      ["t1", 2, 15, 30],
      ["t2", 1, 0, 7]
    ])
    assert.deepInclude(rows[0], { turns: 4, failed: 1, dialogs: 2, longestWaitMs: 20, allowed: 5, denied: 1, usd: 0.5 })
    assert.deepInclude(rows[0], { tokens: { input: 4, cached: 2, output: 4 }, estimated: true, restedMs: 50 })
    assert.deepInclude(rows[1], { messages: 4, usd: null })
    assert.deepInclude(total, { key: "total", sessions: 3, workedMs: 15, waitedMs: 37, usd: 0.5 })
    assert.deepStrictEqual(rowsOf(of("cli").rows, "key", "workedMs"), [
      ["claude", 15],
      ["codex", 0]
    ])
    assert.deepStrictEqual(rowsOf(of("day").rows, "key", "workedMs", "waitedMs"), [
      ["day 0", 15, 7],
      ["day 1", 0, 30]
    ])
    for (const by of ["tag", "cli", "day"] as const) assert.deepStrictEqual({ ...of(by).total }, { ...total }, by)
  })

  it("ends what has no end when its host last wrote, or now where it runs", () => {
    const lives = [life(1, { until: null, seen: 3 * hour }), life(2, { until: null, seen: 3 * hour })]
    const crossing = lives.map(({ id }) => ({ life: id, state: "needs_input" as const, since: hour, until: null }))
    const { rows } = Report.fold({ ...nothing, lives, crossing }, options([{ from: 0, to: 50 * hour }], "tag", [2]))
    assert.deepStrictEqual(
      rows.map(({ dialogs, key, waitedMs }) => [key, waitedMs / hour, dialogs]),
      [
        ["t2", 49, 1],
        ["t1", 2, 1]
      ]
    )
  })

  const Interval = Schema.Struct({
    since: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })),
    lasts: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 800 }))
  })
  it.prop(
    "shares time out among days so that nothing is lost or counted twice",
    [Arbitrary.array(Arbitrary.schema(Interval), { maxLength: 8 })],
    ([intervals]) => {
      const crossing = intervals.map(({ lasts, since }) => ({
        life: 1,
        state: "running" as const,
        since,
        until: since + lasts
      }))
      const spans = [0, 250, 300, 900].map((from, i, all) => ({ from, to: all[i + 1] ?? 2_000 }))
      const source = { ...nothing, lives: [life(1)], crossing }
      const days = Report.fold(source, options(spans, "day"))
      const whole = Report.fold(source, options([{ from: 0, to: 2_000 }]))
      assert.strictEqual(
        days.total.workedMs,
        intervals.reduce((sum, { lasts }) => sum + lasts, 0)
      )
      assert.strictEqual(
        days.rows.reduce((sum, { workedMs }) => sum + workedMs, 0),
        whole.total.workedMs
      )
    }
  )

  it("knows the days of the user's calendar, with the hours that clocks skip and repeat", () => {
    const at = (text: string) => Date.parse(text)
    // clocks go forward at 2026-03-29 02:00, back at 2026-10-25 03:00
    const spring = daysIn(at("2026-03-28T12:00:00+01:00"), at("2026-03-30T12:00:00+02:00"), zone("Europe/Zurich"))
    assert.deepStrictEqual(spring.names, ["2026-03-28", "2026-03-29", "2026-03-30"])
    assert.deepStrictEqual(
      spring.spans.map(({ from, to }) => (to - from) / hour),
      [12, 23, 12]
    )
    const autumn = daysIn(at("2026-10-24T22:00:00Z"), at("2026-10-26T00:00:00Z"), zone("Europe/Zurich"))
    assert.deepStrictEqual(
      autumn.spans.map(({ from, to }) => (to - from) / hour),
      [25, 1]
    )
    const long = daysIn(0, at("2026-10-26T00:00:00Z"), zone("America/St_Johns"))
    assert.strictEqual(long.spans.length, 366)
    long.spans.forEach((span, i) => {
      if (i > 0) assert.strictEqual(span.from, long.spans[i - 1]!.to)
    })
  })

  it("is a table whose names cannot draw on the terminal", () => {
    const source = {
      ...nothing,
      lives: [life(1, { tag: "\u001b[31mred" })],
      messages: [{ life: 1, span: 0, count: 1 }]
    }
    const text = reportText(Report.fold(source, options([{ from: 0, to: 1 }])), "tag", false)
    assert.notInclude(text, "\u001b")
    assert.match(text, /^SESSION .*\n *\[31mred +1 /)
  })

  it("says how long", () => {
    const said = [0, 400, 9_960, 59_600, 185_000, 7_620_000, 356_400_000].map(durationText)
    assert.deepStrictEqual(said, ["0s", "0.4s", "10s", "1m 00s", "3m 05s", "2h 07m", "4d 03h"])
  })
})
