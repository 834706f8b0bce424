import { Effect, Layer } from "effect"
import { LoginLinks } from "../../../src/services/LoginLinks.ts"

/** A machine on which no links can be made: sessions keep what their start had. */
export const layer = Layer.succeed(LoginLinks, {
  find: () => Effect.succeed({ _tag: "Gone", isSafe: false }),
  point: () => Effect.succeed(false),
  changed: () => Effect.never,
  remove: () => Effect.void
})
