import { Duration, Effect, Layer, Queue } from "effect"
import * as fs from "node:fs"
import { DirectoryWatch, type DirectoryWatcher } from "../../services/DirectoryWatch.ts"

/** How often to check where the system sends no notices: the directory is missing, or no more watches are available. */
const blindInterval = Duration.millis(200)

/** Tells a directory from one that replaced it; inode numbers alone are reused at once. */
const identity = (path: string): string | null => {
  try {
    const stat = fs.statSync(path, { bigint: true })
    return stat.isDirectory() ? `${stat.dev}:${stat.ino}:${stat.birthtimeNs}` : null
  } catch {
    return null
  }
}

const watch = Effect.fn("DirectoryWatch.watch")(function* (path: string) {
  const wake = yield* Queue.sliding<void>(1)
  let watcher: { readonly close: () => void; readonly directory: string } | null = null

  const detach = () => {
    watcher?.close()
    watcher = null
  }
  /** Makes sure that the present directory is the one watched; a new directory may have changes at once. */
  const attach = Effect.sync(() => {
    const now = identity(path)
    if (watcher !== null && watcher.directory === now) return
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
      watcher = { close: () => node.close(), directory: now }
    } catch {
      // No more watches: the directory is checked at the blind interval.
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

const fileIdentity = (path: string): string | null => {
  try {
    const { birthtimeNs, dev, ino } = fs.statSync(path, { bigint: true })
    return `${dev}:${ino}:${birthtimeNs}`
  } catch {
    return null
  }
}

const gone = Effect.fn("DirectoryWatch.gone")(function* (path: string, file: string) {
  const [directory, first] = [identity(path), fileIdentity(file)]
  if (directory === null || first === null) return yield* Effect.never
  const watcher = yield* watch(path)
  while (identity(path) === directory && fileIdentity(file) === first) yield* watcher.changed("1 day")
}, Effect.scoped)

export const layer: Layer.Layer<DirectoryWatch> = Layer.succeed(DirectoryWatch, { watch, gone })
