import type { NotifySettings } from "../../rules/settings/NotifySettings.ts"
import type { Need } from "../../words/attention/Need.ts"
import type { ExitStatus, Problem, Question, SessionState, SessionStatus } from "../../words/session/Session.ts"

/** What is known of a session at a moment, as far as a notice depends on it. Times: milliseconds since the epoch. */
export interface Observation {
  readonly at: number
  readonly tag: string
  readonly startedAt: string
  readonly state: SessionState
  readonly reason: string
  readonly message: string | null
  /** What the session needs of its human, in the words of all surfaces (`attention/needsOf.ts`). */
  readonly needs: ReadonlyArray<Need>
  readonly question: Question | null
  readonly problem: Problem | null
  /** What the queue waits for after a failed turn: `until` null is the user. */
  readonly pause: SessionStatus["pause"]
  readonly exit: ExitStatus | null
  /** Something that is queued goes out by itself: the work is not over. */
  readonly workToCome: boolean
  /** leap answers the dialog, or is about to: a policy's matter, not the user's. */
  readonly answering: boolean
  /** The user's last key in the session's terminal, or look at it on another surface; null for none. */
  readonly userSeenAt: number | null
  /** Somebody has asked for the session's end. */
  readonly stopping: boolean
  /** See `Modes.mute`. */
  readonly mute: string | undefined
  readonly response: string | null
}

/** What the user wants to be told of. `zone`: the time zone of the quiet hours. */
export type NoticeRules = Pick<NotifySettings, "doneAfterMinutes" | "failed" | "limit" | "needsYou" | "quietHours"> & {
  readonly zone: string
}
