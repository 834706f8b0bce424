import { Effect, Layer } from "effect"
import { System } from "../../services/System.ts"
import { RemoteHosts } from "../../services/RemoteHosts.ts"

/** Other machines, with what reaches them loaded on demand. */
export const layer: Layer.Layer<RemoteHosts, never, System> = Layer.effect(
  RemoteHosts,
  Effect.gen(function* () {
    const system = yield* System
    const hosts = yield* Effect.cached(
      Effect.flatMap(
        Effect.promise(() => import("./RemoteHostsSsh.ts")),
        ({ layer }) => Effect.provide(RemoteHosts, Layer.provide(layer, Layer.succeed(System, system)))
      )
    )
    return RemoteHosts.of({
      run: (...given) => Effect.flatMap(hosts, ({ run }) => run(...given)),
      connect: (host) => Effect.flatMap(hosts, ({ connect }) => connect(host))
    })
  })
)
