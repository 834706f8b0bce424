import { assert, describe, it } from "@effect/vitest"
import type { FeedEvent, FeedSession } from "../../../../src/domain/words/session/Feed.ts"
import type { SessionState } from "../../../../src/domain/words/session/Session.ts"
import { extend, foldTimeline, pieces, type Timeline, totals } from "../../../../src/domain/surfaces/web/Timeline.ts"
import { sessionStatus } from "../../../support/data/sessionStatus.ts"

const at = (seconds: number) => Date.parse("2026-01-01T00:00:00Z") + seconds * 1000
const session = (tag: string, state: SessionState, seconds: number): FeedSession => ({
  link: "live",
  status: { ...sessionStatus({ tag }), state, since: new Date(at(seconds)).toISOString() }
})
const changed = (tag: string, state: SessionState, seconds: number): FeedEvent => ({
  _tag: "Changed",
  session: session(tag, state, seconds)
})
const after = (...events: ReadonlyArray<FeedEvent>) => events.reduce<Timeline>(foldTimeline, new Map())

describe("the timeline", () => {
  it("has a span for each state, however often that is told", () => {
    const timeline = after(
      { _tag: "Snapshot", sessions: [session("a", "idle", 0), session("b", "idle", 0)] },
      changed("a", "running", 10),
      changed("a", "running", 10),
      changed("a", "needs_permission", 15),
      changed("a", "running", 12)
    )
    assert.deepStrictEqual(timeline.get("a"), [
      { state: "idle", from: at(0) },
      { state: "running", from: at(10) },
      { state: "needs_permission", from: at(15) }
    ])
    assert.deepStrictEqual(timeline.get("b"), [{ state: "idle", from: at(0) }])
  })

  it("stays as it is, and costs nothing, where no state changes", () => {
    const timeline = after(changed("a", "idle", 0))
    assert.strictEqual(foldTimeline(timeline, changed("a", "idle", 5)), timeline)
  })

  it("forgets what is forgotten, and keeps the past over a new snapshot", () => {
    const timeline = after(changed("a", "idle", 0), changed("b", "idle", 0), { _tag: "Gone", tag: "b" })
    assert.deepStrictEqual([...timeline.keys()], ["a"])
    const again = foldTimeline(timeline, { _tag: "Snapshot", sessions: [session("a", "running", 9)] })
    assert.deepStrictEqual(
      again.get("a")?.map(({ state }) => state),
      ["idle", "running"]
    )
    assert.strictEqual(foldTimeline(again, { _tag: "Snapshot", sessions: [] }).size, 0)
  })

  it("is bounded: the oldest spans go", () => {
    let spans: ReturnType<typeof extend> = []
    for (let n = 0; n < 2000; n++) spans = extend(spans, n % 2 === 0 ? "idle" : "running", n)
    assert.lengthOf(spans, 500)
    assert.deepStrictEqual([spans[0]?.from, spans.at(-1)?.from], [1500, 1999])
  })

  it("adds up who waited for whom within a window, with states of one kind as one piece", () => {
    const spans = [
      { state: "idle", from: 0 },
      { state: "running", from: 100 },
      { state: "churning", from: 150 },
      { state: "needs_input", from: 200 },
      { state: "exited", from: 260 }
    ] as const
    const all = pieces(spans, 50, 300)
    assert.deepStrictEqual(all, [
      { share: "resting", from: 50, to: 100 },
      { share: "working", from: 100, to: 200 },
      { share: "waiting", from: 200, to: 260 },
      { share: "over", from: 260, to: 300 }
    ])
    assert.deepStrictEqual(totals(all), { working: 100, waiting: 60, resting: 50, over: 40 })
    assert.deepStrictEqual(pieces(spans, 300, 300), [])
  })
})
