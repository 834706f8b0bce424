import { Clock, Context, Effect, Layer, Option, Stream } from "effect"
import type { FeedEvent, FeedSession } from "../../domain/words/session/Feed.ts"
import type { ServerFrame } from "../../domain/surfaces/web/Frames.ts"
import { foldChartPoints, recordedFigures, recordedTimeline, foldTimeline } from "../../domain/surfaces/web/Timeline.ts"
import { latest, webSession } from "../../domain/surfaces/web/webSession.ts"
import { RecordStore } from "../../services/RecordStore.ts"
import { System } from "../../services/System.ts"
import { SessionFeed } from "../client/SessionFeed.ts"
import { frameText } from "./Window.ts"

/** Changes of this time are sent together, so that a page gets only the last one of each session. */
const batchTime = "40 millis"

/** How far back pages can look: a day, in milliseconds. */
const reach = 86_400_000
/** The time limit for reading the record; a page's user waits for it. */
const recordTimeout = "5 seconds"

/**
 * All sessions as pages see them, with up to a day of history: what the record holds, and what this process has
 * observed since it started.
 */
export class WebSessions extends Context.Service<
  WebSessions,
  {
    /** Frames for one page: all sessions with their timeline, then each change. Does not end by itself. */
    readonly frames: Stream.Stream<string>
  }
>()("leap/programs/web/WebSessions") {}

const make = Effect.gen(function* () {
  const feed = yield* SessionFeed
  const store = yield* RecordStore
  const home = (yield* System).env["HOME"] ?? ""
  const recorded = yield* store.course((yield* Clock.currentTimeMillis) - reach).pipe(
    Effect.timeoutOption(recordTimeout),
    Effect.catch(({ message }) =>
      Effect.as(Effect.logWarning(`${message}: timeline and charts begin now`), Option.none())
    ),
    Effect.map(Option.getOrElse(() => ({ intervals: [], usage: [] })))
  )
  let timeline = recordedTimeline(recorded)
  let figures = recordedFigures(recorded)
  yield* feed.events.pipe(
    Stream.runForEach((event) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        timeline = foldTimeline(timeline, event)
        figures = foldChartPoints(figures, event, at)
      })
    ),
    Effect.forkScoped
  )

  /** Cached, because many pages get the same text. */
  const changes = new WeakMap<FeedSession, string>()
  const changeText = (session: FeedSession): string => {
    const known = changes.get(session)
    if (known !== undefined) return known
    const text = frameText({ _tag: "Changed", session: webSession(session, home) })
    changes.set(session, text)
    return text
  }
  const text = (event: FeedEvent): string => {
    if (event._tag === "Gone") return frameText(event)
    if (event._tag === "Changed") return changeText(event.session)
    const frame: ServerFrame = {
      _tag: "Sessions",
      sessions: event.sessions.map((session) => webSession(session, home)),
      timeline: [...timeline].map(([tag, spans]) => ({ tag, spans })),
      figures: [...figures].map(([tag, points]) => ({ tag, points }))
    }
    return frameText(frame)
  }
  const frames = feed.events.pipe(
    // The sleep lets further events collect. `latest` keeps the last event of each session.
    Stream.mapArrayEffect((events) => Effect.as(Effect.sleep(batchTime), latest(events) as typeof events)),
    Stream.map(text)
  )
  return WebSessions.of({ frames })
})

export const layer = Layer.effect(WebSessions, make)
