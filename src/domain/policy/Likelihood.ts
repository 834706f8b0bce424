/** Whether a rule matches a request; `maybe` where that is not certain. */
export type Likelihood = "yes" | "maybe" | "no"

/** All must match. */
export const all = (some: ReadonlyArray<Likelihood>): Likelihood =>
  some.includes("no") ? "no" : some.includes("maybe") ? "maybe" : "yes"

/** One must match. */
export const any = (some: ReadonlyArray<Likelihood>): Likelihood =>
  some.includes("yes") ? "yes" : some.includes("maybe") ? "maybe" : "no"

export const certain = (is: boolean): Likelihood => (is ? "yes" : "no")
