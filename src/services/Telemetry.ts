import { Context } from "effect"

/** The current value of a series. `buckets`: the count at most each bound. */
export interface SeriesValue {
  readonly value: number
  readonly sum: number
  readonly least: number
  readonly most: number
  readonly buckets: ReadonlyArray<readonly [bound: number, count: number]>
}

/** A metric that this process keeps. */
export interface Series {
  readonly kind: "counter" | "gauge" | "histogram"
  readonly name: string
  readonly unit: string
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly read: () => SeriesValue
}

/** Exports metrics if the user's settings name a collector. Returns a function that removes the series. */
export const Telemetry = Context.Reference<{ readonly show: (series: Series) => () => void }>(
  "leap/services/Telemetry",
  { defaultValue: () => ({ show: () => () => {} }) }
)
