import { Clock, Context, Effect, Layer } from "effect"
import * as InputBytes from "../../domain/terminal/sequences/InputBytes.ts"
import { Keyboard } from "./Keyboard.ts"
import { SessionMetrics } from "./SessionMetrics.ts"
import { StopWatch } from "./StopWatch.ts"
import { Viewers } from "./Viewers.ts"

/** What people type: the bytes of a viewer's terminal, sorted into keys and replies, on their way to the CLI. */
export class UserInput extends Context.Service<
  UserInput,
  {
    /**
     * Takes bytes (latin1) that a viewer's terminal has sent: keys are pressed before it returns. True: the last of
     * them may be the beginning of a sequence; {@link settleMs} later they are keys, if `take` is told of no more.
     */
    readonly take: (viewer: string, data: string) => boolean
    /** The same for who can wait: ends when all that can be keys has been pressed. */
    readonly receive: (viewer: string, data: string) => Effect.Effect<void>
  }
>()("leap/programs/host/UserInput") {}

/** The beginning of a sequence whose end has not come for so long was keys after all. */
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
