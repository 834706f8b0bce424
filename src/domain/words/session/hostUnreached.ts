import type { Problem, SessionStatus } from "./Session.ts"

/**
 * Why a living host cannot be asked. `Hangs`: it accepts no connection, or does not answer; `stopped`: the pid, if the
 * system reports the process as stopped. `NoAddress`: it holds the session's lock, but nobody answers at its socket;
 * `pid`: its process, if the system shows it.
 */
export type Unreached =
  | { readonly _tag: "Hangs"; readonly stopped?: number }
  | { readonly _tag: "NoAddress"; readonly pid: number | null; readonly socket: string; readonly why: string }

/** The reason in words, without the session's name. */
export const unreachedText = (unreached: Unreached): string => {
  if (unreached._tag === "Hangs") {
    const { stopped } = unreached
    return stopped === undefined
      ? "the session's host does not answer"
      : `the session's host is stopped (SIGSTOP): 'kill -CONT ${stopped}' lets it go on`
  }
  const { pid, socket, why } = unreached
  const its = pid === null ? "" : ` (process ${pid})`
  return `the session's host lives${its}, and nothing reaches it at ${socket}: ${why}`
}

/** The status of a living host that cannot be asked: its last written one, except that nothing may be sent. */
export const unreachable = (status: SessionStatus, unreached: Unreached = { _tag: "Hangs" }): SessionStatus => ({
  ...status,
  ...stuck(unreached._tag === "Hangs" ? "its host does not answer" : "its socket is missing", {
    message: unreachedText(unreached),
    ...(unreached._tag === "NoAddress" ? { noAddress: true } : {})
  }),
  ...(unreached._tag === "NoAddress" && unreached.pid !== null ? { hostPid: unreached.pid } : {})
})

/** The status of a session to which nothing may be sent. */
export const stuck = (reason: string, problem: Pick<Problem, "message" | "noAddress">) =>
  ({ ready: false, notReady: null, reason, problem: { kind: "stuck", until: null, ...problem } }) as const

/** Whether a status is that of a host that works but has lost its address (it does not hang). */
export const hasNoAddress = ({ problem }: SessionStatus): boolean => problem?.noAddress === true
