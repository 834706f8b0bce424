import { isSameEnd, tryFrom } from "../../words/problems/LimitEnd.ts"
import type { Problem, ProblemKind } from "../../words/session/Session.ts"

/**
 * Whose fault a failed turn is. `message`: this text is refused, but the next may be answered. `session`: every next
 * message would fail too, until somebody changes the session. `account`: a limit, credit, a login. `world`: the
 * service, or the connection to it. `unknown`: leap does not know, and the user must look.
 */
type Fault = "message" | "session" | "account" | "world" | "unknown"

const faults = {
  refused: "message",
  context: "session",
  model: "session",
  stuck: "session",
  crashed: "session",
  auth: "account",
  rate_limited: "account",
  overloaded: "world",
  network: "world",
  unknown: "unknown"
} as const satisfies Record<ProblemKind, Fault>

export const faultOf = ({ kind }: Pick<Problem, "kind">): Fault => faults[kind]

/**
 * The session's failed turns since one was answered, and why its queue waits because of them. This is a circuit
 * breaker: closed (`pause` null), open until a time or until the user's decision, and half open from then on, when one
 * message is tried. Times are milliseconds since the epoch.
 */
export interface TurnFailures {
  /** Failed turns in a row. */
  readonly inRow: number
  /** How many of the latest failures, in a row, were the fault of the text that was sent. */
  readonly textFaultsInRow: number
  /** How often in a row a turn failed for the pause's problem: the same limit, or a service without a known end. */
  readonly probes: number
  /** A turn was answered in the present conversation: it is not empty. */
  readonly hasAnswered: boolean
  readonly pause: QueuePause | null
  /** Messages that a limit cut off in the present conversation. A continuation also continues these. */
  readonly cutOff: ReadonlyArray<string>
}

/** Why the queue waits after a failed turn. */
export interface QueuePause {
  readonly problem: Problem
  /** When the turn failed. */
  readonly since: number
  /** When the next message is tried; null: the user must act. */
  readonly until: number | null
  /** Messages that are held because of it. */
  readonly keptBack: ReadonlyArray<string>
}

export const noFailures: TurnFailures = {
  inRow: 0,
  textFaultsInRow: 0,
  probes: 0,
  hasAnswered: false,
  pause: null,
  cutOff: []
}

/** The effect of a failed turn on its message. */
export type Verdict =
  /** Nothing is put back: the text was at fault, or the turn was of no message in the queue. */
  | "finished"
  /** It goes back to the head of the queue, and is sent again automatically. */
  | "queued"
  /** It goes back to the head of the queue, and waits for the user. */
  | "held"

const minute = 60_000

/** Milliseconds between two probes of a service that does not say when it works again. */
const backoff: readonly [number, ...ReadonlyArray<number>] = [1, 2, 4, 8, 16, 30].map((n) => n * minute) as [number]

const backoffOf = (probes: number): number => backoff[Math.min(probes, backoff.length) - 1] ?? backoff[0]

/** A usage limit of which nobody has told when it ends. */
export const isEndless = (problem: Problem): boolean => problem.kind === "rate_limited" && tryFrom(problem) === null

/** When it is worth trying whether the problem is over, if its end is known and in the future. */
const endAhead = (problem: Problem, at: number): number | null => {
  const end = tryFrom(problem)
  return end !== null && end > at ? end : null
}

/** The problem is of the pause's kind, and its end is the same one, or one of the two has no known end. */
const isSameProblem = (pause: QueuePause | null, problem: Problem): boolean =>
  pause !== null &&
  pause.problem.kind === problem.kind &&
  (tryFrom(problem) === null || tryFrom(pause.problem) === null || isSameEnd(pause.problem, problem))

/**
 * A turn failed. `ofQueue`: it was of a message in the queue. The user's own prompt leaves nothing to put back, and
 * its unknown failure does not hold messages back, since the user has seen it. `isUntouched`: the model has surely done
 * nothing in this turn. Only then a limit without a known end is tried again automatically.
 */
