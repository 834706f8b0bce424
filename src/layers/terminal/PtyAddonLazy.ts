import { Effect, Layer } from "effect"
import { PtyAddon } from "../../services/PtyAddon.ts"

/** Loaded when it is asked for: no other command has a use for pseudo-terminals, their hosts have. */
export const layer: Layer.Layer<PtyAddon> = Layer.succeed(PtyAddon, {
  problem: Effect.flatMap(
    Effect.promise(() => import("./PtyNode.ts")),
    ({ problem }) => problem
  )
})
