import type { RefusalReason } from "../../words/session/Refusal.ts"

export interface QueueRefusal {
  readonly why: string
  readonly reason: RefusalReason
}
