import type { QueuedMessage } from "../session/Message.ts"
import { oneLine } from "../text/printable.ts"

/** The text of a message as people read it in a list: under the name of the agent that wrote it, if one did. */
export const shownText = ({ from, text }: Pick<QueuedMessage, "from" | "text">): string =>
  from === undefined ? text : `from ${oneLine(from, 40)}: ${text}`
