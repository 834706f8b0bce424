import { Effect } from "effect"
import { placesCursor } from "../../domain/surfaces/tui/placesCursor.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { System } from "../../services/System.ts"
import { lineClient } from "./lineClient.ts"
import { queueClient } from "./queueClient.ts"

/** The full-screen queue client, or the line client for a terminal that cannot place its cursor. */
export const openQueueClient = Effect.fn("openQueueClient")(function* (tag: Tag) {
  const { env } = yield* System
  return yield* placesCursor(env) ? queueClient(tag) : lineClient(tag)
})
