import { Context, type Effect } from "effect"
import type { PriceTable } from "../domain/usage/Prices.ts"

/** The prices that count now, and what in the user's file does not. */
export interface PricesRead {
  readonly table: PriceTable
  /** When the prices that leap ships were looked up (ISO date). */
  readonly shipped: string | null
  /** The user's own file; null where the settings name none. */
  readonly file: string | null
  /** Why that file does not count, in one line for the user. */
  readonly warning: string | null
}

/** What tokens cost: the prices that leap ships, and before them those of a file that the settings name. */
export class Prices extends Context.Service<Prices, {
  /** Reads the user's file again only when it has changed. Never fails: without it leap's own prices count. */
  readonly read: Effect.Effect<PricesRead>
}>()("leap/services/Prices") {}
