import { Clock, Duration, Effect, Schedule } from "effect"
import { isSameFile } from "../../domain/relocation/Snapshot.ts"
import { type FileSeen, RelocationFileError } from "../../services/RelocationFiles.ts"
import type { Files } from "./looking.ts"

/** As npm's `proper-lockfile` has it unless told otherwise: a lock that nobody touched for so long belongs to nobody, and its holder touches it twice in that time. */
const stale = Duration.seconds(10)
/** Longer than a dead lock lives. */
const patience = Duration.seconds(20)
const turn = Duration.millis(100)
/** What happens while the lock is given back must not leave it there: others would wait for it to become stale. */
const releases = 3

const nanosOf = (millis: number): string => `${BigInt(millis) * 1_000_000n}`
const millisOf = (mtimeNs: string): number => Number(BigInt(mtimeNs) / 1_000_000n)

/**
 * Holds the lock that `proper-lockfile` gives of a file, until the scope ends: a directory beside it. Gives the check that
 * it is still held, for a process that was stopped long enough to lose it.
 */
export const holdDirectoryLock = Effect.fnUntraced(function*(files: Files, path: string) {
  const busy = new RelocationFileError({ operation: "lock", path, code: "ELOCKED", why: "another program holds it and does not come to an end" })
  const lost = new RelocationFileError({ operation: "lock", path, code: "ECOMPROMISED", why: "another program took it over" })

  /** The directory as this process last touched it; null while it never did. */
  let own: FileSeen | null = null
  const isOwn = (seen: FileSeen | null): boolean =>
    seen !== null && own !== null && isSameFile(seen.stamp, own.stamp) && seen.stamp.mtimeNs === own.stamp.mtimeNs

  const take = Effect.gen(function*() {
    const now = yield* Clock.currentTimeMillis
    const made = yield* files.makeDirectory(path, 0o755).pipe(
      Effect.as(true),
      Effect.catchIf(({ code }) => code === "EEXIST", () => Effect.succeed(false))
    )
    if (made) return
    const seen = yield* files.stat(path)
    if (seen !== null && millisOf(seen.stamp.mtimeNs) < now - Duration.toMillis(stale)) {
      yield* files.removeDirectory(path).pipe(Effect.catchIf(({ code }) => code === "ENOENT", () => Effect.void))
    }
    return yield* busy
  })
  const release = Effect.gen(function*() {
    if (own === null || isOwn(yield* files.stat(path))) yield* files.removeDirectory(path)
  }).pipe(Effect.retry({ times: releases }), Effect.ignore)
  const touch = Effect.gen(function*() {
    yield* files.setTime(path, nanosOf(yield* Clock.currentTimeMillis))
    own = yield* files.stat(path)
  })
  const check = Effect.gen(function*() {
    if (!isOwn(yield* files.stat(path))) return yield* lost
  })

  yield* Effect.acquireRelease(take, () => release).pipe(
    Effect.retry({ while: ({ code }) => code === "ELOCKED", schedule: Schedule.max([Schedule.spaced(turn), Schedule.during(patience)]) })
  )
  yield* touch
  yield* Effect.andThen(check, touch).pipe(Effect.schedule(Schedule.spaced(Duration.times(stale, 0.5))), Effect.ignore, Effect.forkScoped)
  return check
})
