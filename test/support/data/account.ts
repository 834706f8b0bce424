import prices from "../../../src/domain/cli/usage/prices.json" with { type: "json" }
import { type PriceTable, readPrices } from "../../../src/domain/cli/usage/Prices.ts"
import type { Usage } from "../../../src/domain/cli/usage/Usage.ts"
import type { UsageReader } from "../../../src/domain/cli/usage/UsageReader.ts"
import * as UsageState from "../../../src/domain/cli/usage/UsageState.ts"
import { usageOf } from "../../../src/domain/cli/usage/usageOf.ts"

/** The prices that leap ships. */
export const shipped: PriceTable = readPrices(prices, "leap")

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
export const account = (
  reader: UsageReader,
  { aside = null, hooks = [], prices = shipped, records = [], whole = true }: Account
): Usage =>
  usageOf(reader, { reported: told(reader, hooks), transcript: written(reader, records), whole }, prices, aside)
