/** What of a message says whether its turn failed. */
interface Seen {
  readonly status: string
  readonly outcome?: string | null
}

/** Its turn failed: it was given up, or waits for the next try. */
export const isFailed = ({ outcome, status }: Seen): boolean =>
  status === "failed" || (status !== "removed" && outcome === "failed")

/** Its turn failed, and it waits for nothing: it is there until somebody lets it go again, or takes it out. */
export const isGivenUp = (message: Seen): boolean =>
  isFailed(message) && (message.status === "failed" || message.status === "done")
