import { Effect } from "effect"
import type { ServedSocket } from "../../services/ControlSocket.ts"
import { DirectoryWatch } from "../../services/DirectoryWatch.ts"
import { Paths } from "../../services/Paths.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionStop } from "./SessionStop.ts"
import { isBusy } from "../../services/StoreError.ts"

/** Who deletes the whole directory takes these files first, and is not to find them made anew meanwhile. */
const grace = "500 millis"
/** Milliseconds between two attempts, at first and at most: what always vanishes is not spun on. */
const firstPause = 1_000
const longestPause = 60_000
/** A notice may have been lost, and a network's file systems send none. */
const lookAgain = "10 minutes"

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/"

/**
 * A cleaner of temporary files takes a session's socket or the file of its lock while it runs, and with them every way
 * to it: both are watched, and made again in their places. Ends when the session is another host's by now, and at no
 * other time.
 */
export const stayReachable = Effect.fn("stayReachable")(function* (served: ServedSocket) {
  const { lock, paths, tag } = yield* SessionContext
  const { ensureSession } = yield* Paths
  const stop = yield* SessionStop
  const directories = yield* DirectoryWatch

  const isWell = Effect.flatMap(lock.isCurrent, (current) => (current ? served.isReachable : Effect.succeed(false)))
  /** Makes anew what is missing; gives what went wrong, null for nothing, "taken" where another host has the session. */
  const mend = Effect.gen(function* () {
    if (!(yield* lock.isCurrent)) {
      yield* lock.renew
      yield* Effect.logWarning(
        `the file of the session's lock was removed (${paths.lock}): it is made and locked again`
      )
    }
    if (!(yield* served.isReachable)) {
      // the socket's directory may have gone with it
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
    let said = ""
    for (;;) {
      while (yield* isWell)
        yield* beside === null
          ? own.changed(lookAgain)
          : Effect.raceFirst(own.changed(lookAgain), beside.changed(lookAgain))
      yield* Effect.sleep(grace)
      // with its directory the session ends by itself
      if (stop.isRequested()) return yield* Effect.never
      const came = yield* mend
      if (came === "taken") return
      if (came === null) {
        said = ""
        yield* Effect.sleep(firstPause)
        pause = firstPause
        continue
      }
      if (said !== came.message) yield* Effect.logError(`nobody reaches the session: ${came.message}`)
      said = came.message
      yield* Effect.sleep(pause)
      pause = Math.min(longestPause, pause * 2)
    }
  })
  return yield* Effect.scoped(keep)
})
