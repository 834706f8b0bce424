import { Clock, Context, Effect, Layer } from "effect"
import * as InputBytes from "../../domain/terminal/sequences/InputBytes.ts"
import { Keyboard } from "./Keyboard.ts"
import { SessionMetrics } from "./SessionMetrics.ts"
import { StopWatch } from "./StopWatch.ts"
import { Viewers } from "./Viewers.ts"

/** Sorts the bytes of a viewer's terminal into keys and replies for the CLI. */
export class UserInput extends Context.Service<
  UserInput,
  {
    /**
     * Takes bytes (latin1) from a viewer's terminal and presses the keys in them. True: the last bytes may begin a
     * sequence; calling it with no bytes {@link settleMs} later makes them keys.
     */
    readonly take: (viewer: string, data: string) => boolean
    readonly receive: (viewer: string, data: string) => Effect.Effect<void>
  }
>()("leap/programs/host/UserInput") {}

/** An incomplete sequence counts as keys after this time. */
export const settleMs = InputBytes.sequenceMs + 1

const make = Effect.gen(function* () {
  const viewers = yield* Viewers
  const keyboard = yield* Keyboard
  const stops = yield* StopWatch
  const metrics = yield* SessionMetrics
  const clock = yield* Clock.Clock
  const take = (viewer: string, data: string): boolean => {
    const { continues, forward, keys, pending } = viewers.input(viewer, data, clock.currentTimeMillisUnsafe())
    keyboard.press({ data: forward, keys, by: "user", continues })
    if (keys.length === 0) return pending
    metrics.keyPressed()
    stops.expect(forward)
    return pending
  }
  return UserInput.of({
    take,
    receive: (viewer, data) =>
      Effect.suspend(() =>
        take(viewer, data)
          ? Effect.andThen(
              Effect.sleep(settleMs),
              Effect.sync(() => void take(viewer, ""))
            )
          : Effect.void
      )
  })
})

export const layer = Layer.effect(UserInput, make)
