import type { ApprovalsMemory } from "./Approvals.ts"
import { drawingTime } from "./PendingPermissions.ts"

/**
 * Whether leap answers what the CLI asks, or has yet to decide. `since`: since when the dialog has been on screen;
 * `now`: milliseconds since the epoch.
 */
export const answersItself = (
  { considerAt, pending, pressed, settled }: ApprovalsMemory,
  since: number | null,
  now: number
): boolean =>
  pressed !== null ||
  considerAt !== null ||
  (since !== null && settled.since === since && settled.leftReason === null) ||
  pending.list.some(({ reply }) =>
    reply._tag === "Closed" ? reply.how === "answered" && now - reply.at < drawingTime : true
  )
