import { Context, Effect, Layer, LayerMap, type Scope } from "effect"
import type { CliIdentity } from "../../domain/cli/provider/Identity.ts"
import type { HookWiring } from "../../domain/cli/wiring/HookWiring.ts"
import { CLIProvider, type Provider } from "../../services/CLIProvider.ts"
import { Providers, UnknownProviderError } from "../../services/Providers.ts"

/** A CLI in a registry: its identity, available at once, and its layer, built on first use. */
export interface Registration {
  readonly identity: CliIdentity
  readonly layer: Layer.Layer<CLIProvider>
  /** The layer for a session's host, without hook wiring; absent: the same. */
  readonly hosted?: Layer.Layer<CLIProvider>
}

/**
 * A CLI that is loaded on first use, so that programs for others do not load it. `loadWiring`: for programs that read
 * hooks' files.
 */
export const registered = (
  identity: CliIdentity,
  load: () => Promise<{ readonly layer: Layer.Layer<CLIProvider> }>,
  loadWiring?: () => Promise<HookWiring>
): Registration => {
  const layer = Layer.unwrap(Effect.map(Effect.promise(load), ({ layer }) => layer))
  if (loadWiring === undefined) return { identity, layer }
  const wired = Effect.map(Effect.all([CLIProvider, Effect.promise(loadWiring)]), ([provider, hooks]): Provider => ({
    ...provider,
    hooks
  }))
  return { identity, layer: Layer.effect(CLIProvider, wired).pipe(Layer.provide(layer)), hosted: layer }
}

/** These CLIs as a session's host needs them. */
export const hosted = (registrations: ReadonlyArray<Registration>): ReadonlyArray<Registration> =>
  registrations.map(({ identity, layer, hosted = layer }) => ({ identity, layer: hosted }))

const make = Effect.fnUntraced(function* (
  registrations: ReadonlyArray<Registration>
): Effect.fn.Return<Providers["Service"], never, Scope.Scope> {
  const all = registrations.map(({ identity }) => identity)
  const layers = yield* LayerMap.make(({ layer }: Registration) => layer, { idleTimeToLive: "Infinity" })
  const build = (registration: Registration) =>
    Effect.scoped(layers.contextEffect(registration)).pipe(
      // A failed load (too many open files, for example) is retried on the next request.
      Effect.tapCause(() => layers.invalidate(registration)),
      Effect.map(Context.get(CLIProvider))
    )
  return Providers.of({
    all,
    get: (id) => {
      const found = registrations.find(({ identity }) => identity.id === id)
      return found === undefined
        ? Effect.fail(new UnknownProviderError({ name: id, known: all.map((cli) => cli.id) }))
        : build(found)
    },
    load: (isWanted) =>
      Effect.forEach(
        registrations.filter(({ identity }) => isWanted(identity)),
        build,
        { concurrency: "unbounded" }
      )
  })
})

/** The registry of these CLIs, in this order. Each is built once, and kept as long as the registry. */
export const layerOf = (registrations: ReadonlyArray<Registration>): Layer.Layer<Providers> =>
  Layer.effect(Providers, make(registrations))
