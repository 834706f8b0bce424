import { Effect, Option } from "effect"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { Paths } from "../../services/Paths.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { connectTo } from "./client.ts"

export interface ScreenText {
  readonly text: string
  readonly cols: number | null
  readonly rows: number | null
}

/** The session's screen; for an ended session the last one, which often shows why it ended. */
export const screenOf = Effect.fn("screenOf")(function* (tag: Tag) {
  const living = Effect.flatMap(connectTo(tag), (client) => client.Screen()).pipe(
    Effect.map((screen): ScreenText => screen),
    Effect.scoped
  )
  return yield* living.pipe(
    Effect.catchTag(
      "NoSessionError",
      Effect.fnUntraced(function* (error) {
        const last = yield* (yield* StatusStore).readScreen((yield* Paths).session(tag).screen)
        return Option.isSome(last) ? ({ text: last.value, cols: null, rows: null } satisfies ScreenText) : yield* error
      })
    )
  )
})
