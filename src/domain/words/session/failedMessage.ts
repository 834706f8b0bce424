import type { QueuedMessage } from "./Message.ts"

interface Seen {
  readonly status: string
  readonly outcome?: string | null
}

/** Why its turn failed, as an end of its line; "" where it did not. */
export const failedWhy = (message: Pick<QueuedMessage, "outcome" | "status" | "why">): string =>
  isFailed(message) && message.why !== null ? ` (${message.why})` : ""

/** How many messages are held. */
export const heldOf = (queue: ReadonlyArray<Pick<Seen, "status">>): number =>
  queue.filter(({ status }) => status === "held").length

/** So many messages, and what is said of one or of several. */
export const messagesWhich = (count: number, one: string, more: string): string =>
  count === 1 ? `1 message ${one}` : `${count} messages ${more}`

/** What the CLI said of a message's turn that failed; null where its turn did not, or the CLI said nothing. */
export const failureOf = ({ cause, outcome }: Pick<QueuedMessage, "cause" | "outcome">): string | null =>
  outcome === "failed" && cause?._tag === "TurnFailed" ? cause.failure : null

/** Its turn failed: it was given up, or waits for the next try. */
export const isFailed = ({ outcome, status }: Seen): boolean =>
  status === "failed" || (status !== "removed" && outcome === "failed")

/** Its turn failed, and it waits for nothing: it stays until somebody retries or removes it. */
export const isGivenUp = (message: Seen): boolean =>
  isFailed(message) && (message.status === "failed" || message.status === "done")
