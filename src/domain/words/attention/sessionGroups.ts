import type { SessionState } from "../session/Session.ts"
import { runs } from "../session/states.ts"

/** The groups of a list of sessions, the most urgent first. */
export const sessionGroups = ["needs you", "working", "background work", "at rest", "ended"] as const
export type SessionGroup = (typeof sessionGroups)[number]

/** The group of a session; `needsUser`: it has a need that was not dismissed. */
export const groupOf = (needsUser: boolean, state: SessionState): SessionGroup => {
  if (needsUser) return "needs you"
  if (!runs({ state })) return "ended"
  switch (state) {
    case "running":
    case "starting":
      return "working"
    case "churning":
      return "background work"
    default:
      return "at rest"
  }
}

/** The number of a group's sessions: `1 needs you`, `2 need you`, `3 at rest`. */
export const groupCount = (group: SessionGroup, count: number): string =>
  `${count} ${group === "needs you" && count > 1 ? "need you" : group}`
