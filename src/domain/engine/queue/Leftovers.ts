import { because } from "../../words/wording/causeWords.ts"
import { lostWords } from "../../words/wording/lostWords.ts"
import type { MessageCause } from "../../words/session/MessageCause.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { messages, replayLog } from "./QueueFold.ts"
import type { QueueRecord, QueueState } from "./QueueRecord.ts"

/** Causes for which a held message only waits. */
const waits: ReadonlySet<MessageCause["_tag"]> = new Set(["HeldByUser", "LeftOver", "BehindFailure"])

/**
 * What people should know about a held message before they release it, as an end of its line; nothing if it only
 * waited. A message that may have been sent already would be typed a second time.
 */
export const doubtOf = ({ cause, why }: Pick<QueuedMessage, "cause" | "why">): string =>
  why === null || (cause !== undefined && waits.has(cause._tag)) ? "" : ` (${why})`

/**
 * The first records of a host that takes over a queue. What may have been typed or sent is held, and a message whose
 * turn ran has failed, since nobody saw the end. Only a message with a future time is sent without the user.
 */
export const holdLeftovers = (state: QueueState, at: number): ReadonlyArray<QueueRecord> =>
  state.entries.flatMap(({ attempting, message }): ReadonlyArray<QueueRecord> => {
    const mark = (status: "held" | "failed", how: keyof typeof lostWords): ReadonlyArray<QueueRecord> => [
      { _tag: "StatusChanged", v: 1, at, id: message.id, status, why: lostWords[how] }
    ]
    if (message.status === "started") return mark("failed", "started")
    if (message.status === "submitted") return mark("held", "submitted")
    if (attempting || message.status === "typed") return mark("held", "typed")
    // leap's own continuation was meant for the conversation that has ended
    if (message.night === true) return [{ _tag: "Removed", v: 1, at, id: message.id }]
    // the user has named a time, and it is still in the future
    if (message.status === "queued" && message.when?.some((it) => it._tag === "At" && Date.parse(it.at) > at) === true)
      return []
    return message.status === "queued"
      ? [{ _tag: "StatusChanged", v: 1, at, id: message.id, status: "held", ...because({ _tag: "LeftOver" }) }]
      : []
  })

/** The messages in a log without a host, those with failed turns included, as the next host will recover them. */
export const leftQueue = (records: ReadonlyArray<QueueRecord>, at: number): ReadonlyArray<QueuedMessage> => {
  const stored = replayLog(records)
  return messages(replayLog(holdLeftovers(stored, at), stored))
}
