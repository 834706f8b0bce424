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

/**
 * A turn that has not begun yet: a message is being delivered, or an idle session has a queued one to type next, which
 * waits for nothing else.
 */
export const turnToCome = ({
  queue,
  state
}: {
  readonly queue: ReadonlyArray<{ readonly status: string; readonly when?: ReadonlyArray<unknown> }>
  readonly state: State
}): boolean =>
  state !== "exited" &&
  queue.some(
    (message) =>
      underWay.has(message.status) || (state === "idle" && message.status === "queued" && message.when === undefined)
  )
