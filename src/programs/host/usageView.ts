import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Facts } from "../../domain/engine/tracker/Facts.ts"
import { percentOf, type Usage, unknownUsage } from "../../domain/cli/usage/Usage.ts"

export interface UsageView {
  readonly usage: Usage
  /** When the transcript's last prompt and last answer were written. */
  readonly promptAt: number | null
  readonly responseAt: number | null
  /** The cost of the last turn so far, in US dollars. */
  readonly turnUsd: number | null
}

export const noUsageView: UsageView = { usage: unknownUsage, promptAt: null, responseAt: null, turnUsd: null }

/** The transcript records a prompt a little later than the hook; beyond this time it is another prompt. */
const slack = 5_000

/** The status fields of usage. The last texts are the hooks' own if those are newer. */
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
