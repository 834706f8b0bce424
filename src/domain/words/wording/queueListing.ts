import { asks } from "../session/states.ts"
import type { QueuedMessage } from "../session/Message.ts"
import type { SessionStatus } from "../session/Session.ts"
import { oneLine } from "../text/printable.ts"
import { blockedText, messageLine, pauseHint, waitsForWord } from "./StateLine.ts"

/** How many receipts the list for people ends with; --json has all that are kept. */
const recentLimit = 5

/** What waits, then the last receipts; with `whole` as much of each text as a line may have. */
export const queueListing = (
  queue: ReadonlyArray<QueuedMessage>,
  recent: ReadonlyArray<QueuedMessage>,
  whole: boolean
): string => [...queue, ...recent.slice(-recentLimit)].map((message) => messageLine(message, whole)).join("\n")

/** What to say of a new message that goes before those that are held, which were sent before it; `held` counts them. */
export const goesFirst = (tag: string, held: string): string =>
  `${held} from before, and this one goes first ('leap queue ${tag}', 'leap queue release ${tag}')`

/** Why nothing of the queue goes out, as a note under it; null where it does. */
export const pauseNote = (status: Pick<SessionStatus, "pause" | "tag">): string | null =>
  status.pause == null ? null : `the queue waits: ${status.pause.text} ${pauseHint(status)}`

/** What to say of a new message that is held at once, because the queue waits for the user's word; null: it is not. */
export const heldNote = (status: SessionStatus): string | null =>
  waitsForWord(status) ? `held; ${status.pause?.text} ${pauseHint(status)}` : null

/** What a message that was queued now waits for, beside the turn's end; null for nothing. */
export const obstacleText = (status: SessionStatus): string | null =>
  asks(status.state)
    ? `waits: '${status.tag}' asks ${oneLine(status.message ?? "something", 80)} ` +
      `('leap answer ${status.tag} <number or text>')`
    : status.state === "interrupted" || status.dialog
      ? blockedText(status)
      : status.pause
        ? `waits: ${status.pause.text}`
        : null
