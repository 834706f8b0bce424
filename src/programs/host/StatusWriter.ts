import { Context, Effect, Layer, Schedule, type Scope, Semaphore, Sink, Stream, SubscriptionRef } from "effect"
import { StatusStore } from "../../services/StatusStore.ts"
import { Recorder } from "./Recorder.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionScreen } from "./SessionScreen.ts"
import { receiptDuration } from "./sessionStatus.ts"
import { StatusPublisher } from "./StatusPublisher.ts"

/** Updates the session's status on disk, its receipts, and its markers in the recording. */
export class StatusWriter extends Context.Service<
  StatusWriter,
  {
    /** Follows the status until the scope ends; the first status is on disk when this returns. */
    readonly follow: Effect.Effect<void, never, Scope.Scope>
    /** Writes the session's last screen and then, durably, its last status. */
    readonly writeLast: Effect.Effect<void>
  }
>()("leap/programs/host/StatusWriter") {}

/** The least time between two writes of the status. */
const pace = "500 millis"

const make = Effect.gen(function* () {
  const { paths } = yield* SessionContext
  const publisher = yield* StatusPublisher
  const recorder = yield* Recorder
  const screen = yield* SessionScreen
  const store = yield* StatusStore
  const changes = SubscriptionRef.changes(publisher.status)
  const current = SubscriptionRef.get(publisher.status)

  // A pending write must not overwrite the last status.
  const mutex = yield* Semaphore.make(1)
  const writeCurrent = mutex.withPermits(1)(
    Effect.flatMap(current, (status) =>
      // `writeLast` writes the last status, durably.
      status.state === "exited" ? Effect.void : store.write(paths.status, status, false)
    )
  )
  const writeChanges = changes.pipe(
    // A debounce would starve while the status keeps changing.
    Stream.aggregateWithin(Sink.last(), Schedule.spaced(pace)),
    Stream.runForEach(() => writeCurrent)
  )
  const expireReceipts = changes.pipe(
    Stream.filter(({ queue }) =>
      queue.some(({ status }) => status === "done" || status === "failed" || status === "removed")
    ),
    Stream.debounce(receiptDuration),
    Stream.runForEach(() => publisher.refresh)
  )
  const markChanges = changes.pipe(
    Stream.map(({ dialog, ready, reason, state }) => JSON.stringify({ state, ready, dialog, reason })),
    Stream.changes,
    Stream.runForEach((published) => Effect.sync(() => recorder.marker(`leap:${published}`)))
  )

  return StatusWriter.of({
    follow: Effect.gen(function* () {
      yield* Effect.forkScoped(writeChanges)
      yield* store.write(paths.status, yield* current, false)
      yield* Effect.forkScoped(expireReceipts)
      yield* Effect.forkScoped(markChanges)
    }),
    writeLast: Effect.gen(function* () {
      // The screen comes first: who reads that the session has ended reads its last screen next.
      yield* store.writeScreen(paths.screen, screen.text())
      yield* mutex.withPermits(1)(Effect.flatMap(current, (status) => store.write(paths.status, status, true)))
    })
  })
})

export const layer = Layer.effect(StatusWriter, make)
