import { Effect, Layer } from "effect"
import type { Settings } from "../../src/domain/store/settings/Settings.ts"
import * as ProvidersBuiltin from "../../src/layers/providers/ProvidersBuiltin.ts"
import { layerOf as registryOf, type Registration } from "../../src/layers/providers/registry.ts"
import * as variants from "../../src/layers/providers/variants.ts"
import { CLIProvider, type Provider } from "../../src/services/CLIProvider.ts"
import { Providers } from "../../src/services/Providers.ts"

/** The built-in CLIs' providers, in the registry's order. */
export const builtin: ReadonlyArray<Provider> = await Effect.runPromise(
  Providers.use(({ load }) => load(() => true)).pipe(Effect.provide(ProvidersBuiltin.layer))
)

/** One of them, with all that a command knows of it. */
export const builtinOf = (id: string): Provider => {
  const found = builtin.find((provider) => provider.id === id)
  if (found === undefined) throw new Error(`no CLI is called ${id}`)
  return found
}

/** A provider that is at hand, as a registry takes it. */
export const registrationOf = (provider: Provider): Registration => ({
  identity: provider,
  layer: Layer.succeed(CLIProvider, provider)
})

/** A registry of these providers. */
export const layerOf = (providers: ReadonlyArray<Provider>): Layer.Layer<Providers> =>
  registryOf(providers.map(registrationOf))

/** What the user's settings make of these providers, with the user's own. */
export const configured = (providers: ReadonlyArray<Provider>, settings: Settings): ReadonlyArray<Provider> =>
  variants
    .configured(providers.map(registrationOf), settings)
    .map(({ layer }) => Effect.runSync(Effect.provide(CLIProvider, layer)))
