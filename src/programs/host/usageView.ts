import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Facts } from "../../domain/engine/tracker/Facts.ts"
import { percentOf, type Usage, unknownUsage } from "../../domain/cli/usage/Usage.ts"

/** What a session has used, as it is shown. */
export interface UsageView {
  readonly usage: Usage
  /** When the transcript's last prompt and last answer were written. */
  readonly promptAt: number | null
  readonly responseAt: number | null
  /** What the last turn has cost so far, in US dollars. */
  readonly turnUsd: number | null
}

export const noUsageView: UsageView = { usage: unknownUsage, promptAt: null, responseAt: null, turnUsd: null }

/** The transcript names a prompt a little later than the hook did; what is later than this is another prompt. */
const slack = 5_000

/** What the status says of usage. The last words are the hooks' own where those are the newer ones. */
export const usageFields = (
  { promptAt, responseAt, turnUsd, usage }: UsageView,
  facts: Pick<Facts, "lastPrompt" | "lastResponse" | "turnEndedAt" | "turnStartedAt">
): Pick<SessionStatus, "context" | "cost" | "lastMessage" | "lastResponse"> => {
  const isNewer = (at: number | null, than: number | null): boolean => at !== null && than !== null && at > than
  const { contextTokens, cost, lastPrompt, lastResponse, window } = usage
  return {
    context:
      contextTokens === null ? null : { usedTokens: contextTokens, window, percent: percentOf(contextTokens, window) },
    cost: cost === null || turnUsd === null ? cost : { ...cost, turnUsd },
    lastMessage:
      facts.lastPrompt === null ||
      (lastPrompt !== null && facts.turnStartedAt !== null && isNewer(promptAt, facts.turnStartedAt + slack))
        ? lastPrompt
        : facts.lastPrompt,
    lastResponse:
      facts.lastResponse === null || (lastResponse !== null && isNewer(responseAt, facts.turnEndedAt))
        ? lastResponse
        : facts.lastResponse
  }
}
