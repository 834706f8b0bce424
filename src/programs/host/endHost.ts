import { Clock, Effect } from "effect"
import * as Queue from "../../domain/engine/queue/Queue.ts"
import { isCutOff, isUnexpectedEnd } from "../../domain/words/attention/unexpectedEnd.ts"
import type { ExitStatus } from "../../domain/words/session/Session.ts"
import { Notifier } from "./Notifier.ts"
import { Recorder } from "./Recorder.ts"
import { RecordKeeper } from "./RecordKeeper.ts"
import { RecordWriter } from "./RecordWriter.ts"
import { RestoredSession } from "./RestoredSession.ts"
import { ScreenSampler } from "./ScreenSampler.ts"
import { SessionEnd } from "./SessionEnd.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { SessionStop } from "./SessionStop.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { StatusWriter } from "./StatusWriter.ts"
import { UsageTracker } from "./UsageTracker.ts"
import { UserPresence } from "./UserPresence.ts"
import { Viewers } from "./Viewers.ts"

/** How long viewers and clients may take to read the session's last frames. */
const farewell = "1 second"
/** The time for pending replies after the last viewer has left. */
const replyTime = "100 millis"
/** The time for the last notices, because the process must exit. */
const noticeTimeout = "2500 millis"

/** Ends the session: first stores its last status, then informs every viewer. `onFinished` runs after both. */
export const endHost = Effect.fn("finish")(function* (how: ExitStatus, onFinished: Effect.Effect<void>) {
  const runtime = yield* SessionRuntime
  const viewers = yield* Viewers
  const records = yield* RecordKeeper
  const { log } = yield* RestoredSession
  const screen = (yield* ScreenSampler).read()
  yield* (yield* UsageTracker).flush
  // together with the end, so that no status shows one without the other
  const at = yield* Clock.currentTimeMillis
  const stop = yield* SessionStop
  const stopping = stop.isRequested()
  const cause = stop.cause()
  const exit = cause === null ? how : { ...how, why: cause }
  const userSeenAt = (yield* UserPresence).latest(runtime.memory().tracker.facts.userKeyAt)
  const facts = { exit, at, stopping, userSeenAt }
  yield* (yield* StatusPublisher).update({ unexpectedEnd: isUnexpectedEnd(facts), cutOff: isCutOff(facts) })
  yield* runtime.between(() =>
    Effect.map(Clock.currentTimeMillis, (at) => [
      { _tag: "Output" as const, at, screen },
      { _tag: "Exited" as const, at, exit }
    ])
  )
  // what becomes of the messages is on disk, too
  yield* runtime.between(() => Effect.succeed([]))
  yield* (yield* StatusWriter).writeLast
  yield* records.flush
  viewers.exited(exit)
  ;(yield* Recorder).end()
  yield* (yield* SessionEnd).reach(exit)
  yield* onFinished
  yield* (yield* RecordWriter).flush
  // A log that could not be compacted is still valid.
  yield* runtime
    .between(({ delivery }) => Effect.as(log.compact(Queue.compact(delivery.queue)), []))
    .pipe(Effect.catch((error) => Effect.logWarning(error.message)))
  yield* Effect.all(
    [
      Effect.timeoutOption(Effect.andThen(viewers.awaitNone, Effect.sleep(replyTime)), farewell),
      Effect.timeoutOption((yield* Notifier).flush, noticeTimeout)
    ],
    { concurrency: "unbounded", discard: true }
  )
})
