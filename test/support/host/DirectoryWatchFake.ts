import { Context, Deferred, type Duration, Effect, Layer, Queue } from "effect"
import { DirectoryWatch } from "../../../src/services/DirectoryWatch.ts"

/** Directories that a test changes and takes away. */
export class DirectoryWatchFake extends Context.Service<
  DirectoryWatchFake,
  {
    readonly take: (path: string) => Effect.Effect<void>
    /** Something in it has changed. */
    readonly change: (path: string) => void
  }
>()("leap/test/support/host/DirectoryWatchFake") {}

/** Directories that change when the test says so. */
export const layer = Layer.effectContext(
  Effect.sync(() => {
    const taken = new Map<string, Deferred.Deferred<void>>()
    const watches = new Map<string, Set<Queue.Queue<void>>>()
    const of = (path: string) => {
      const known = taken.get(path) ?? Deferred.makeUnsafe<void>()
      taken.set(path, known)
      return known
    }
    return Context.make(DirectoryWatchFake, {
      take: (path) => Effect.asVoid(Deferred.succeed(of(path), undefined)),
      change: (path) => {
        for (const queue of watches.get(path) ?? []) Queue.offerUnsafe(queue, undefined)
      }
    }).pipe(
      Context.add(DirectoryWatch, {
        watch: (path) =>
          Effect.gen(function* () {
            const queue = yield* Queue.sliding<void>(1)
            yield* Effect.acquireRelease(
              Effect.sync(() => watches.set(path, (watches.get(path) ?? new Set()).add(queue))),
              () => Effect.sync(() => void watches.get(path)?.delete(queue))
            )
            const changed = (atMost: Duration.Input) => Effect.asVoid(Effect.timeoutOption(Queue.take(queue), atMost))
            return { changed, changedUnlessLost: () => Queue.take(queue) }
          }),
        gone: (path) => Deferred.await(of(path)),
        stir: () => {}
      })
    )
  })
)
