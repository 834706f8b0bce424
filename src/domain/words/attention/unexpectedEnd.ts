import type { ExitStatus } from "../session/Session.ts"

/**
 * A user who pressed a key in the session's terminal, or on a surface that shows it, this recently looks at it, in
 * milliseconds.
 */
export const presence = 10_000

/** What says whether somebody meant a session to end. Times: milliseconds since the epoch. */
export interface EndFacts {
  readonly exit: ExitStatus | null
  readonly at: number
  /** Somebody has asked for its end. */
  readonly stopping: boolean
  /** When the user looked at it last; null for never. */
  readonly userSeenAt: number | null
}

/** The CLI ended otherwise than well, nobody asked for that, and nobody sat before it. */
export const isUnexpectedEnd = ({ at, exit, stopping, userSeenAt }: EndFacts): boolean =>
  exit !== null && exit.code !== 0 && !stopping && (userSeenAt === null || at - userSeenAt >= presence)
