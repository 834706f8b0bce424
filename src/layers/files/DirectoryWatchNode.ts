import { Duration, Effect, Latch, Layer, Queue } from "effect"
import * as fs from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { hidden, type IdentityOf, lookAt } from "./lookAt.ts"
import { DirectoryWatch, type DirectoryWatcher } from "../../services/DirectoryWatch.ts"

/** The interval of checks if no more watches are available: the system then gives no notices. */
const blindInterval = Duration.millis(200)
/** The interval of checks while the directory is invisible: no notice reports its return. */
const hiddenInterval = Duration.seconds(1)
/** The delay of a change that is not urgent, in milliseconds. */
const delay = 300
/**
 * If this many notices come in one turn of the event loop, the system's queue (by default 16384) may have been full.
 */
const floodOfNotices = 1000

/** The birth counts too, because inode numbers are reused immediately. */
const born: IdentityOf = (stat) => `${stat.dev}:${stat.ino}:${stat.birthtimeNs}`

const lookAtDirectory = (path: string) => lookAt(path, (stat) => (stat.isDirectory() ? born(stat) : null))

/** The identity; an invisible directory counts as missing. */
const identity = (path: string): string | null => lookAtDirectory(path) ?? null

/** The nearest existing parent directory, and the name in it that leads to the path. */
const above = (path: string): { readonly directory: string; readonly name: string } => {
  let directory = dirname(resolve(path))
  while (identity(directory) === null && dirname(directory) !== directory) directory = dirname(directory)
  return { directory, name: relative(directory, resolve(path)).split(sep)[0] ?? "" }
}

interface Waker {
  readonly wake: () => void
  readonly stir: () => void
}

const make = () => {
  const wakers = new Set<Waker>()
  let tells = false
  let notices = 0

  /** The system drops notices when its queue is full; Node does not report that. */
  const count = (): void => {
    if (notices === 0)
      setImmediate(() => {
        if (notices >= floodOfNotices) for (const { wake } of wakers) wake()
        notices = 0
      })
    notices++
  }

  const watch: DirectoryWatch["Service"]["watch"] = Effect.fn("DirectoryWatch.watch")(function* (path, isUrgent) {
    const woken = yield* Queue.sliding<void>(1)
    const stirred = yield* Latch.make(false)
    let later: NodeJS.Timeout | null = null
    const forgetLater = () => {
      if (later !== null) clearTimeout(later)
      later = null
    }
    const wake = () => {
      // A woken reader sees all changes up to now.
      forgetLater()
      Queue.offerUnsafe(woken, undefined)
    }
    const heard = (name: string | null) => {
      if (name === null || isUrgent === undefined || isUrgent(name)) wake()
      else later ??= setTimeout(wake, delay)
    }
    /** `directory`: the identity of the watched one; if it is missing, that of its nearest parent. */
    let watcher: { readonly close: () => void; readonly directory: string; readonly above: boolean } | null = null

    const detach = () => {
      forgetLater()
      watcher?.close()
      watcher = null
    }
    const observe = (directory: string, id: string, above: boolean, listen: (name: string | null) => void): void => {
      try {
        const node = fs.watch(directory, (_, name) => {
          count()
          listen(name)
        })
        node.on("error", () => {
          detach()
          wake()
        })
        watcher = { close: () => node.close(), directory: id, above }
      } catch {
        // No more watches: the directory is checked at the blind interval.
      }
    }
    const attachAbove = (): void => {
      const { directory, name } = above(path)
      const id = identity(directory)
      if (id === null || (watcher?.above === true && watcher.directory === id)) return
      detach()
      observe(directory, id, true, (changed) => {
        if (changed === null || changed === name || changed === basename(directory)) wake()
      })
      // It may have appeared before the watch began.
      if (identity(join(directory, name)) !== null) wake()
    }
    /** Watches the present directory; a new one may have changes at once. */
    const attach = Effect.sync(() => {
      const now = identity(path)
      if (now === null) {
        attachAbove()
        return
      }
      if (watcher?.above === false && watcher.directory === now) return
      detach()
      observe(path, now, false, heard)
      if (watcher !== null) wake()
    })
    const changed = (atMost: Duration.Input) =>
      Effect.suspend(() => {
        const longest = Duration.fromInputUnsafe(atMost)
        return Queue.take(woken).pipe(
          Effect.timeoutOption(watcher === null ? Duration.min(longest, blindInterval) : longest)
        )
      }).pipe(Effect.andThen(attach))

    const waker: Waker = { wake, stir: () => stirred.openUnsafe() }
    yield* Effect.acquireRelease(
      Effect.sync(() => void wakers.add(waker)),
      () => Effect.sync(() => void wakers.delete(waker))
    )
    yield* Effect.acquireRelease(attach, () => Effect.sync(detach))
    return {
      changed,
      changedUnlessLost: (safety) =>
        Effect.suspend(() => {
          if (!tells || watcher === null) return changed(safety)
          const late = stirred.await.pipe(Effect.andThen(Effect.sleep(safety)), Effect.andThen(stirred.close))
          return Effect.andThen(Effect.raceFirst(Queue.take(woken), late), attach)
        })
    } satisfies DirectoryWatcher
  })

  const gone = Effect.fn("DirectoryWatch.gone")(function* (path: string, files: ReadonlyArray<string>) {
    const directory = identity(path)
    const known = files.flatMap((file) => {
      const first = lookAt(file, born)
      return typeof first === "string" ? [{ file, first }] : []
    })
    if (directory === null || known.length === 0) return yield* Effect.never
    const watcher = yield* watch(path)
    for (;;) {
      const now = lookAtDirectory(path)
      const looks = known.map(({ file }) => lookAt(file, born))
      const isHidden = [now, ...looks].includes(hidden)
      // An invisible directory is not gone.
      if (now !== hidden && now !== directory) return
      if (!isHidden && known.every(({ first }, n) => first !== looks[n])) return
      yield* watcher.changed(isHidden ? hiddenInterval : "1 day")
    }
  }, Effect.scoped)

  const stir = (): void => {
    tells = true
    for (const waker of wakers) waker.stir()
  }
  return DirectoryWatch.of({ watch, gone, stir })
}

export const layer: Layer.Layer<DirectoryWatch> = Layer.sync(DirectoryWatch, make)
