import { turnOver, underWay, type Waiters } from "./states.ts"

/** Something that is queued still goes out by itself, whatever it waits for but these. */
const goesOut = ({ queue, state }: Waiters, apart: ReadonlySet<string>): boolean =>
  state !== "exited" &&
  queue.some(
    ({ status, when = [] }) =>
      underWay.has(status) ||
      (state !== "interrupted" && status === "queued" && !when.some(({ _tag }) => apart.has(_tag)))
  )

const ofItsOwn: ReadonlySet<string> = new Set(["At"])
// two sessions may wait for each other
const apartForOthers: ReadonlySet<string> = new Set(["At", "Session"])

/**
 * The session's work goes on by itself: what is queued is a part of it also while it waits for a limit's end, for
 * background work or for another session. What has a moment of its own is other work, and what is held, or was
 * interrupted, waits for the user.
 */
export const workToCome = (session: Waiters): boolean => goesOut(session, ofItsOwn)

/**
 * The session's turn is over, and all that is queued there: what a message of another session's may wait for. What is
 * held because a turn failed is not over, since the user has yet to see to it.
 */
export const workOver = (session: Waiters & { readonly pause?: { readonly until: string | null } | null }): boolean => {
  const { pause, queue, state } = session
  const isKeptBack = pause != null && pause.until === null && queue.some(({ status }) => status === "held")
  return turnOver.has(state) && !goesOut(session, apartForOthers) && (state === "exited" || !isKeptBack)
}
