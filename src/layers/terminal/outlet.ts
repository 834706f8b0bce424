import { Deferred, Effect } from "effect"

export interface Outlet {
  /** Passes bytes to the follower synchronously, or keeps them until there is one. */
  readonly give: (data: Uint8Array) => void
  readonly end: () => void
  /** Takes the kept bytes and all further ones until the end; dies if `take` throws. */
  readonly follow: (take: (data: Uint8Array) => void) => Effect.Effect<void>
}

/**
 * Not a stream, which would pass each chunk on a turn of the event loop later, while a person waits for it. One
 * follower at a time.
 */
export const makeOutlet = (): Outlet => {
  let waiting: Array<Uint8Array> = []
  let take: ((data: Uint8Array) => void) | null = null
  let over = false
  let done = Deferred.makeUnsafe<void>()
  const pass = (data: Uint8Array): void => {
    try {
      take?.(data)
    } catch (cause) {
      // The follower is gone.
      take = null
      Deferred.doneUnsafe(done, Effect.die(cause))
    }
  }
  return {
    give: (data) => {
      if (take === null) waiting.push(data)
      else pass(data)
    },
    end: () => {
      over = true
      if (take !== null) Deferred.doneUnsafe(done, Effect.void)
    },
    follow: (next) =>
      Effect.suspend(() => {
        done = Deferred.makeUnsafe<void>()
        take = next
        const before = waiting
        waiting = []
        for (const data of before) pass(data)
        if (over) Deferred.doneUnsafe(done, Effect.void)
        return Effect.ensuring(
          Deferred.await(done),
          Effect.sync(() => {
            if (take === next) take = null
          })
        )
      })
  }
}
