import { Duration, Effect, Layer, Queue } from "effect"
import * as fs from "node:fs"
import { DirectoryWatch, type DirectoryWatcher } from "../services/DirectoryWatch.ts"

/** How often to look where the system gives no notice: the directory is missing, or its watches are used up. */
const blindInterval = Duration.millis(200)

/** Tells a directory from one that took its place; inode numbers alone are given out again at once. */
const identity = (path: string): string | null => {
  try {
    const stat = fs.statSync(path, { bigint: true })
    return stat.isDirectory() ? `${stat.dev}:${stat.ino}:${stat.birthtimeNs}` : null
  } catch {
    return null
  }
}

const watch = Effect.fn("DirectoryWatch.watch")(function*(path: string) {
  const wake = yield* Queue.sliding<void>(1)
  let watcher: { readonly close: () => void; readonly of: string } | null = null

  const detach = () => {
    watcher?.close()
    watcher = null
  }
  /** Sees to it that the directory that is there now is the one watched; a new one is worth a look at once. */
  const attach = Effect.sync(() => {
    const now = identity(path)
    if (watcher !== null && watcher.of === now) return
    detach()
    if (now === null) return
    try {
      const node = fs.watch(path, () => {
        Queue.offerUnsafe(wake, undefined)
      })
      node.on("error", () => {
        detach()
        Queue.offerUnsafe(wake, undefined)
      })
      watcher = { close: () => node.close(), of: now }
    } catch {
      // Out of watches: the blind interval serves.
      return
    }
    Queue.offerUnsafe(wake, undefined)
  })

  yield* Effect.acquireRelease(attach, () => Effect.sync(detach))
  return {
    changed: (atMost) =>
      Effect.suspend(() => {
        const longest = Duration.fromInputUnsafe(atMost)
        return Queue.take(wake).pipe(
          Effect.timeoutOption(watcher === null ? Duration.min(longest, blindInterval) : longest)
        )
      }).pipe(Effect.andThen(attach))
  } satisfies DirectoryWatcher
})

export const layer: Layer.Layer<DirectoryWatch> = Layer.succeed(DirectoryWatch, { watch })
