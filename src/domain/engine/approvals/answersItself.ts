import type { ApprovalsMemory } from "./Approvals.ts"
import { drawingTime } from "./PendingPermissions.ts"

/** Whether leap answers the CLI's question, or has not decided yet. `since`: the dialog's first appearance. */
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
