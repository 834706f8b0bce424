import { Context } from "effect"
import { countByBytes, type CountTokens } from "../domain/cli/agents/tokens.ts"

/**
 * Counts tokens where a provider does not: for what a headless turn used, for the limits that end one, and for the
 * turns of a conversation. A token for each 4 bytes of UTF-8, unless a program that embeds leap has a counter of its
 * own. A text that is still being written is counted piece by piece.
 */
export const TokenCounter = Context.Reference<{ readonly count: CountTokens }>("leap/services/TokenCounter", {
  defaultValue: () => ({ count: countByBytes })
})
