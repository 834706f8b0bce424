import type { QueuedMessage } from "./Message.ts"

interface Seen {
  readonly status: string
  readonly outcome?: string | null
}

/** Why its turn failed, as an end of its line; "" if it did not fail. */
export const failedWhy = (message: Pick<QueuedMessage, "outcome" | "status" | "why">): string =>
  isFailed(message) && message.why !== null ? ` (${message.why})` : ""

/** The number of held messages. */
export const heldOf = (queue: ReadonlyArray<Pick<Seen, "status">>): number =>
  queue.filter(({ status }) => status === "held").length

/** The number of messages that go out by themselves, or are being typed. */
export const waitingOf = (queue: ReadonlyArray<Pick<Seen, "status">>): number =>
  queue.filter(({ status }) => status === "queued" || status === "typed").length

/** The count of messages, and the words for one or for several. */
export const messagesWhich = (count: number, one: string, more: string): string =>
  count === 1 ? `1 message ${one}` : `${count} messages ${more}`

/** The CLI's message about a message's failed turn; null if the turn did not fail, or the CLI gave none. */
export const failureOf = ({ cause, outcome }: Pick<QueuedMessage, "cause" | "outcome">): string | null =>
  outcome === "failed" && cause?._tag === "TurnFailed" ? cause.failure : null

/** The message was given up, or its turn failed and it waits for a retry. */
export const isFailed = ({ outcome, status }: Seen): boolean =>
  status === "failed" || (status !== "removed" && outcome === "failed")

/** Its turn failed and will not be retried: the message stays until somebody retries or removes it. */
export const isGivenUp = (message: Seen): boolean =>
  isFailed(message) && (message.status === "failed" || message.status === "done")
