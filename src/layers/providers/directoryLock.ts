import { Clock, Duration, Effect, Schedule } from "effect"
import { isSameFile } from "../../domain/store/relocation/Snapshot.ts"
import type { FileInfo, RelocationFilesService } from "../../services/RelocationFiles.ts"
import { FileFault, insteadOf, unless } from "../../services/FileFault.ts"

/** As in npm's `proper-lockfile`: a lock is stale after this time. Its holder touches it twice as often. */
const staleAfter = Duration.seconds(10)
/** Longer than the lock of a dead process lasts. */
const lockTimeout = Duration.seconds(20)
const retryInterval = Duration.millis(100)
/** A failed release must not leave the lock behind: others would have to wait until it is stale. */
const releaseRetries = 3

const nanosOf = (millis: number): string => `${BigInt(millis) * 1_000_000n}`
const millisOf = (mtimeNs: string): number => Number(BigInt(mtimeNs) / 1_000_000n)

/**
 * Holds a file's lock until the scope closes. Like `proper-lockfile`, it uses a directory beside the file. Returns a
 * check whether the lock is still held: a process that was stopped for long may have lost it.
 */
export const holdDirectoryLock = Effect.fnUntraced(function* (files: RelocationFilesService, path: string) {
  const busy = new FileFault({
    operation: "lock",
    path,
    code: "ELOCKED",
    why: "another program holds it and does not come to an end"
  })
  const lost = new FileFault({
    operation: "lock",
    path,
    code: "ECOMPROMISED",
    why: "another program took it over"
  })

  /** The directory as this process last touched it; null: not yet. */
  let held: FileInfo | null = null
  const isHeld = (seen: FileInfo | null): boolean =>
    seen !== null && held !== null && isSameFile(seen.stamp, held.stamp) && seen.stamp.mtimeNs === held.stamp.mtimeNs

  const take = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const made = yield* files.makeDirectory(path, 0o755).pipe(Effect.as(true), insteadOf(false, "EEXIST"))
    if (made) return
    const seen = yield* files.stat(path)
    if (seen !== null && millisOf(seen.stamp.mtimeNs) < now - Duration.toMillis(staleAfter)) {
      yield* files.removeDirectory(path).pipe(unless("ENOENT"))
    }
    return yield* busy
  })
  const release = Effect.gen(function* () {
    if (held === null || isHeld(yield* files.stat(path))) yield* files.removeDirectory(path)
  }).pipe(Effect.retry({ times: releaseRetries }), Effect.ignore)
  const touch = Effect.gen(function* () {
    yield* files.setTime(path, nanosOf(yield* Clock.currentTimeMillis))
    held = yield* files.stat(path)
  })
  const check = Effect.gen(function* () {
    if (!isHeld(yield* files.stat(path))) return yield* lost
  })

  yield* Effect.acquireRelease(take, () => release).pipe(
    Effect.retry({
      while: ({ code }) => code === "ELOCKED",
      schedule: Schedule.max([Schedule.spaced(retryInterval), Schedule.during(lockTimeout)])
    })
  )
  yield* touch
  yield* Effect.andThen(check, touch).pipe(
    Effect.schedule(Schedule.spaced(Duration.times(staleAfter, 0.5))),
    Effect.ignore,
    Effect.forkScoped
  )
  return check
})
