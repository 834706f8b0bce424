import type { QueuedMessage } from "./Message.ts"

/** What of a message says whether its turn failed. */
interface Seen {
  readonly status: string
  readonly outcome?: string | null
}

/** What the CLI said of a message's turn that failed; null where its turn did not, or the CLI said nothing. */
export const failureOf = ({ cause, outcome }: Pick<QueuedMessage, "cause" | "outcome">): string | null =>
  outcome === "failed" && cause?._tag === "TurnFailed" ? cause.failure : null

/** Its turn failed: it was given up, or waits for the next try. */
export const isFailed = ({ outcome, status }: Seen): boolean =>
  status === "failed" || (status !== "removed" && outcome === "failed")

/** Its turn failed, and it waits for nothing: it is there until somebody lets it go again, or takes it out. */
export const isGivenUp = (message: Seen): boolean =>
  isFailed(message) && (message.status === "failed" || message.status === "done")
