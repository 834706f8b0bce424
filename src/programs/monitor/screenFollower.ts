import { Duration, Effect, FiberHandle, Option, Queue, Stream } from "effect"
import type { MonitorEvent } from "../../domain/surfaces/monitor/Monitor.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { connectTo } from "../client/client.ts"

/** A screen is asked for only where its session stays selected this long. */
const settle = "80 millis"
/** A screen that keeps changing is asked for no more often than this. */
const pace = Duration.millis(250)
/** A session whose host was not there, or went, is asked again when this has passed. */
const again = "2 seconds"

/**
 * Tells of the screen of one session at a time: as its host shows it, again each time that its CLI has drawn, else the
 * last one that was kept.
 */
export const screenFollower = Effect.fn("screenFollower")(function* (events: Queue.Enqueue<MonitorEvent>) {
  const fiber = yield* FiberHandle.make<void, never>()
  const paths = yield* Paths
  const store = yield* StatusStore
  let followed: string | null = null

  const told = (tag: string, text: string | null) => Queue.offer(events, { _tag: "Screened", tag, text })

  /** One host's life. It says when its CLI draws, and is asked for the screen then. */
  const live = Effect.fnUntraced(function* (tag: Tag) {
    const client = yield* connectTo(tag)
    const show = Effect.flatMap(client.Screen(), ({ text }) => told(tag, text))
    yield* show
    yield* client.Record({ past: false, follow: true }).pipe(
      Stream.map(() => undefined),
      // what comes meanwhile is one change
      Stream.buffer({ capacity: 1, strategy: "sliding" }),
      Stream.runForEach(() => Effect.andThen(show, Effect.sleep(pace)))
    )
  }, Effect.scoped)

  const follow = Effect.fnUntraced(function* (tag: Tag) {
    yield* Effect.sleep(settle)
    for (;;) {
      yield* Effect.exit(live(tag))
      const kept = yield* store.readScreen(paths.session(tag).screen)
      yield* told(tag, Option.getOrNull(kept))
      yield* Effect.sleep(again)
    }
  })

  /** Follows this session's screen from now on; null for none. */
  return Effect.fnUntraced(function* (tag: string | null) {
    if (tag === followed) return
    followed = tag
    yield* tag === null ? FiberHandle.clear(fiber) : FiberHandle.run(fiber, follow(Tag.make(tag)))
  })
})
