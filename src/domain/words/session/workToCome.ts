import { turnOver, underWay, type Waiters } from "./states.ts"

/** A queued message will still be sent by itself. Messages that wait for `apart` do not count. */
const sendsByItself = ({ queue, state }: Waiters, apart: ReadonlySet<string>): boolean =>
  state !== "exited" &&
  queue.some(
    ({ status, when = [] }) =>
      underWay.has(status) ||
      (state !== "interrupted" && status === "queued" && !when.some(({ _tag }) => apart.has(_tag)))
  )

const ofItsOwn: ReadonlySet<string> = new Set(["At"])
// Two sessions may wait for each other.
const apartForOthers: ReadonlySet<string> = new Set(["At", "Session"])

/**
 * The session's work continues by itself. Queued messages are part of it, even while they wait for a limit's end, for
 * background work or for another session. A message with a time of its own is other work. Held or interrupted work
 * waits for the user.
 */
export const workToCome = (session: Waiters): boolean => sendsByItself(session, ofItsOwn)

/**
 * The session's turn is over, and so are all its queued messages: another session's message may wait for this. Messages
 * held after a failed turn are not over, because the user must act.
 */
export const workOver = (session: Waiters & { readonly pause?: { readonly until: string | null } | null }): boolean => {
  const { pause, queue, state } = session
  const isKeptBack = pause != null && pause.until === null && queue.some(({ status }) => status === "held")
  return turnOver.has(state) && !sendsByItself(session, apartForOthers) && (state === "exited" || !isKeptBack)
}
