import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import { Effect, Layer, Scope, Terminal } from "effect"

/**
 * The terminal that the command line's library may ask for. It is made when that does so: making it opens standard
 * input, and few commands read that.
 */
export const layer: Layer.Layer<Terminal.Terminal> = Layer.effect(
  Terminal.Terminal,
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const made = yield* Effect.cached(Effect.provideService(NodeTerminal.make(), Scope.Scope, scope))
    return Terminal.make({
      columns: Effect.flatMap(made, ({ columns }) => columns),
      rows: Effect.flatMap(made, ({ rows }) => rows),
      size: Effect.flatMap(made, ({ size }) => size),
      readInput: Effect.flatMap(made, ({ readInput }) => readInput),
      readLine: Effect.flatMap(made, ({ readLine }) => readLine),
      display: (text) => Effect.flatMap(made, ({ display }) => display(text))
    })
  })
)
