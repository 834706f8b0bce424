import { Context, Effect, Layer, type Option, Schema } from "effect"
import type { CliIdentity } from "../domain/cli/provider/Identity.ts"
import { CLIProvider, type Provider } from "./CLIProvider.ts"

/** No CLI has this name. */
export class UnknownProviderError extends Schema.TaggedError<UnknownProviderError>()("UnknownProviderError", {
  name: Schema.String,
  known: Schema.Array(Schema.String)
}) {
  override get message() {
    return `no CLI is called '${this.name}'; known: ${this.known.join(", ")}`
  }
}

/** The registry of CLIs. An embedding program adds its own by providing another layer. */
export class Providers extends Context.Service<
  Providers,
  {
    /** The identity of each, known without loading its provider, in listing order. */
    readonly all: ReadonlyArray<CliIdentity>
    /** Loads one CLI's provider, at its first use. */
    readonly get: (id: string) => Effect.Effect<Provider, UnknownProviderError>
    /** The matching providers, in the same order. */
    readonly load: (matches: (cli: CliIdentity) => boolean) => Effect.Effect<ReadonlyArray<Provider>>
  }
>()("leap/services/Providers") {}

/** The provider for the program in these arguments, if the CLI has no fixed program. */
export const forArguments = (provider: Provider, [command]: ReadonlyArray<string>): Provider =>
  !provider.takesCommand || provider.forProgram === undefined || command === undefined
    ? provider
    : { ...provider, ...provider.forProgram(command, {}) }

/** Provides one CLI of the registry as the {@link CLIProvider}, for a start with these arguments. */
export const layerOf = (
  id: string,
  args: ReadonlyArray<string> = []
): Layer.Layer<CLIProvider, UnknownProviderError, Providers> =>
  Layer.effect(
    CLIProvider,
    Effect.flatMap(Providers, ({ get }) => Effect.map(get(id), (provider) => forArguments(provider, args)))
  )

/** The provider of a recorded session; that of the base if the user has removed the variant that ran it. */
export const providerOf = (
  { get }: Pick<Providers["Service"], "get">,
  { base, cli }: { readonly cli: string; readonly base: string }
): Effect.Effect<Option.Option<Provider>> =>
  get(cli).pipe(
    Effect.catch(() => get(base)),
    Effect.option
  )
