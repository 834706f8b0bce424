import { Effect, Layer } from "effect"
import { PtyAddon } from "../../services/PtyAddon.ts"

/** Loaded on demand: only hosts use pseudo-terminals. */
export const layer: Layer.Layer<PtyAddon> = Layer.succeed(PtyAddon, {
  problem: Effect.flatMap(
    Effect.promise(() => import("./PtyNode.ts")),
    ({ problem }) => problem
  )
})
