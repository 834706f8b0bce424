import { Context, Deferred, Effect, Layer } from "effect"
import { DirectoryWatch } from "../../../src/services/DirectoryWatch.ts"

/** Directories that a test takes away. */
export class DirectoryWatchFake extends Context.Service<
  DirectoryWatchFake,
  { readonly take: (path: string) => Effect.Effect<void> }
>()("leap/test/support/host/DirectoryWatchFake") {}

/** Directories that change when the test says so. */
export const layer = Layer.effectContext(
  Effect.sync(() => {
    const taken = new Map<string, Deferred.Deferred<void>>()
    const of = (path: string) => {
      const known = taken.get(path) ?? Deferred.makeUnsafe<void>()
      taken.set(path, known)
      return known
    }
    return Context.make(DirectoryWatchFake, {
      take: (path) => Effect.asVoid(Deferred.succeed(of(path), undefined))
    }).pipe(
      Context.add(DirectoryWatch, {
        watch: () => Effect.succeed({ changed: () => Effect.never, changedUnlessLost: () => Effect.never }),
        gone: (path) => Deferred.await(of(path)),
        stir: () => {}
      })
    )
  })
)
