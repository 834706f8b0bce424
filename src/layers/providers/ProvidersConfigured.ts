import { Effect, Layer } from "effect"
import type { Providers } from "../../services/Providers.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import * as registry from "./registry.ts"
import { configured } from "./variants.ts"

/** These CLIs and the user's variants, by the settings at the time the layer is built. */
export const layerOf = (builtin: ReadonlyArray<registry.Registration>): Layer.Layer<Providers, never, UserSettings> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { settings } = yield* (yield* UserSettings).read
      return registry.layerOf(configured(builtin, settings))
    })
  )
