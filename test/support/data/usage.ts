import { jsonOf } from "../../../src/domain/words/formats/Json.ts"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { claudeUsage } from "../../../src/domain/providers/claude/Usage.ts"
import { codexUsage } from "../../../src/domain/providers/codex/Usage.ts"
import { copilotUsage } from "../../../src/domain/providers/copilot/Usage.ts"
import { cursorAgentUsage } from "../../../src/domain/providers/cursor-agent/Usage.ts"
import { geminiUsage } from "../../../src/domain/providers/gemini/Usage.ts"
import { opencodeUsage } from "../../../src/domain/providers/opencode/Usage.ts"
import { type PriceTable, readPrices } from "../../../src/domain/cli/usage/Prices.ts"
import { noUsage } from "../../../src/domain/cli/usage/UsageReader.ts"

export const readers = {
  claude: claudeUsage,
  codex: codexUsage,
  gemini: geminiUsage,
  copilot: copilotUsage,
  "cursor-agent": cursorAgentUsage,
  opencode: opencodeUsage,
  none: noUsage
} as const

/** What a real CLI left behind. */
export const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, "../../fixtures/usage", name), "utf8")

/** The records of such a file. */
export const records = (name: string): ReadonlyArray<unknown> =>
  fixture(name)
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [jsonOf(line)]))

/** Round prices: a dollar for a thousand tokens of each class, and parts of it. */
export const simple: PriceTable = readPrices(
  {
    plain: {
      input_cost_per_token: 0.001,
      output_cost_per_token: 0.01,
      cache_read_input_token_cost: 0.0001,
      cache_creation_input_token_cost: 0.002,
      cache_creation_input_token_cost_above_1hr: 0.004,
      output_cost_per_reasoning_token: 0.02,
      max_input_tokens: 100_000
    },
    tiered: {
      input_cost_per_token: 0.001,
      output_cost_per_token: 0.01,
      input_cost_per_token_above_200k_tokens: 0.002,
      input_cost_per_token_above_272k_tokens: 0.003,
      output_cost_per_token_above_200k_tokens: 0.02
    }
  },
  "leap"
)
