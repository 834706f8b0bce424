import { Effect, Layer } from "effect"
import { Screen } from "../../services/Screen.ts"

/** The emulator, loaded with the first screen: most commands have none and must not wait for it. */
export const layer: Layer.Layer<Screen> = Layer.succeed(Screen, {
  make: (size) =>
    Effect.promise(() => import("./ScreenXterm.ts")).pipe(
      Effect.flatMap((xterm) =>
        Effect.provide(
          Screen.use((screen) => screen.make(size)),
          xterm.layer
        )
      )
    )
})
