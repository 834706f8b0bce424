import { Clock, Context, Effect, Latch, Layer, Queue, Ref, Stream, SubscriptionRef } from "effect"
import { answersItself } from "../../domain/engine/approvals/answersItself.ts"
import type { Notice } from "../../domain/surfaces/notify/Notice.ts"
import * as Notifications from "../../domain/surfaces/notify/Notifications.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { giveNotice } from "../client/giveNotice.ts"
import { SessionStop } from "./SessionStop.ts"
import { sleepUntil } from "./waits.ts"
import { localTimeZone } from "../../services/localTimeZone.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { UserPresence } from "./UserPresence.ts"
import { Viewers } from "./Viewers.ts"

export class Notifier extends Context.Service<
  Notifier,
  {
    /** Decides whether a notice of the present status is due. */
    readonly look: Effect.Effect<void>
    /** Ends when all notices so far were sent, or have failed for good. */
    readonly flush: Effect.Effect<void>
  }
>()("leap/programs/host/Notifier") {}

/** The most notices that wait for a slow server. */
const waitingAtMost = 20

const make = Effect.gen(function* () {
  const publisher = yield* StatusPublisher
  const stop = yield* SessionStop
  const viewers = yield* Viewers
  const presence = yield* UserPresence
  const settings = yield* UserSettings
  const here = yield* localTimeZone
  const loaded = yield* Ref.make((yield* settings.read).settings)
  yield* (yield* settings.changes).pipe(
    Stream.runForEach((now) => Ref.set(loaded, now.settings)),
    Effect.forkScoped
  )

  const outgoing = yield* Queue.sliding<Notice>(waitingAtMost)
  const idle = yield* Latch.make(true)
  const failing = new Map<string, string>()
  const send = Effect.fnUntraced(function* (notice: Notice) {
    const { notify } = yield* Ref.get(loaded)
    for (const { channel, why } of yield* giveNotice(notice, notify)) {
      // the user did not request desktop notices
      if (channel === "desktop" && notify.desktop === "auto") continue
      // logged once, until it works again
      if (why !== null && !failing.has(channel)) yield* Effect.logWarning(`no notice by ${channel}: ${why}`)
      if (why === null) failing.delete(channel)
      else failing.set(channel, why)
    }
    const problem = [...failing].map(([channel, why]) => `${channel}: ${why}`).join("; ")
    yield* publisher.update({ notifyProblem: problem === "" ? null : problem })
  })
  yield* Effect.forever(
    Effect.gen(function* () {
      const notice = yield* Queue.take(outgoing)
      // a failure affects only this notice
      yield* Effect.catchCause(send(notice), (cause) => Effect.logWarning("a notice failed", cause))
      if ((yield* Queue.size(outgoing)) === 0) yield* idle.open
    })
  ).pipe(Effect.forkScoped)

  let memory = Notifications.start
  const wakeUp = yield* SubscriptionRef.make<{ readonly at: number | null }>({ at: null })
  const look = Effect.gen(function* () {
    const at = yield* Clock.currentTimeMillis
    const status = yield* SubscriptionRef.get(publisher.status)
    const { approvals, tracker } = publisher.memory()
    const { notify } = yield* Ref.get(loaded)
    const [next, notice] = Notifications.step({ ...notify, zone: here }, memory, {
      at,
      status,
      answering: answersItself(approvals, tracker.facts.visibleSince.question, at),
      userSeenAt: presence.latest(tracker.facts.userKeyAt),
      stopping: stop.isRequested()
    })
    memory = next
    const standing = Notifications.standing(next)
    if (standing !== status.notice) yield* publisher.update({ notice: standing })
    if (notice !== null) {
      viewers.notice(notice)
      if (notify.desktop !== false || notify.push.length > 0) {
        yield* idle.close
        yield* Queue.offer(outgoing, notice)
      }
    }
    yield* SubscriptionRef.set(wakeUp, { at: memory.wakeAt })
  })
  const wakes = SubscriptionRef.changes(wakeUp).pipe(
    Stream.switchMap(({ at }) => (at === null ? Stream.empty : Stream.fromEffect(sleepUntil(at))))
  )
  yield* Stream.merge(SubscriptionRef.changes(publisher.status), wakes).pipe(
    Stream.runForEach(() => Effect.catchCause(look, (cause) => Effect.logWarning("a notice failed", cause))),
    Effect.forkScoped
  )
  return Notifier.of({
    look,
    // the last status may not have been checked yet
    flush: Effect.andThen(look, idle.await)
  })
})

export const layer = Layer.effect(Notifier, make)
