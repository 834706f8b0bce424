import { Effect } from "effect"
import { placesCursor } from "../../domain/surfaces/tui/placesCursor.ts"
import { Output } from "../../services/Output.ts"
import { System } from "../../services/System.ts"
import { fail } from "../exit.ts"

/** Fails without a terminal that can be drawn on. `instead`: the command for that case. */
export const requireScreen = Effect.fn("requireScreen")(function* (what: string, instead: string) {
  const { inputIsTerminal, isTerminal } = yield* Output
  const { env } = yield* System
  if (!isTerminal || !inputIsTerminal) return yield* fail("usage", `${what} needs a terminal; ${instead}`)
  if (!placesCursor(env)) {
    const reason = env["TERM"] === "dumb" ? "TERM is dumb" : "TERM is not set"
    return yield* fail("usage", `${what} needs a terminal that can place its cursor (${reason}); ${instead}`)
  }
})
