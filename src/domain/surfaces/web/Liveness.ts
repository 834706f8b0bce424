/** Milliseconds between two `Pong`s, even if there is news: a connection may end without a sign. */
export const pongEvery = 15_000
/** A page that has heard nothing for this long sends a `Ping`. */
const quietMost = pongEvery + 2_000
/** A page whose call has waited this long, while it heard nothing, also sends a `Ping`. */
const answerDue = 3_000
/** If the answer to a `Ping` is this late, what the page shows is doubtful. */
const pongDue = 1_500
/** Without an answer to a `Ping` for this long the connection is lost. */
const pongTimeout = 5_000
/** A call without an answer for this long is reported to its user. */
export const answerTimeout = 10_000
/** How long a connection may take to open. */
export const openTimeout = 5_000

/** What a page knows of its connection. Times are milliseconds of a monotonic clock. */
export interface Liveness {
  readonly heard: number
  /** When the page sent a `Ping`, if it has heard nothing since. */
  readonly pinged: number | null
  /** Since when the oldest call waits for its answer. */
  readonly asked: number | null
}

/** `ping`: send a `Ping` now; `quiet`: what the page shows may be old; `lost`: give up the connection. */
export type Verdict = "alive" | "ping" | "quiet" | "lost"

export const verdictOf = ({ asked, heard, pinged }: Liveness, now: number): Verdict => {
  if (pinged !== null) {
    const waited = now - pinged
    return waited >= pongTimeout ? "lost" : waited >= pongDue ? "quiet" : "alive"
  }
  const isOverdue = asked !== null && now - Math.max(asked, heard) >= answerDue
  return isOverdue || now - heard >= quietMost ? "ping" : "alive"
}
