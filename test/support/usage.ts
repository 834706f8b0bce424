import { readFileSync } from "node:fs"
import { join } from "node:path"
import { claudeUsage } from "../../src/domain/claude/ClaudeUsage.ts"
import { codexUsage } from "../../src/domain/codex/CodexUsage.ts"
import { copilotUsage } from "../../src/domain/copilot/CopilotUsage.ts"
import { cursorUsage } from "../../src/domain/cursor/CursorUsage.ts"
import { geminiUsage } from "../../src/domain/gemini/GeminiUsage.ts"
import { opencodeUsage } from "../../src/domain/opencode/OpenCodeUsage.ts"
import { jsonOf } from "../../src/domain/usage/InputHistory.ts"
import { type PriceTable, readPrices } from "../../src/domain/usage/Prices.ts"
import { noUsage, type UsageReader } from "../../src/domain/usage/UsageReader.ts"
import type { Usage } from "../../src/domain/usage/Usage.ts"
import * as UsageState from "../../src/domain/usage/UsageState.ts"

export const readers = { claude: claudeUsage, codex: codexUsage, gemini: geminiUsage, copilot: copilotUsage, cursor: cursorUsage, opencode: opencodeUsage, none: noUsage } as const

/** What a real CLI left behind. */
export const fixture = (name: string): string => readFileSync(join(import.meta.dirname, "../fixtures/usage", name), "utf8")

/** The records of such a file. */
export const records = (name: string): ReadonlyArray<unknown> => fixture(name).split("\n").flatMap((line) => line === "" ? [] : [jsonOf(line)])

/** The prices that leap ships. */
export const shipped: PriceTable = readPrices(
  jsonOf(readFileSync(join(import.meta.dirname, "../../src/domain/usage/prices.json"), "utf8")), "leap"
)

export interface Account {
  /** Hooks in order, each an event and its payload. */
  readonly hooks?: ReadonlyArray<readonly [event: string, payload: unknown]>
  readonly records?: ReadonlyArray<unknown>
  readonly prices?: PriceTable
  readonly aside?: unknown
  /** The transcript was read from its beginning. */
  readonly whole?: boolean
}

export const written = (reader: UsageReader, records: ReadonlyArray<unknown>): UsageState.UsageState =>
  records.flatMap((record) => reader.record(record)).reduce(UsageState.fold, UsageState.start)

export const told = (reader: UsageReader, hooks: ReadonlyArray<readonly [string, unknown]>): UsageState.UsageState =>
  hooks.flatMap(([event, payload]) => reader.hook(event, payload)).reduce(UsageState.fold, UsageState.start)

/** What is known of a session of which this was told. */
export const account = (reader: UsageReader, { aside = null, hooks = [], prices = shipped, records = [], whole = true }: Account): Usage =>
  UsageState.usageOf(reader, { told: told(reader, hooks), written: written(reader, records), whole }, prices, aside)

/** Round prices: a dollar for a thousand tokens of each class, and parts of it. */
export const simple: PriceTable = readPrices({
  plain: {
    input_cost_per_token: 0.001, output_cost_per_token: 0.01, cache_read_input_token_cost: 0.0001, cache_creation_input_token_cost: 0.002,
    cache_creation_input_token_cost_above_1hr: 0.004, output_cost_per_reasoning_token: 0.02, max_input_tokens: 100_000
  },
  tiered: {
    input_cost_per_token: 0.001, output_cost_per_token: 0.01,
    input_cost_per_token_above_200k_tokens: 0.002, input_cost_per_token_above_272k_tokens: 0.003, output_cost_per_token_above_200k_tokens: 0.02
  }
}, "leap")
