import known from "../../counterexamples.json" with { type: "json" }

/** A law that failed once, and the data on which it did. */
export interface Counterexample {
  readonly file: string
  /** The test's name with those of its suites, as ` > ` joins them. */
  readonly test: string
  /** What its property drew from: LEAP_SEED of that run. */
  readonly seed: number | string
  /** What is wrong still; left out where it was mended, so that the law holds on these data too. */
  readonly open?: string
}

export const counterexamples: ReadonlyArray<Counterexample> = known
