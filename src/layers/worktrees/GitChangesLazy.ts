import { Effect, Layer } from "effect"
import { GitChanges } from "../../services/GitChanges.ts"
import { System } from "../../services/System.ts"

/** Changes by git, loaded on demand. */
export const layer: Layer.Layer<GitChanges, never, System> = Layer.effect(
  GitChanges,
  Effect.gen(function* () {
    const system = Layer.succeed(System, yield* System)
    const loaded = yield* Effect.cached(
      Effect.flatMap(
        Effect.promise(() => import("./GitChangesGit.ts")),
        (module) => Effect.provide(GitChanges, module.layer.pipe(Layer.provide(system)))
      )
    )
    return GitChanges.of({
      look: (...given) => Effect.flatMap(loaded, ({ look }) => look(...given)),
      note: (...given) => Effect.flatMap(loaded, ({ note }) => note(...given)),
      count: (directory) => Effect.flatMap(loaded, ({ count }) => count(directory))
    })
  })
)
