import { Clock, Context, Effect, Layer } from "effect"
import * as InputBytes from "../../domain/terminal/sequences/InputBytes.ts"
import { KeyGate, type Keys } from "./KeyGate.ts"
import { SessionRuntime } from "./SessionRuntime.ts"

/** Every key for the CLI becomes an event for the session's machine. */
export class Keyboard extends Context.Service<
  Keyboard,
  {
    readonly press: (keys: Keys) => void
    /** Presses leap's own keys, given as bytes (latin1). `answer`: the text in them, if they answer a dialog. */
    readonly pressOwn: (data: string, answer?: string) => void
  }
>()("leap/programs/host/Keyboard") {}

const make = Effect.gen(function* () {
  const gate = yield* KeyGate
  const runtime = yield* SessionRuntime
  const clock = yield* Clock.Clock
  const press = (keys: Keys, answer?: string): void => {
    const pressed = gate.press(keys)
    if (pressed === null) return
    const typed = answer === undefined ? {} : { answer }
    const event = { _tag: "Input", at: clock.currentTimeMillisUnsafe(), ...pressed, ...typed } as const
    if (keys.by === "user") runtime.offerSoon(event)
    else runtime.offer(event)
  }
  return Keyboard.of({
    press: (keys) => press(keys),
    pressOwn: (data, answer) => {
      const { parts } = InputBytes.classify(InputBytes.start, data, clock.currentTimeMillisUnsafe())
      press({ data, keys: parts.flatMap((part) => (part._tag === "Keys" ? [part.kind] : [])), by: "leap" }, answer)
    }
  })
})

export const layer = Layer.effect(Keyboard, make)
