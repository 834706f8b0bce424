import { Effect, Layer } from "effect"
import { CliVersions } from "../../../src/services/CliVersions.ts"
import { type TrialOptions, type TrialOutcome, WiringTrial } from "../../../src/services/WiringTrial.ts"

/** Programs that all print this version, and name these flags in their help. */
export const versionsOf = (version: string | null, help: ReadonlyArray<string> | null = null) =>
  Layer.succeed(CliVersions, {
    lookUp: () => Effect.succeed(version),
    flags: () => Effect.succeed(help === null ? null : new Set(help))
  })

/** CLIs that answer a trial with the hooks of a version like this; by default they cannot be tried. */
export const trialOf = (outcome: (options: TrialOptions) => TrialOutcome = () => "unknown") =>
  Layer.succeed(WiringTrial, { run: (_, options) => Effect.sync(() => outcome(options)) })
