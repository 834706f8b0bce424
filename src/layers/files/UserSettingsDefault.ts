import { Effect, Layer, Stream } from "effect"
import { defaultSettings } from "../../domain/store/settings/Settings.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { StoreError } from "../../services/StoreError.ts"

const read = { settings: defaultSettings, warnings: [] }

/** leap's defaults, independent of the user's settings: for programs that embed leap. */
export const layer: Layer.Layer<UserSettings> = Layer.succeed(UserSettings, {
  file: "",
  read: Effect.succeed(read),
  change: () =>
    new StoreError({
      store: "settings",
      reason: "failed",
      file: "settings",
      why: "they are leap's defaults, which nothing changes"
    }),
  changes: Effect.succeed(Stream.make(read))
})
