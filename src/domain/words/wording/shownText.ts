import type { QueuedMessage } from "../session/Message.ts"
import { oneLine } from "../text/printable.ts"

/** A message's text in a list, after the name of the agent that wrote it, if one did. */
export const shownText = ({ from, text }: Pick<QueuedMessage, "from" | "text">): string =>
  from === undefined ? text : `from ${oneLine(from, 40)}: ${text}`
