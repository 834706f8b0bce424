import { Context, Effect, Layer, Stream } from "effect"
import type { FeedEvent, FeedSession } from "../../domain/session/Feed.ts"
import type { ServerFrame } from "../../domain/web/Frames.ts"
import { fold, type Timeline } from "../../domain/web/Timeline.ts"
import { latest, webSession } from "../../domain/web/webSession.ts"
import { SessionFeed } from "../client/SessionFeed.ts"
import { frameText } from "./Window.ts"

/** What changes within this time is told once. */
const pause = "40 millis"

/** All sessions as pages see them, and what they have done since the server began. */
export class SessionsSeen extends Context.Service<
  SessionsSeen,
  {
    /** Frames of one page: all sessions with their timeline, then each change. Does not end by itself. */
    readonly frames: Stream.Stream<string>
  }
>()("leap/programs/web/SessionsSeen") {}

const make = Effect.gen(function* () {
  const feed = yield* SessionFeed
  let timeline: Timeline = new Map()
  yield* feed.events.pipe(
    Stream.runForEach((event) =>
      Effect.sync(() => {
        timeline = fold(timeline, event)
      })
    ),
    Effect.forkScoped
  )

  /** Many pages are told the same: its text is made once. */
  const changes = new WeakMap<FeedSession, string>()
  const changeText = (session: FeedSession): string => {
    const known = changes.get(session)
    if (known !== undefined) return known
    const text = frameText({ _tag: "Changed", session: webSession(session) })
    changes.set(session, text)
    return text
  }
  const text = (event: FeedEvent): string => {
    if (event._tag === "Gone") return frameText(event)
    if (event._tag === "Changed") return changeText(event.session)
    const frame: ServerFrame = {
      _tag: "Sessions",
      sessions: event.sessions.map(webSession),
      timeline: [...timeline].map(([tag, spans]) => ({ tag, spans }))
    }
    return frameText(frame)
  }
  const frames = feed.events.pipe(
    Stream.mapArrayEffect((events) => Effect.as(Effect.sleep(pause), latest(events) as typeof events)),
    Stream.map(text)
  )
  return SessionsSeen.of({ frames })
})

/** Follows all sessions for as long as the layer is there. */
export const layer = Layer.effect(SessionsSeen, make)
