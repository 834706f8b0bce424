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

/** Who waits for whom in a state. */
export type Share = "working" | "waiting" | "resting" | "over"

/** How all surfaces show a state. Each has its own sign, so that colour is never the only difference. */
interface Shown {
  readonly share: Share
  readonly sign: string
  /** One word, for little room. */
  readonly word: string
  readonly phrase: string
  readonly colour: 32 | 33 | 34 | 35 | 36 | 90
}

export const shownStates: Readonly<Record<State, Shown>> = {
  starting: { share: "working", sign: "…", word: "starting", phrase: "starting", colour: 90 },
  idle: { share: "resting", sign: "○", word: "idle", phrase: "idle", colour: 32 },
  running: { share: "working", sign: "▶", word: "running", phrase: "running", colour: 34 },
  needs_permission: { share: "waiting", sign: "!", word: "permission", phrase: "asks for permission", colour: 33 },
  needs_input: { share: "waiting", sign: "?", word: "question", phrase: "asks something", colour: 33 },
  interrupted: { share: "resting", sign: "◇", word: "interrupted", phrase: "interrupted", colour: 35 },
  churning: { share: "working", sign: "◎", word: "background", phrase: "background work", colour: 36 },
  exited: { share: "over", sign: "×", word: "ended", phrase: "ended", colour: 90 }
}

/** Who waits for whom now: it waits if it needs its user, whatever its state, and rests if that was dismissed. */
export const shareNow = (session: { readonly needs: ReadonlyArray<unknown>; readonly state: State }): Share => {
  const { share } = shownStates[session.state]
  return session.needs.length > 0 ? "waiting" : share === "waiting" ? "resting" : share
}

/** States in which a turn is over: the default of `leap wait`. */
export const turnOver: ReadonlySet<State> = new Set(["idle", "interrupted", "churning", "exited"])

export const runs = ({ state }: { readonly state: string }): boolean => state !== "exited"

/** The session starts, or a turn works: an earlier problem needs no attention now. */
export const isWorking = (state: string): boolean => state === "starting" || state === "running"

/** A turn is over, and nothing continues after it. */
export const isResting = (state: string): boolean => state === "idle" || state === "interrupted"

export const asks = (state: string): boolean => state === "needs_permission" || state === "needs_input"

/** A dialog takes an answer, whatever the state is. */
export const mayAnswer = (session: { readonly question?: unknown; readonly state: string }): boolean =>
  asks(session.state) || (session.question ?? null) !== null

/** A turn runs, or waits for an answer within it. */
export const isBusy = (state: string): boolean => state === "running" || asks(state)

/** A turn, or work after it, can be interrupted. */
export const canBeInterrupted = (state: string): boolean => isBusy(state) || state === "churning"

/** A turn is over that nobody interrupted; background work may be running. */
export const isAtRest = (state: string): boolean => state === "idle" || state === "churning"

export const underWay: ReadonlySet<string> = new Set(["typed", "submitted", "started"])

interface Waiting {
  readonly status: string
  readonly when?: ReadonlyArray<{ readonly _tag: string }>
}

/** It is sent when its turn comes, without the user. */
export const goesByItself = ({ force, status, when }: Waiting & { readonly force: boolean }): boolean =>
  status === "queued" && !force && when === undefined

/** The facts of a session that decide which message is sent next. */
export interface Waiters {
  readonly queue: ReadonlyArray<Waiting>
  readonly state: State
  readonly modes?: { readonly churn?: string }
}

/**
 * Messages are sent in this state; with background work only if the user allows it. `interrupted` is not one: after a
 * stopped turn nothing is sent until the user enters a prompt or forces a message.
 */
export const sends = ({ modes, state }: Pick<Waiters, "modes" | "state">): boolean =>
  state === "idle" || (state === "churning" && modes?.churn === "send")

/** A turn is due that the state does not show yet: a message is being delivered, or is next in a resting session. */
export const turnToCome = (session: Waiters): boolean =>
  runs(session) &&
  session.queue.some(
    (message) =>
      underWay.has(message.status) || (sends(session) && message.status === "queued" && message.when === undefined)
  )
