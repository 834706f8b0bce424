import { Clock, Effect, FiberSet } from "effect"

/** A host delays notices for ten seconds after its user looked, so the report must come more often than that. */
const period = 4_000
/** A host that does not answer in time gets the next report. */
const timeout = "2 seconds"

/** Reports with `tell` that the user is looking. Call it on every key: it reports only now and then. */
export const makeReportSeen = Effect.fnUntraced(function* <E, R>(tell: (tag: string) => Effect.Effect<unknown, E, R>) {
  const tasks = yield* FiberSet.make<void, never>()
  const reportedAt = new Map<string, number>()
  return Effect.fnUntraced(function* (tag: string | null) {
    if (tag === null) return
    const now = yield* Clock.currentTimeMillis
    if (now - (reportedAt.get(tag) ?? -Infinity) < period) return
    reportedAt.set(tag, now)
    yield* FiberSet.run(tasks, tell(tag).pipe(Effect.timeout(timeout), Effect.ignore))
  })
})
