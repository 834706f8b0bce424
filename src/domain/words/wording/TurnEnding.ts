import { causeWords } from "./causeWords.ts"
import type { QueuedMessage, TurnOutcome } from "../session/Message.ts"

/** How a message's turn ended. `why` is null if it completed or if the message starts no turn. */
export interface TurnEnding {
  readonly outcome: TurnOutcome | null
  readonly why: string | null
}

/** Most CLIs record only complete answers: the text of a cut-off turn is only on the screen. Null: nothing to add. */
export const lostTextNote = (outcome: TurnOutcome | null, response: string | null, tag: string): string | null =>
  outcome !== "interrupted" || (response ?? "").trim() !== ""
    ? null
    : `what it had said by then is in no record of the CLI's; 'leap screen ${tag}' shows what is on the screen`

/** The end of a message's turn. `failure`: the CLI's report of it, which may be later than the receipt. */
export const turnEnding = (
  { outcome, status, why }: Pick<QueuedMessage, "outcome" | "status" | "why">,
  failure: string | null
): TurnEnding => {
  if (status === "failed") return { outcome: "failed", why: why ?? "no reason known" }
  if (outcome === "interrupted") return { outcome, why: why ?? "its turn was interrupted" }
  // The later report is the one that says why.
  if (failure !== null) return { outcome: "failed", why: causeWords({ _tag: "TurnFailed", failure }) }
  return outcome === "failed" ? { outcome, why: why ?? "its turn failed" } : { outcome: outcome ?? null, why: null }
}
