/** How often the server speaks to a page, whether or not there is news: what carries a connection may stop unsaid. */
export const pongEvery = 15_000
/** A page that has heard nothing for so long asks. */
const quietMost = pongEvery + 2_000
/** A page whose call has waited so long, while it heard nothing, asks too. */
const answerDue = 3_000
/** An answer to a ping that is late by so much makes what the page shows doubtful. */
const pongDue = 1_500
/** Without an answer to a ping for so long the connection is lost. */
const pongPatience = 5_000
/** A call without an answer for so long is told to its user. */
export const answerPatience = 10_000
/** How long a connection may take to be made. */
export const openPatience = 5_000

/** What a page knows of its connection. Times are milliseconds of one clock that never goes back. */
export interface Liveness {
  /** When the server last said anything. */
  readonly heard: number
  /** When the page asked whether the server is there, and has heard nothing since. */
  readonly pinged: number | null
  /** Since when the oldest call waits for its answer. */
  readonly asked: number | null
}

/** `ping`: the page asks now; `quiet`: what it shows may be old; `lost`: the connection is given up. */
export type Verdict = "alive" | "ping" | "quiet" | "lost"

/** What a page makes of its connection's silence. */
export const verdictOf = ({ asked, heard, pinged }: Liveness, now: number): Verdict => {
  if (pinged !== null) {
    const waited = now - pinged
    return waited >= pongPatience ? "lost" : waited >= pongDue ? "quiet" : "alive"
  }
  const isOverdue = asked !== null && now - Math.max(asked, heard) >= answerDue
  return isOverdue || now - heard >= quietMost ? "ping" : "alive"
}
