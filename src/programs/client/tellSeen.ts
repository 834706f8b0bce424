import { Clock, Effect, FiberSet } from "effect"

/** A host lets notices wait for ten seconds from when its user looked: it is told in time, and no more often. */
const period = 4_000
/** A host that does not answer at once is told next time. */
const patience = "2 seconds"

/** Tells hosts by `tell` that their user looks: called on every key, it does so now and then, and never waits. */
export const makeTellSeen = Effect.fnUntraced(function* <E, R>(tell: (tag: string) => Effect.Effect<unknown, E, R>) {
  const tasks = yield* FiberSet.make<void, never>()
  const told = new Map<string, number>()
  return Effect.fnUntraced(function* (tag: string | null) {
    if (tag === null) return
    const now = yield* Clock.currentTimeMillis
    if (now - (told.get(tag) ?? -Infinity) < period) return
    told.set(tag, now)
    yield* FiberSet.run(tasks, tell(tag).pipe(Effect.timeout(patience), Effect.ignore))
  })
})
