import { Context } from "effect"

/** What a series of figures is now. `buckets`: how many were at most each bound. */
export interface SeriesValue {
  readonly value: number
  readonly sum: number
  readonly least: number
  readonly most: number
  readonly buckets: ReadonlyArray<readonly [bound: number, count: number]>
}

/** A series of figures that this process keeps. */
export interface Series {
  readonly kind: "counter" | "gauge" | "histogram"
  readonly name: string
  readonly unit: string
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
  readonly read: () => SeriesValue
}

/**
 * Who is told of figures: nobody, unless the user's settings name a collector (`telemetry`). Gives what takes the
 * series away again.
 */
export const Telemetry = Context.Reference<{ readonly show: (series: Series) => () => void }>(
  "leap/services/Telemetry",
  { defaultValue: () => ({ show: () => () => {} }) }
)
