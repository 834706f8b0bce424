import type { QueuedMessage } from "../../words/session/Message.ts"
import { shortId } from "../../words/session/shortId.ts"
import { oneLine } from "../../words/text/printable.ts"
import type { QueueRefusal } from "./QueueRefusal.ts"

/** The least part of an id that names a message. */
const leastPart = 4

const quoted = ({ images, text }: Pick<QueuedMessage, "text" | "images">): string =>
  `“${oneLine(text === "" ? images.join(" ") : text, 50)}”`

/** A message as sentences name it: its short id, the agent that wrote it if one did, and its beginning. */
export const nameOf = (message: Pick<QueuedMessage, "id" | "text" | "images" | "from">): string =>
  `${shortId(message.id)} ${message.from === undefined ? "" : `from ${oneLine(message.from, 40)} `}${quoted(message)}`

/** The message that was meant, or why none was. */
export type NamedMessage<M> = { readonly message: M } | { readonly refusal: QueueRefusal }

/**
 * The message that a word of the user's means: its whole id, or an end or a beginning of exactly one. A position is no
 * name: another message may have come to stand there since it was read.
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
