import { Effect } from "effect"
import type { ServedSocket } from "../../services/ControlSocket.ts"
import { DirectoryWatch } from "../../services/DirectoryWatch.ts"
import { Paths } from "../../services/Paths.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionStop } from "./SessionStop.ts"
import { isBusy } from "../../services/StoreError.ts"
import { parentOf } from "../../domain/words/text/paths.ts"

/** Someone who deletes the whole directory deletes these files first; they must not be created again meanwhile. */
const grace = "500 millis"
/** Milliseconds between two attempts, at first and at most, so that a file that always vanishes costs little. */
const firstPause = 1_000
const longestPause = 60_000
/** A notification may get lost, and network file systems send none. */
const lookAgain = "10 minutes"

/**
 * Recreates the session's socket and its lock's file if a cleaner of temporary files deletes them, because nobody could
 * reach the session then. Ends only when another host has the session.
 */
export const stayReachable = Effect.fn("stayReachable")(function* (served: ServedSocket) {
  const { lock, paths, tag } = yield* SessionContext
  const { ensureSession } = yield* Paths
  const stop = yield* SessionStop
  const directories = yield* DirectoryWatch

  const isWell = Effect.flatMap(lock.isCurrent, (current) => (current ? served.isReachable : Effect.succeed(false)))
  /** Recreates what is missing; returns the problem, null for none, "taken" if another host has the session. */
  const mend = Effect.gen(function* () {
    if (!(yield* lock.isCurrent)) {
      yield* lock.renew
      yield* Effect.logWarning(
        `the file of the session's lock was removed (${paths.lock}): it is made and locked again`
      )
    }
    if (!(yield* served.isReachable)) {
      // the socket's directory may be gone too
      yield* ensureSession(tag)
      yield* served.bindAgain
      yield* Effect.logWarning(`the session's socket was removed or replaced (${paths.socket}): it is bound again`)
    }
    return null
  }).pipe(
    Effect.catchTags({
      StoreError: (error) => Effect.succeed(isBusy(error) ? ("taken" as const) : { message: error.message }),
      ControlSocketError: ({ message }) => Effect.succeed({ message })
    })
  )
  const keep = Effect.gen(function* () {
    const own = yield* directories.watch(paths.dir)
    const socketDir = parentOf(paths.socket)
    const beside = socketDir === paths.dir ? null : yield* directories.watch(socketDir)
    let pause = firstPause
    let reported = ""
    for (;;) {
      while (yield* isWell)
        yield* beside === null
          ? own.changed(lookAgain)
          : Effect.raceFirst(own.changed(lookAgain), beside.changed(lookAgain))
      yield* Effect.sleep(grace)
      // a session that ends recreates nothing: its directory may be gone
      if (stop.isRequested()) return yield* Effect.never
      const outcome = yield* mend
      if (outcome === "taken") return
      if (outcome === null) {
        reported = ""
        yield* Effect.sleep(firstPause)
        pause = firstPause
        continue
      }
      if (reported !== outcome.message) yield* Effect.logError(`nobody reaches the session: ${outcome.message}`)
      reported = outcome.message
      yield* Effect.sleep(pause)
      pause = Math.min(longestPause, pause * 2)
    }
  })
  return yield* Effect.scoped(keep)
})
