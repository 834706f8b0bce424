import type { ExitStatus, SessionStatus } from "../session/Session.ts"

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

/** The machine went down, or something killed the CLI: who wants all as it was wants this session back. */
export const isCutOff = ({ exit, stopping }: Pick<EndFacts, "exit" | "stopping">): boolean =>
  exit !== null && (exit.why === "signal" || (!stopping && exit.signal !== null && exit.signal !== "SIGINT"))

/** A session that ended without anybody's wish: its host or its CLI was killed, crashed, or went with the machine. */
export const wasCutOff = ({ cutOff, problem, state, unexpectedEnd }: SessionStatus): boolean =>
  state === "exited" && (cutOff === true || unexpectedEnd === true || problem?.kind === "crashed")
