import { Context, Effect, Schema } from "effect"
import type { ProviderRecord } from "./CLIProvider.ts"

export class UnknownProviderError extends Schema.TaggedError<UnknownProviderError>()("UnknownProviderError", {
  name: Schema.String,
  known: Schema.Array(Schema.String)
}) {
  override get message() {
    return `no CLI is called '${this.name}'; known: ${this.known.join(", ")}`
  }
}

/** The registry of providers. An embedding program adds its own by providing another layer. */
export class Providers extends Context.Service<Providers, {
  readonly all: ReadonlyArray<ProviderRecord>
  readonly get: (id: string) => Effect.Effect<ProviderRecord, UnknownProviderError>
}>()("leap/services/Providers") {}

/** A registry of these records, in this order. */
export const registryOf = (all: ReadonlyArray<ProviderRecord>): Providers["Service"] => ({
  all,
  get: (id) => {
    const found = all.find((provider) => provider.id === id)
    return found === undefined
      ? Effect.fail(new UnknownProviderError({ name: id, known: all.map((provider) => provider.id) }))
      : Effect.succeed(found)
  }
})

/** The provider of a recorded session: its CLI's, or its base's where the user has removed the variant that ran it. */
export const providerOf = (
  { all }: Pick<Providers["Service"], "all">, { base, cli }: { readonly cli: string; readonly base: string }
): ProviderRecord | undefined => all.find(({ id }) => id === cli) ?? all.find(({ id }) => id === base)
