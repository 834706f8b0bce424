import { Clock, Context, Effect, Layer } from "effect"

/** When the user last looked at the session outside its terminal: in its queue client, monitor or page. */
export class UserPresence extends Context.Service<
  UserPresence,
  {
    readonly seen: Effect.Effect<void>
    /** The last look, there or by this key; milliseconds since the epoch, null for never. */
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
