import type { QueuedMessage } from "../session/Message.ts"
import { oneLine } from "../text/printable.ts"

export const shownText = ({ from, text }: Pick<QueuedMessage, "from" | "text">): string =>
  from === undefined ? text : `from ${oneLine(from, 40)}: ${text}`
