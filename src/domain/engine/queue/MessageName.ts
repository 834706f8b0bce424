import type { QueuedMessage } from "../../words/session/Message.ts"
import { shortId } from "../../words/session/shortId.ts"
import { oneLine } from "../../words/text/printable.ts"
import type { QueueRefusal } from "./QueueRefusal.ts"

/** The shortest part of an id that names a message. */
const leastPart = 4

const quoted = ({ images, text }: Pick<QueuedMessage, "text" | "images">): string =>
  `“${oneLine(text === "" ? images.join(" ") : text, 50)}”`

/** A message's name in a sentence: its short id, the agent that wrote it, if one did, and its beginning. */
export const nameOf = (message: Pick<QueuedMessage, "id" | "text" | "images" | "from">): string =>
  `${shortId(message.id)} ${message.from === undefined ? "" : `from ${oneLine(message.from, 40)} `}${quoted(message)}`

export type NamedMessage<M> = { readonly message: M } | { readonly refusal: QueueRefusal }

/**
 * The message that the user's word names: a whole id, or the end or beginning of exactly one id. A position names none,
 * because another message may be there since the user read it.
 */
export const messageNamed = <M extends Pick<QueuedMessage, "id" | "text" | "images">>(
  messages: ReadonlyArray<M>,
  given: string
): NamedMessage<M> => {
  const exact = messages.find(({ id }) => id === given)
  if (exact !== undefined) return { message: exact }
  const part = given.toUpperCase()
  const isPart = (id: string) => id.endsWith(part) || id.startsWith(part)
  const found = part.length < leastPart ? [] : messages.filter(({ id }) => isPart(id.toUpperCase()))
  if (found.length === 1) return { message: found[0]! }
  if (found.length > 1)
    return {
      refusal: {
        reason: "refused",
        why: `'${given}' may be ${found.map(nameOf).join(" or ")}: give more of its id`
      }
    }
  const standing = /^[1-9]\d{0,2}$/.test(given) ? messages[Number(given) - 1] : undefined
  return {
    refusal: {
      reason: "not-found",
      why:
        standing === undefined
          ? `there is no message ${given} in the queue`
          : `${given} is a position, and positions change; the message that stands there now is ${nameOf(standing)}`
    }
  }
}
