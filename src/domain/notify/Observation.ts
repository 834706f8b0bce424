import type { NotifySettings } from "../settings/NotifySettings.ts"
import type { ExitStatus, Problem, Question, SessionState, SessionStatus } from "../session/Session.ts"

/** What is known of a session at a moment, as far as a notice depends on it. Times: milliseconds since the epoch. */
export interface Observation {
  readonly at: number
  readonly tag: string
  readonly state: SessionState
  readonly reason: string
  readonly message: string | null
  readonly question: Question | null
  readonly problem: Problem | null
  /** What the queue waits for after a failed turn: `until` null is the user. */
  readonly pause: SessionStatus["pause"]
  readonly exit: ExitStatus | null
  /** Something that is queued goes out by itself: the work is not over. */
  readonly workToCome: boolean
  /** leap answers the dialog, or is about to: a policy's matter, not the user's. */
  readonly answering: boolean
  /** The user's last key in the session's terminal; null for none. */
  readonly userKeyAt: number | null
  /** Somebody has asked for the session's end. */
  readonly stopping: boolean
  /** See `Modes.mute`. */
  readonly mute: string | undefined
  readonly response: string | null
  /** What leap does about a limit, in words; null for nothing. */
  readonly plan: string | null
}

/** What the user wants to be told of. `zone`: the time zone of the quiet hours. */
export type NoticeRules = Pick<NotifySettings, "doneAfterMinutes" | "failed" | "limit" | "needsYou" | "quietHours"> & {
  readonly zone: string
}
