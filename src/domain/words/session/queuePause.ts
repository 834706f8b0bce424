import type { SessionStatus } from "./Session.ts"

/** The queue waits because of a budget, or of rules that nothing enforces: no turn failed. */
export const isHeldByGuard = (pause: SessionStatus["pause"]): boolean =>
  pause?.kind === "budget" || pause?.kind === "unwired"

/** How the user ends a wait of the queue: by a retry of what failed, or only by a release; null for not at all. */
export type PauseEnd = "retry" | "release" | null

/** How the user ends the wait of a session's queue; null too if it does not wait. */
export const pauseEnd = ({ pause }: Pick<SessionStatus, "pause">): PauseEnd => {
  if (pause == null) return null
  if (!isHeldByGuard(pause)) return pause.until === null ? "retry" : "release"
  // while the first event of a hook is due, the user's word would have no effect yet
  return pause.kind === "budget" || pause.until === null ? "release" : null
}
