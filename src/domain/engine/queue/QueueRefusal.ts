import type { RefusalReason } from "../../words/session/Refusal.ts"

/** Why an operation was refused. */
export interface QueueRefusal {
  readonly why: string
  readonly reason: RefusalReason
}
