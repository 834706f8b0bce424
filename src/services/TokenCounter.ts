import { Context } from "effect"
import { countByBytes, type CountTokens } from "../domain/cli/headless/tokens.ts"

/**
 * Counts tokens if a provider does not: for the usage of a headless turn, for its limits, and for the turns of a
 * conversation. By default one token for each 4 bytes of UTF-8; an embedding program may replace it. A text that is
 * still being written is counted in pieces.
 */
export const TokenCounter = Context.Reference<{ readonly count: CountTokens }>("leap/services/TokenCounter", {
  defaultValue: () => ({ count: countByBytes })
})
