import { Effect } from "effect"
import { FileLock } from "../../services/FileLock.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"

/** A reader that pauses makes all who write wait. */
const longestWait = "1 hour"

/**
 * Lets nobody else of leap's write to a shared pipe in the middle of a write: the system keeps only the shortest ones
 * in one piece there. Without a place for the lock it is written all the same. `shared`: as in `Output.sharedWith`.
 */
export const withWholeWrites = (shared: string | null) =>
  Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
    if (shared === null || shared === "file") return yield* effect
    const output = yield* Output
    const paths = yield* Paths
    const lock = yield* FileLock
    yield* Effect.ignore(paths.ensureBase)
    const file = `${paths.state}/output-${shared.replaceAll(/\D/g, "")}.lock`
    const alone = (write: Effect.Effect<void>) =>
      Effect.scoped(Effect.andThen(Effect.ignore(lock.acquire(file, longestWait)), write))
    return yield* Effect.provideService(effect, Output, {
      ...output,
      // made on demand, and few commands use it
      get inputIsTerminal() {
        return output.inputIsTerminal
      },
      line: (text) => alone(output.line(text)),
      raw: (text) => alone(output.raw(text))
    })
  })
