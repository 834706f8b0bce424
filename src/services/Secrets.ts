import { Context, type Effect, type Redacted } from "effect"
import type { SecretPlace } from "../domain/rules/settings/OutSettings.ts"
import type { StoreError } from "./StoreError.ts"

/** The user's secrets, which stand in files of their own or in the environment. */
export class Secrets extends Context.Service<
  Secrets,
  {
    /**
     * The secret that stands at a place now, without the white space around it. A file must be its owner's alone.
     */
    readonly read: (place: SecretPlace) => Effect.Effect<Redacted.Redacted, StoreError>
  }
>()("leap/services/Secrets") {}
