import type { SessionState, SessionStatus } from "../session/Session.ts"

const words: Readonly<Record<SessionState, string>> = {
  starting: "starting",
  idle: "idle",
  running: "running",
  needs_permission: "needs you",
  needs_input: "needs you",
  interrupted: "interrupted",
  churning: "background work",
  exited: "ended"
}

/** A session in the title of a terminal: `my-feature: needs you`. */
export const sessionTitle = ({ problem, state, tag }: Pick<SessionStatus, "problem" | "state" | "tag">): string =>
  `${tag}: ${problem?.kind === "rate_limited" && state === "idle" ? "limit reached" : words[state]}`
