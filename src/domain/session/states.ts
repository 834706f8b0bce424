export const sessionStates = [
  "starting",
  "idle",
  "running",
  "needs_permission",
  "needs_input",
  "interrupted",
  "churning",
  "exited"
] as const

type State = (typeof sessionStates)[number]

/** States in which a turn is over: what `leap wait` waits for by default. */
export const turnOver: ReadonlySet<State> = new Set(["idle", "interrupted", "churning", "exited"])

const underWay: ReadonlySet<string> = new Set(["typed", "submitted", "started"])

/** What of a message says whether it goes out. */
interface Waiting {
  readonly status: string
  readonly when?: ReadonlyArray<unknown>
}

/**
 * A turn that has not begun yet: a message is being delivered, or an idle session has a queued one to type next, which
 * waits for nothing else.
 */
export const turnToCome = ({
  queue,
  state
}: {
  readonly queue: ReadonlyArray<Waiting>
  readonly state: State
}): boolean =>
  state !== "exited" &&
  queue.some(
    (message) =>
      underWay.has(message.status) || (state === "idle" && message.status === "queued" && message.when === undefined)
  )

/**
 * The session's turn is over, and all that is queued there: what a message of another session's may wait for. What is
 * held because a turn failed is not over, since the user has yet to see to it.
 */
export const workOver = (session: {
  readonly queue: ReadonlyArray<Waiting>
  readonly state: State
  readonly pause?: { readonly until: string | null } | null
}): boolean => {
  const { pause, queue, state } = session
  const isKeptBack = pause != null && pause.until === null && queue.some(({ status }) => status === "held")
  return turnOver.has(state) && !turnToCome(session) && (state === "exited" || !isKeptBack)
}
