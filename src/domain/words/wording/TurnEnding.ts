import { causeWords } from "./causeWords.ts"
import type { QueuedMessage, TurnOutcome } from "../session/Message.ts"

/** How a message's turn ended, and why not by its own end; `why` null where it did, or the message starts none. */
export interface TurnEnding {
  readonly outcome: TurnOutcome | null
  readonly why: string | null
}

/**
 * What is added where a turn was cut off and left no words: most CLIs write an answer down only when it is complete, so
 * that what had come of it is on their screens alone. Null where there is nothing to add.
 */
export const unsaid = (outcome: TurnOutcome | null, response: string | null, tag: string): string | null =>
  outcome !== "interrupted" || (response ?? "").trim() !== ""
    ? null
    : `what it had said by then is in no record of the CLI's; 'leap screen ${tag}' shows what is on the screen`

/** The end of a message's turn. `failure`: what the CLI reported of it, perhaps later than its receipt. */
export const turnEnding = (
  { outcome, status, why }: Pick<QueuedMessage, "outcome" | "status" | "why">,
  failure: string | null
): TurnEnding => {
  if (status === "failed") return { outcome: "failed", why: why ?? "no reason known" }
  if (outcome === "interrupted") return { outcome, why: why ?? "its turn was interrupted" }
  // the later report is the one that says why
  if (failure !== null) return { outcome: "failed", why: causeWords({ _tag: "TurnFailed", failure }) }
  return outcome === "failed" ? { outcome, why: why ?? "its turn failed" } : { outcome: outcome ?? null, why: null }
}
