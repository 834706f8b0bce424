import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { courseOf, niceTop, stepPath, stepsOf, withPoint } from "../../../../src/domain/surfaces/web/Figures.ts"
import type { Point } from "../../../../src/domain/surfaces/web/Frames.ts"
import {
  foldChartPoints,
  recordedFigures,
  recordedTimeline,
  pieces
} from "../../../../src/domain/surfaces/web/Timeline.ts"
import type { FeedEvent } from "../../../../src/domain/words/session/Feed.ts"
import type { SessionState, SessionStatus } from "../../../../src/domain/words/session/Session.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"
import { rowsOf } from "../../../support/data/fields.ts"

const minute = 60_000
const point = (at: number, context: number | null, usd: number | null = null): Point => ({ at, context, usd })
const after = (...points: ReadonlyArray<Point>) => points.reduce<ReadonlyArray<Point>>(withPoint, [])

describe("a session's figures over time", () => {
  it("have a point for each change, and one for those that come close together", () => {
    assert.deepStrictEqual(after(point(0, null), point(1, 5), point(2, 5), point(minute, 9)), [
      point(1, 5),
      point(minute, 9)
    ])
    // within a moment: the last of them, from the first on; never without the one before
    assert.deepStrictEqual(after(point(0, 1), point(100, 2), point(200, 3)), [point(0, 1), point(100, 3)])
    // what is told late changes nothing
    assert.deepStrictEqual(after(point(minute, 1), point(0, 2)), [point(minute, 1)])
  })

  it("are bounded: the oldest go", () => {
    const many = Array.from({ length: 1_000 }, (_, i) => point(i * minute, i % 100))
    const kept = after(...many)
    assert.lengthOf(kept, 400)
    assert.strictEqual(kept.at(-1)?.at, 999 * minute)
  })

  const Points = Arbitrary.array(
    Arbitrary.schema(
      Schema.Struct({
        at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 })),
        context: Schema.NullOr(Schema.Literals([0, 40, 95])),
        usd: Schema.NullOr(Schema.Literals([0, 0.5, 3]))
      })
    ),
    { maxLength: 30 }
  )
  it.prop("are in the order of time; steps lie in their window, and do not overlap", [Points], ([points]) => {
    const kept = after(...points)
    for (const [i, { at }] of kept.entries()) if (i > 0) assert.isAtLeast(at, kept[i - 1]!.at)
    const steps = stepsOf(kept, "context", 20_000, 80_000)
    for (const [i, { from, to }] of steps.entries()) {
      assert.isTrue(from >= 20_000 && to <= 80_000 && from < to)
      if (i > 0) assert.isAtLeast(from, steps[i - 1]!.to)
    }
    const course = courseOf(steps)
    if (course === null) assert.isEmpty(steps)
    else assert.isTrue(course.least <= course.first && course.last <= course.most && course.grown >= 0)
  })

  it("are steps: each value holds until the next, a gap where none is known", () => {
    const points = [point(0, 10), point(100, 20), point(150, null), point(200, 20)]
    const steps = stepsOf(points, "context", 50, 300)
    assert.deepStrictEqual(steps, [
      { from: 50, to: 100, value: 10 },
      { from: 100, to: 150, value: 20 },
      { from: 200, to: 300, value: 20 }
    ])
    assert.deepStrictEqual(courseOf(steps), { first: 10, last: 20, least: 10, most: 20, grown: 10 })
    const box = { begin: 50, end: 300, width: 250, height: 100, top: 100 }
    assert.strictEqual(stepPath(steps, box), "M0.0 90.0H50.0V80.0H100.0M150.0 80.0H250.0")
    assert.isNull(courseOf(stepsOf(points, "usd", 50, 300)))
    assert.strictEqual(stepPath([], box), "")
  })

  it("of a cost that began again from nothing count what was used", () => {
    const steps = stepsOf([point(0, null, 1), point(1, null, 3), point(2, null, 0.5)], "usd", 0, 10)
    assert.strictEqual(courseOf(steps)?.grown, 2.5)
  })

  it.each([
    [0, 1],
    [0.03, 0.05],
    [1, 1],
    [1.01, 2],
    [7, 10],
    [230, 500]
  ])("the upper edge for %s is %s", (value, top) => assert.strictEqual(niceTop(value), top))
})

const interval = (
  life: number,
  state: SessionState,
  since: number,
  until: number | null,
  lifeUntil: number | null = null
) => ({
  tag: "a",
  life,
  state,
  since,
  until,
  lifeUntil,
  seen: until ?? since
})

describe("the past by the record", () => {
  it("has the states of all lives, and an end after each, whether its host told it or died", () => {
    const timeline = recordedTimeline({
      intervals: [
        interval(1, "idle", 0, 10, 30),
        interval(1, "running", 10, 30, 30),
        interval(2, "running", 50, null),
        { ...interval(3, "idle", 90, null), tag: "b" },
        interval(4, "idle", 100, 120)
      ],
      usage: []
    })
    assert.deepStrictEqual(timeline.get("a"), [
      { state: "idle", from: 0 },
      { state: "running", from: 10 },
      { state: "exited", from: 30 },
      { state: "running", from: 50 },
      { state: "exited", from: 50 },
      { state: "idle", from: 100 }
    ])
    assert.deepStrictEqual(timeline.get("b"), [{ state: "idle", from: 90 }])
    assert.deepStrictEqual(rowsOf(pieces(timeline.get("a") ?? [], 0, 200), "share", "from", "to"), [
      ["resting", 0, 10],
      ["working", 10, 30],
      ["over", 30, 100],
      ["resting", 100, 200]
    ])
    const ended = recordedTimeline({ intervals: [interval(1, "idle", 0, 10, 10)], usage: [] })
    assert.deepStrictEqual(ended.get("a")?.at(-1), { state: "exited", from: 10 })
  })

  it("goes on with what is seen, and is dropped with its session", () => {
    const past = recordedFigures({
      intervals: [],
      usage: [
        { tag: "a", at: 0, context: 10, usd: 1 },
        { tag: "gone", at: 0, context: 10, usd: 1 }
      ]
    })
    const status = (percent: number): SessionStatus =>
      sessionStatus({ tag: "a", context: { usedTokens: 1, window: 2, percent }, cost: { usd: 2, estimated: false } })
    const snapshot: FeedEvent = { _tag: "Snapshot", sessions: [{ link: "live", status: status(20.4) }] }
    const now = foldChartPoints(past, snapshot, minute)
    assert.deepStrictEqual([...now], [["a", [point(0, 10, 1), point(minute, 20, 2)]]])
    const same: FeedEvent = { _tag: "Changed", session: { link: "live", status: status(20.1) } }
    assert.strictEqual(foldChartPoints(now, same, 2 * minute), now)
    assert.strictEqual(foldChartPoints(now, { _tag: "Gone", tag: "a" }, 3 * minute).size, 0)
  })
})
