import { Clock, Effect, FiberMap, Layer, Option, Result, Schedule, Stream, SubscriptionRef } from "effect"
import { awaitedSessions, sessionOver } from "../../domain/engine/queue/conditions.ts"
import * as Queue from "../../domain/engine/queue/Queue.ts"
import { workOver } from "../../domain/words/session/workToCome.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { connectTo, lastStatus, whileHostLives } from "../client/client.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { StatusPublisher } from "./StatusPublisher.ts"

/** The pause before a session that messages wait for, and that could not be asked, is asked again. */
const again = Schedule.spaced("5 seconds")

/**
 * Reports to the session's machine the facts that it depends on and cannot see: the session's cost, the settings for
 * the night, and the end of turns in other sessions for which messages wait.
 */
const make = Effect.gen(function* () {
  const runtime = yield* SessionRuntime
  const { status } = yield* StatusPublisher
  const settings = yield* UserSettings

  yield* SubscriptionRef.changes(status).pipe(
    Stream.map(({ cost }) => ({ usd: cost?.usd ?? null, ...(cost?.floor === undefined ? {} : { floor: cost.floor }) })),
    Stream.changesWith((a, b) => a.usd === b.usd && a.floor === b.floor),
    Stream.runForEach((cost) =>
      Effect.map(Clock.currentTimeMillis, (at) => runtime.offer({ _tag: "CostKnown", at, ...cost }))
    ),
    Effect.forkScoped
  )
  yield* (yield* settings.changes).pipe(
    Stream.drop(1),
    Stream.runForEach((now) =>
      Effect.map(Clock.currentTimeMillis, (at) => runtime.offer({ _tag: "NightSet", at, settings: now.settings.night }))
    ),
    Effect.forkScoped
  )

  // ---- other sessions
  const over = (tag: Tag) =>
    runtime.changeQueue((queue, at) => Result.succeed({ records: sessionOver(queue, tag, at), note: null }))
  const lost = (tag: Tag) =>
    runtime.changeQueue((queue, at) =>
      Result.succeed({
        records: sessionOver(queue, tag, at).flatMap((record) =>
          record._tag !== "Conditioned"
            ? []
            : Result.match(Queue.hold(queue, record.id, at, [["session-gone", tag]]), {
                onSuccess: ({ records }) => records,
                onFailure: () => []
              })
        ),
        note: null
      })
    )
  const follow = (tag: Tag) =>
    Effect.scoped(
      Effect.gen(function* () {
        const client = yield* connectTo(tag)
        const found = yield* client.Watch().pipe(Stream.filter(workOver), Stream.runHead, whileHostLives)
        if (Option.isNone(Option.flatten(found))) return yield* Effect.fail("its host is gone" as const)
        yield* over(tag)
      })
    ).pipe(
      Effect.catchTag("NoSessionError", () =>
        Effect.flatMap(lastStatus(tag), (last) =>
          Option.isSome(last) && last.value.state === "exited" && last.value.problem === null ? over(tag) : lost(tag)
        )
      ),
      Effect.retry(again),
      Effect.ignore
    )
  const followed = yield* FiberMap.make<string>()
  yield* SubscriptionRef.changes(status).pipe(
    Stream.map(() => runtime.memory().delivery.queue),
    Stream.changes,
    Stream.map(awaitedSessions),
    Stream.runForEach(
      Effect.fnUntraced(function* (awaited) {
        for (const [tag] of followed) if (!awaited.has(tag)) yield* FiberMap.remove(followed, tag)
        for (const tag of awaited) yield* FiberMap.run(followed, tag, follow(Tag.make(tag)), { onlyIfMissing: true })
      })
    ),
    Effect.forkScoped
  )
})

export const layer = Layer.effectDiscard(make)
