import { Effect, Layer } from "effect"
import { System } from "../../services/System.ts"
import { UserSettings } from "../../services/UserSettings.ts"

/** Telemetry by the user's settings, if they name a collector; otherwise nothing is loaded for it. */
export const layer: Layer.Layer<never, never, System | UserSettings> = Layer.unwrap(
  Effect.gen(function* () {
    const { version } = yield* System
    const { settings } = yield* (yield* UserSettings).read
    const { telemetry } = settings
    if (telemetry === null) return Layer.empty
    const { layerOf } = yield* Effect.promise(() => import("./TelemetryOtlp.ts"))
    const { layer: client } = yield* Effect.promise(() => import("./HttpClientNode.ts"))
    return layerOf(telemetry, version, client)
  })
)
