import { Clock, Context, Effect, Layer } from "effect"

/** When the user looked at the session last, elsewhere than in its terminal: in its queue client, monitor, page. */
export class UserPresence extends Context.Service<
  UserPresence,
  {
    /** The user looks at it now. */
    readonly seen: Effect.Effect<void>
    /** When the user looked at it last, there or by that key; milliseconds since the epoch, null for never. */
    readonly latest: (userKeyAt: number | null) => number | null
  }
>()("leap/programs/host/UserPresence") {}

export const layer = Layer.sync(UserPresence, () => {
  let seenAt: number | null = null
  return UserPresence.of({
    seen: Effect.map(Clock.currentTimeMillis, (now) => {
      seenAt = now
    }),
    latest: (userKeyAt) => (seenAt === null || userKeyAt === null ? (seenAt ?? userKeyAt) : Math.max(seenAt, userKeyAt))
  })
})
