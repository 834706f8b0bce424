import { Clock, Context, Effect, Layer, Semaphore } from "effect"
import type { Modes } from "../../domain/words/session/Session.ts"
import { RefusedError } from "../../services/HostProtocol.ts"
import { ModesStore } from "../../services/ModesStore.ts"
import { SessionContext } from "./SessionContext.ts"
import { SessionRuntime } from "./SessionRuntime.ts"

export class ModeChanges extends Context.Service<
  ModeChanges,
  {
    /** Stores and applies the given modes, one change at a time; returns all modes. */
    readonly change: (change: Partial<Modes>) => Effect.Effect<Modes, RefusedError>
  }
>()("leap/programs/host/ModeChanges") {}

const make = Effect.gen(function* () {
  const { tag } = yield* SessionContext
  const store = yield* ModesStore
  const runtime = yield* SessionRuntime
  const mutex = yield* Semaphore.make(1)
  const change = Effect.fnUntraced(function* (change: Partial<Modes>) {
    // Stored first, so that a shown mode survives a restart.
    const modes = yield* store
      .change(tag, change, runtime.memory().tracker.facts.modes)
      .pipe(Effect.mapError((error) => RefusedError.because("failed", error.message)))
    yield* runtime.tell({ _tag: "ModesChanged", at: yield* Clock.currentTimeMillis, modes })
    return modes
  })
  return ModeChanges.of({ change: (wanted) => mutex.withPermits(1)(change(wanted)) })
})

export const layer = Layer.effect(ModeChanges, make)
