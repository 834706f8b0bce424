import { because } from "../../words/wording/causeWords.ts"
import { lostWords } from "../../words/wording/lostWords.ts"
import type { MessageCause } from "../../words/session/MessageCause.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { messages, replayLog } from "./QueueFold.ts"
import type { QueueRecord, QueueState } from "./QueueRecord.ts"

/** Held for one of these, it only waits. */
const waits: ReadonlySet<MessageCause["_tag"]> = new Set(["HeldByUser", "LeftOver", "BehindFailure"])

/**
 * What people are to know of a held message before they let it go, as an end of its line: nothing where it only waited.
 * One that may have been sent already would be typed a second time.
 */
export const doubtOf = ({ cause, why }: Pick<QueuedMessage, "cause" | "why">): string =>
  why === null || (cause !== undefined && waits.has(cause._tag)) ? "" : ` (${why})`

/**
 * What a host records before anything else when it starts on a queue that a former host left: nothing of it goes out
 * unasked, and what was under way is said to be in doubt. A message for a moment that is still to come waits for that.
 */
export const holdLeftovers = (state: QueueState, at: number): ReadonlyArray<QueueRecord> =>
  state.entries.flatMap(({ attempting, message }): ReadonlyArray<QueueRecord> => {
    const mark = (status: "held" | "failed", how: keyof typeof lostWords): ReadonlyArray<QueueRecord> => [
      { _tag: "StatusChanged", v: 1, at, id: message.id, status, why: lostWords[how] }
    ]
    if (message.status === "started") return mark("failed", "started")
    if (message.status === "submitted") return mark("held", "submitted")
    if (attempting || message.status === "typed") return mark("held", "typed")
    // what leap itself was about to send was for the conversation that has ended
    if (message.night === true) return [{ _tag: "Removed", v: 1, at, id: message.id }]
    // the user has named the very moment, and it is still to come
    if (message.status === "queued" && message.when?.some((it) => it._tag === "At" && Date.parse(it.at) > at) === true)
      return []
    return message.status === "queued"
      ? [{ _tag: "StatusChanged", v: 1, at, id: message.id, status: "held", ...because({ _tag: "LeftOver" }) }]
      : []
  })

/** What a log without a host tells that waits: as the next host will recover it. */
export const leftQueue = (records: ReadonlyArray<QueueRecord>, at: number): ReadonlyArray<QueuedMessage> => {
  const stored = replayLog(records)
  return messages(replayLog(holdLeftovers(stored, at), stored))
}
