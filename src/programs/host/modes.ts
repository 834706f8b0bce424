import { Clock, Effect, Semaphore } from "effect"
import type { Modes } from "../../domain/Session.ts"
import type { Tag } from "../../domain/Tag.ts"
import { RefusedError } from "../../services/HostRpc.ts"
import { ModesStore } from "../../services/ModesStore.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import type { Runtime } from "./runtime.ts"

/** The modes a session starts with: its own as it had them, else the global defaults of this moment, which are its own from now on. */
export const startModes = Effect.fn("startModes")(function*(tag: Tag) {
  const store = yield* ModesStore
  const { settings } = yield* (yield* UserSettings).read
  return yield* store.freeze(tag, settings.modes).pipe(
    // a full disk is no reason not to run; the modes hold for as long as this host does
    Effect.catch((error) =>
      Effect.logWarning(error.message).pipe(
        Effect.andThen(store.read(tag)),
        Effect.map((own): Modes => ({ ...settings.modes, ...own }))
      ))
  )
})

/** Changes a running session's modes: the store first, so that what is shown holds over restarts; one change at a time. */
export const makeModeChanges = Effect.fn("makeModeChanges")(function*(tag: Tag, runtime: Runtime) {
  const store = yield* ModesStore
  const turn = yield* Semaphore.make(1)
  return (change: Partial<Modes>): Effect.Effect<Modes, RefusedError> =>
    turn.withPermits(1)(Effect.gen(function*() {
      const modes = yield* store.change(tag, change, runtime.memory().tracker.facts.modes).pipe(
        Effect.mapError((error) => new RefusedError({ why: error.message, exitCode: 1 }))
      )
      const at = yield* Clock.currentTimeMillis
      yield* runtime.between(runtime.apply({ _tag: "ModesChanged", at, modes }))
      return modes
    }))
})
