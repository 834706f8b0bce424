import { Effect, Layer, Stream, SubscriptionRef } from "effect"
import { needsOf } from "../../domain/words/attention/needsOf.ts"
import { isWorking } from "../../domain/words/session/states.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import { workToCome } from "../../domain/words/session/workToCome.ts"
import { SleepInhibitor } from "../../services/SleepInhibitor.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { SessionContext } from "./SessionContext.ts"
import { StatusPublisher } from "./StatusPublisher.ts"

/** The time after work in which more of it may begin: the next message, a continuation. */
const grace = "30 seconds"

/** A turn or background work runs, or what is queued goes out by itself, after a limit too, without its user. */
const works = (status: SessionStatus): boolean =>
  isWorking(status.state) ||
  status.state === "churning" ||
  (workToCome(status) && needsOf(status).every(({ until }) => until !== null))

/** Keeps the machine awake while the session works, if the settings say so. */
const make = Effect.gen(function* () {
  const { spec } = yield* SessionContext
  const publisher = yield* StatusPublisher
  const inhibitor = yield* SleepInhibitor
  const settings = yield* UserSettings
  const working = SubscriptionRef.changes(publisher.status).pipe(Stream.map(works), Stream.changes)
  const hold = inhibitor.hold(`session ${spec.tag} works`).pipe(
    // until its work begins anew; the session goes on without
    Effect.catch((error) => Effect.logWarning(error.message))
  )
  yield* (yield* settings.changes).pipe(
    Stream.map((now) => now.settings.awake),
    Stream.changes,
    Stream.switchMap((awake) =>
      awake === "off"
        ? Stream.succeed(false)
        : working.pipe(
            Stream.switchMap((now) =>
              now ? Stream.succeed(true) : Stream.fromEffect(Effect.as(Effect.sleep(grace), false))
            )
          )
    ),
    Stream.changes,
    Stream.switchMap((held) => (held ? Stream.fromEffect(hold) : Stream.empty)),
    Stream.runDrain,
    Effect.forkScoped
  )
})

export const layer = Layer.effectDiscard(make)
