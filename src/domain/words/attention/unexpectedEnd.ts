import type { ExitStatus, SessionStatus } from "../session/Session.ts"

/** Milliseconds for which a user is present after a key in the session's terminal or on a surface that shows it. */
export const presence = 10_000

/** The facts about a session's end. Times are epoch milliseconds. */
export interface EndFacts {
  readonly exit: ExitStatus | null
  readonly at: number
  readonly stopping: boolean
  readonly userSeenAt: number | null
}

/** The CLI ended with an error, nobody asked for that, and no user was present. */
export const isUnexpectedEnd = ({ at, exit, stopping, userSeenAt }: EndFacts): boolean =>
  exit !== null && exit.code !== 0 && !stopping && (userSeenAt === null || at - userSeenAt >= presence)

/** A signal that no user sent ended the host or the CLI: a restore of all sessions includes this one. */
export const isCutOff = ({ exit, stopping }: Pick<EndFacts, "exit" | "stopping">): boolean =>
  exit !== null && (exit.why === "signal" || (!stopping && exit.signal !== null && exit.signal !== "SIGINT"))

/** Nobody wanted this session's end: its host or CLI was killed, crashed, or went down with the machine. */
export const wasCutOff = ({ cutOff, problem, state, unexpectedEnd }: SessionStatus): boolean =>
  state === "exited" && (cutOff === true || unexpectedEnd === true || problem?.kind === "crashed")
