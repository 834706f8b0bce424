import type { RecordedCourse } from "../../engine/record/Course.ts"
import type { Point, Span } from "./Frames.ts"
import type { FeedEvent, FeedSession } from "../../words/session/Feed.ts"
import { withPoint } from "./Figures.ts"
import { extend, type Timeline } from "./Timeline.ts"
import { figuresOf } from "./webSession.ts"

/** All sessions' points by tag. */
export type Figures = ReadonlyMap<string, ReadonlyArray<Point>>

/** The recorded spans. After a life nothing ran: a dead host's from its last word, unless that life may still go on. */
export const recordedTimeline = ({ intervals }: RecordedCourse): Timeline => {
  const timeline = new Map<string, ReadonlyArray<Span>>()
  const latest = new Map<string, RecordedCourse["intervals"][number]>()
  const add = (tag: string, state: Span["state"], from: number): void =>
    void timeline.set(tag, extend(timeline.get(tag) ?? [], state, from))
  for (const interval of intervals) {
    const { life, since, state, tag } = interval
    const before = latest.get(tag)
    if (before !== undefined && before.life !== life)
      add(tag, "exited", before.lifeUntil ?? Math.min(since, Math.max(before.seen, before.until ?? before.since)))
    add(tag, state, since)
    latest.set(tag, interval)
  }
  for (const [tag, { lifeUntil }] of latest) if (lifeUntil !== null) add(tag, "exited", lifeUntil)
  return timeline
}

/** The figures that the record has. */
export const recordedFigures = ({ usage }: RecordedCourse): Figures => {
  const figures = new Map<string, ReadonlyArray<Point>>()
  for (const { at, context, tag, usd } of usage)
    figures.set(tag, withPoint(figures.get(tag) ?? [], { at, context, usd }))
  return figures
}

const withStatus = (figures: Figures, { status }: FeedSession, at: number): ReadonlyArray<Point> =>
  withPoint(figures.get(status.tag) ?? [], { at, ...figuresOf(status) })

/** The figures after a step of the feed at a time. What is forgotten has none. */
export const foldFigures = (figures: Figures, event: FeedEvent, at: number): Figures => {
  switch (event._tag) {
    case "Snapshot":
      return new Map(event.sessions.map((session) => [session.status.tag, withStatus(figures, session, at)]))
    case "Changed": {
      const { tag } = event.session.status
      const after = withStatus(figures, event.session, at)
      return after === figures.get(tag) ? figures : new Map(figures).set(tag, after)
    }
    case "Gone": {
      const rest = new Map(figures)
      rest.delete(event.tag)
      return rest
    }
  }
}
