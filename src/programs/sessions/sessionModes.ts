import { Effect } from "effect"
import type { Modes } from "../../domain/words/session/Session.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { ModesStore } from "../../services/ModesStore.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { type NoSessionError, withHost } from "../client/client.ts"

export const isNothing = (change: Partial<Modes>): boolean => Object.keys(change).length === 0

const modesFromHost = (tag: Tag, change: Partial<Modes>) =>
  withHost(tag, (client) =>
    isNothing(change) ? Effect.map(client.Status(), ({ modes }) => modes) : client.SetModes({ modes: change })
  )

const storedModes = Effect.fn("mode.stored")(function* (tag: Tag, change: Partial<Modes>, error: NoSessionError) {
  if (!error.ended) return yield* error
  const store = yield* ModesStore
  const defaults = (yield* (yield* UserSettings).read).settings.modes
  if (isNothing(change)) return { ...defaults, ...(yield* store.read(tag)) }
  const modes = yield* store.change(tag, change, defaults)
  // a host that came up meanwhile may have read the file before the change
  return yield* Effect.catchTag(modesFromHost(tag, change), "NoSessionError", () => Effect.succeed(modes))
})

export const sessionModes = (tag: Tag, change: Partial<Modes>) =>
  Effect.catchTag(modesFromHost(tag, change), "NoSessionError", (error) => storedModes(tag, change, error))
