import type { FeedEvent, FeedSession } from "../../words/session/Feed.ts"
import { type Share, shownStates } from "../../words/session/states.ts"
import type { Span, Point } from "./Frames.ts"
import type { RecordedCourse } from "../../engine/history/RecordedCourse.ts"
import { withPoint } from "./Figures.ts"
import { figuresOf } from "./webSession.ts"

const spansMost = 500

/** All sessions' spans by tag, as far back as was observed or recorded. */
export type Timeline = ReadonlyMap<string, ReadonlyArray<Span>>

/** The spans with a session's state since `since`. An unchanged state adds no span. */
export const extend = (spans: ReadonlyArray<Span>, state: Span["state"], since: number): ReadonlyArray<Span> => {
  const last = spans.at(-1)
  if (last?.state === state || (last !== undefined && since < last.from)) return spans
  return [...spans.slice(1 - spansMost), { state, from: since }]
}

const spansWith = (spans: ReadonlyArray<Span>, { status }: FeedSession): ReadonlyArray<Span> => {
  const since = Date.parse(status.since)
  return Number.isFinite(since) ? extend(spans, status.state, since) : spans
}

/** The timeline after a step of the feed. Forgotten sessions have none. */
export const foldTimeline = (timeline: Timeline, event: FeedEvent): Timeline => {
  switch (event._tag) {
    case "Snapshot":
      return new Map(
        event.sessions.map((session) => {
          const { tag } = session.status
          return [tag, spansWith(timeline.get(tag) ?? [], session)]
        })
      )
    case "Changed": {
      const { tag } = event.session.status
      const before = timeline.get(tag) ?? []
      const after = spansWith(before, event.session)
      return after === before ? timeline : new Map(timeline).set(tag, after)
    }
    case "Gone": {
      const rest = new Map(timeline)
      rest.delete(event.tag)
      return rest
    }
  }
}

const shareOf = (state: Span["state"]): Share => shownStates[state].share

/** A part of a session's row: the same share of the time from `from` to `to`. */
export interface Piece {
  readonly share: Share
  readonly from: number
  readonly to: number
}

/** The parts of spans between two times. Neighbours with the same share are joined. */
export const pieces = (spans: ReadonlyArray<Span>, begin: number, end: number): ReadonlyArray<Piece> => {
  const result: Array<Piece> = []
  spans.forEach(({ from, state }, index) => {
    const piece = {
      share: shareOf(state),
      from: Math.max(begin, from),
      to: Math.min(end, spans[index + 1]?.from ?? end)
    }
    if (piece.to <= piece.from) return
    const last = result.at(-1)
    if (last?.share === piece.share && last.to === piece.from) result[result.length - 1] = { ...last, to: piece.to }
    else result.push(piece)
  })
  return result
}

/** Milliseconds of each share. */
export const totals = (all: ReadonlyArray<Piece>): Readonly<Record<Share, number>> => {
  const sum = { working: 0, waiting: 0, resting: 0, over: 0 }
  for (const { from, share, to } of all) sum[share] += to - from
  return sum
}

type Figures = ReadonlyMap<string, ReadonlyArray<Point>>

/** The recorded spans. A dead host's life ends with its last report, unless it may still go on. */
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

export const recordedFigures = ({ usage }: RecordedCourse): Figures => {
  const figures = new Map<string, ReadonlyArray<Point>>()
  for (const { at, context, tag, usd } of usage)
    figures.set(tag, withPoint(figures.get(tag) ?? [], { at, context, usd }))
  return figures
}

const withStatus = (figures: Figures, { status }: FeedSession, at: number): ReadonlyArray<Point> =>
  withPoint(figures.get(status.tag) ?? [], { at, ...figuresOf(status) })

/** The figures after a step of the feed at a time. Forgotten sessions have none. */
export const foldChartPoints = (figures: Figures, event: FeedEvent, at: number): Figures => {
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
