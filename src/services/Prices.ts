import { Context, type Effect } from "effect"
import type { PriceTable } from "../domain/cli/usage/Prices.ts"

/** The prices in force, and the warning if the user's file is not used. */
export interface LoadedPrices {
  readonly table: PriceTable
  /** The date of the prices that leap ships (ISO). */
  readonly shipped: string | null
  /** The user's own file; null if the settings name none. */
  readonly file: string | null
  /** Why that file is not used, in one line for the user. */
  readonly warning: string | null
}

/** What tokens cost: the prices of a file that the settings name, and below them those that leap ships. */
export class Prices extends Context.Service<
  Prices,
  {
    /** Reads the user's file only after changes. Never fails: without that file the shipped prices are used. */
    readonly read: Effect.Effect<LoadedPrices>
  }
>()("leap/services/Prices") {}
