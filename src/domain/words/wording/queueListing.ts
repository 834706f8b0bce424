import { currentLine } from "../attention/needWords.ts"
import { asks } from "../session/states.ts"
import type { QueuedMessage } from "../session/Message.ts"
import type { SessionStatus } from "../session/Session.ts"
import { oneLine } from "../text/printable.ts"
import { blockedText, messageLine, pauseHint, waitsForUser } from "./StateLine.ts"

/** The number of receipts at the end of the list for people; `--json` prints all stored ones. */
const recentLimit = 5

/** Waiting messages, then the last receipts; `whole` allows the full length of a line for each text. */
export const queueListing = (
  queue: ReadonlyArray<QueuedMessage>,
  recent: ReadonlyArray<QueuedMessage>,
  whole: boolean
): string => [...queue, ...recent.slice(-recentLimit)].map((message) => messageLine(message, whole)).join("\n")

/** The note on a new message that goes before older held ones; `held` counts them. */
export const goesFirst = (tag: string, held: string): string =>
  `${held} from before, and this one goes first ('leap queue ${tag}', 'leap queue release ${tag}')`

export const pauseNote = (status: Pick<SessionStatus, "pause" | "tag">): string | null =>
  status.pause == null ? null : `the queue waits: ${status.pause.text} ${pauseHint(status)}`

/** The note on a new message that is held because the queue waits for the user, or null. */
export const heldNote = (status: SessionStatus): string | null =>
  waitsForUser(status) ? `held; ${status.pause?.text} ${pauseHint(status)}` : null

/** The reason, apart from the turn's end, why a newly queued message waits, or null. */
export const obstacleText = (status: SessionStatus): string | null =>
  asks(status.state)
    ? `waits: '${status.tag}' asks ${oneLine(currentLine(status) ?? "something", 80)} ` +
      `('leap answer ${status.tag} <number or text>')`
    : status.state === "interrupted" || status.dialog
      ? blockedText(status)
      : status.pause
        ? `waits: ${status.pause.text}`
        : null
