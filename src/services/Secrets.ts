import { Context, type Effect, type Redacted, Schema } from "effect"
import type { SecretPlace } from "../domain/rules/settings/OutSettings.ts"

/** A secret cannot be used. `why` names its place, and nothing of it. */
export class SecretError extends Schema.TaggedError<SecretError>()("SecretError", {
  why: Schema.String
}) {
  override get message() {
    return this.why
  }
}

/** The user's secrets, which stand in files of their own or in the environment. */
export class Secrets extends Context.Service<
  Secrets,
  {
    /**
     * The secret that stands at a place now, without the white space around it. A file must be its owner's alone.
     */
    readonly read: (place: SecretPlace) => Effect.Effect<Redacted.Redacted, SecretError>
  }
>()("leap/services/Secrets") {}
