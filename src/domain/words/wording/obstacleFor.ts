import { asks } from "../session/states.ts"
import type { SessionStatus } from "../session/Session.ts"
import { obstacleText } from "./queueListing.ts"

/** What blocks a message, or its turn, until the user acts; null for nothing. `waits`: for a condition of its own. */
export const obstacleFor = (now: SessionStatus, id: string, force: boolean, waits = false): string | null => {
  const isAsked = asks(now.state)
  if (waits && !isAsked && !now.dialog) return null
  const isQueued = now.queue.some((message) => message.id === id && message.status === "queued")
  return isAsked || (isQueued && !force) ? obstacleText(now) : null
}
