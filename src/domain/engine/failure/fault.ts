import type { Problem, ProblemKind } from "../../words/session/Session.ts"

/**
 * Whose fault a failed turn is. `message`: this text is refused, and the next may be answered. `session`: every next
 * message would fail alike, until somebody changes the session. `account`: a limit, credit, a login. `world`: the
 * service, or the way to it. `unknown`: leap does not know, and the human is to look.
 */
export type Fault = "message" | "session" | "account" | "world" | "unknown"

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

/** Whose fault a problem is. */
export const faultOf = ({ kind }: Pick<Problem, "kind">): Fault => faults[kind]
