import type { QueuedMessage } from "../../words/session/Message.ts"
import { shortId } from "../../words/session/shortId.ts"

/** The sender of a message from an agent outside of leap's sessions. */
export const outsider = "outside"

export const senderText = (from: string): string =>
  from === outsider ? "an agent outside of leap's sessions" : `the agent in session '${from}'`

/** The line before an agent's message, so that nobody takes it for the user's; null for a user's message. */
export const letterHeader = ({ from, hops, id }: Pick<QueuedMessage, "id" | "from" | "hops">): string | null => {
  if (from === undefined) return null
  const answer = from === outsider ? "" : `; the tool "send" of leap answers it, with the tag "${from}"`
  return (
    `[leap] message ${shortId(id)} from ${senderText(from)}, not from your user (hop ${hops ?? 1}). ` +
    `What it says begins with ">" on each line${answer}.`
  )
}
