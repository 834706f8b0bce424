import { Effect, Option, Result, Schedule, Sink, Stream, SubscriptionRef } from "effect"
import { StatusStore } from "../../services/StatusStore.ts"
import type { Recorder } from "./recorder.ts"
import type { Runtime } from "./runtime.ts"
import { receiptShown } from "./sessionStatus.ts"

/** Keeps current what others find of the session: its status on disk, its receipts, its word in the flight record. Owned by the scope. */
export const keepChronicle = Effect.fn("keepChronicle")(function*(
  options: { readonly runtime: Runtime; readonly recorder: Recorder; readonly statusFile: string }
) {
  const { recorder, runtime, statusFile } = options
  const store = yield* StatusStore
  yield* SubscriptionRef.changes(runtime.status).pipe(
    // a debounce would starve while the status keeps changing
    Stream.aggregateWithin(Sink.last(), Schedule.spaced("500 millis")),
    Stream.filterMap((status) => Option.isSome(status) ? Result.succeed(status.value) : Result.failVoid),
    Stream.runForEach((status) => status.state === "exited" ? Effect.void : store.write(statusFile, status, false)),
    Effect.forkScoped
  )
  yield* store.write(statusFile, yield* SubscriptionRef.get(runtime.status), false)
  // a receipt that has been shown long enough goes
  yield* SubscriptionRef.changes(runtime.status).pipe(
    Stream.filter((status) => status.queue.some((message) => message.status === "done" || message.status === "failed")),
    Stream.debounce(receiptShown),
    Stream.runForEach(() => runtime.refresh),
    Effect.forkScoped
  )
  // what leap said at the time, beside what it was said of
  yield* SubscriptionRef.changes(runtime.status).pipe(
    Stream.map(({ dialog, ready, reason, state }) => JSON.stringify({ state, ready, dialog, reason })),
    Stream.changes,
    Stream.runForEach((said) => Effect.sync(() => recorder.marker(`leap:${said}`))),
    Effect.forkScoped
  )
})