export const failed = (
  before: TurnFailures,
  problem: Problem,
  at: number,
  ofQueue: boolean,
  isUntouched: boolean
): readonly [TurnFailures, Verdict] => {
  const fault = faultOf(problem)
  // A text that is too long for an empty conversation is too long in itself.
  const isTextsFault = fault === "message" || (problem.kind === "context" && !before.hasAnswered)
  const textFaultsInRow = isTextsFault ? before.textFaultsInRow + 1 : 0
  // Probes are counted across the pause's end, so that their intervals grow.
  const probes = isSameProblem(before.pause, problem) ? before.probes + 1 : 1
  const count = { ...before, inRow: before.inRow + 1, textFaultsInRow, probes }
  // After two consecutive refusals the text is not the reason: the queue waits.
  if (isTextsFault && (textFaultsInRow === 1 || !ofQueue)) return [count, "finished"]
  if (fault === "unknown" && !ofQueue) return [count, "finished"]
  const waits = (until: number | null): readonly [TurnFailures, Verdict] => [
    { ...count, pause: { problem, since: at, until, keptBack: [] } },
    until === null ? "held" : "queued"
  ]
  switch (problem.kind) {
    case "rate_limited": {
      if (isEndless(problem)) {
        // An earlier report may have told an end, or a message may have been sent before it was time.
        const known = isSameProblem(before.pause, problem) ? (before.pause?.until ?? 0) : 0
        return waits(isUntouched ? Math.max(at + backoffOf(probes), known) : null)
      }
      // A limit that is met again after its reported end: that end was wrong, and the next probe waits the backoff.
      const end = endAhead(problem, at)
      return waits(end !== null && probes === 1 ? end : Math.max(at + backoffOf(probes), end ?? 0))
    }
    case "overloaded":
    case "network":
      return waits(Math.max(at + backoffOf(probes), endAhead(problem, at) ?? 0))
    default:
      return waits(null)
  }
}

/** The problem is understood, so an answer or another failure shows whether it still exists. */
export const isUnderstood = (problem: Problem): boolean => !["unknown", "message"].includes(faultOf(problem))

/**
 * While the queue waits for the user, a failure of another kind, after which a time is known to try again, says nothing
 * about the held messages. If the reason for holding them is understood, the queue still waits for the user; otherwise
 * it waits for that time alone. Null if this does not apply.
 */
export const pauseKeptForUser = (before: TurnFailures, failed: TurnFailures): TurnFailures | null => {
  const [was, now] = [before.pause, failed.pause]
  if (was === null || was.until !== null || now === null || now.until === null) return null
  if (was.problem.kind === now.problem.kind) return null
  return isUnderstood(was.problem) ? { ...failed, pause: was } : failed
}

/** A turn was answered: the problem is over. */
export const answered = (before: TurnFailures): TurnFailures =>
  before.hasAnswered && before.pause === null && before.inRow === 0 ? before : { ...noFailures, hasAnswered: true }

/** The user allows messages: the next one is a probe. The messages held because of the pause stay known. */
export const resumed = (before: TurnFailures, at: number): TurnFailures =>
  before.pause === null ? before : { ...before, pause: { ...before.pause, until: at } }

/** The CLI reports that the problem is over. */
export const over = (before: TurnFailures): TurnFailures =>
  before.pause === null ? before : { ...before, pause: null }

/** The conversation is another one, or has room again: a problem of the conversation alone is over. */
export const renewed = (before: TurnFailures, how: "empty" | "resumed" | "compacted"): TurnFailures => {
  const hasAnswered = how === "empty" ? false : how === "resumed" ? true : before.hasAnswered
  const cutOff = how === "compacted" || before.cutOff.length === 0 ? before.cutOff : []
  return before.pause?.problem.kind === "context"
    ? { ...noFailures, hasAnswered, cutOff }
    : before.hasAnswered === hasAnswered && before.cutOff === cutOff
      ? before
      : { ...before, hasAnswered, cutOff }
}

/** The pause in force at a time; null if the next message may be sent. */
export const pauseAt = ({ pause }: Pick<TurnFailures, "pause">, now: number): QueuePause | null =>
  pause === null || (pause.until !== null && now >= pause.until) ? null : pause

/** No message is held because of the pause any more. */
export const keptNone = (before: TurnFailures): TurnFailures =>
  before.pause === null || before.pause.keptBack.length === 0
    ? before
    : { ...before, pause: { ...before.pause, keptBack: [] } }

/** After a failed turn of this message: it is listed as cut off if the reason was a limit, and no longer otherwise. */
export const withCutOff = (before: TurnFailures, id: string, { kind }: Pick<Problem, "kind">): TurnFailures => {
  const others = before.cutOff.filter((other) => other !== id)
  return { ...before, cutOff: kind === "rate_limited" ? [...others, id] : others }
}

/** These messages are held because of the pause. */
export const keptBack = (before: TurnFailures, ids: ReadonlyArray<string>): TurnFailures =>
  before.pause === null || ids.length === 0
    ? before
    : { ...before, pause: { ...before.pause, keptBack: [...new Set([...before.pause.keptBack, ...ids])] } }
