import { Clock, Context, Effect, Layer } from "effect"
import * as InputBytes from "../../domain/terminal/InputBytes.ts"
import { Keyboard } from "./Keyboard.ts"
import { StopWatch } from "./StopWatch.ts"
import { Viewers } from "./Viewers.ts"

/** What people type: the bytes of a viewer's terminal, sorted into keys and replies, on their way to the CLI. */
export class UserInput extends Context.Service<
  UserInput,
  {
    /** Takes bytes (base64) that a viewer's terminal has sent. Ends when all that can be keys has been pressed. */
    readonly receive: (viewer: string, base64: string) => Effect.Effect<void>
  }
>()("leap/programs/host/UserInput") {}

const make = Effect.gen(function* () {
  const viewers = yield* Viewers
  const keyboard = yield* Keyboard
  const stops = yield* StopWatch
  const take = Effect.fnUntraced(function* (viewer: string, base64: string) {
    const { continues, forward, keys, pending } = viewers.input(viewer, base64, yield* Clock.currentTimeMillis)
    if (keys.length > 0) stops.expect(forward)
    keyboard.press({ data: forward, keys, by: "user", continues })
    return pending
  })
  return UserInput.of({
    receive: Effect.fnUntraced(function* (viewer, base64) {
      if (!(yield* take(viewer, base64))) return
      // The beginning of a sequence whose end never comes was keys after all.
      yield* Effect.sleep(InputBytes.sequenceMs + 1)
      yield* take(viewer, "")
    })
  })
})

export const layer = Layer.effect(UserInput, make)
