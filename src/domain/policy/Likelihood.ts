/** Whether a rule matches a request; `maybe` where that is not certain. */
export type Likelihood = "yes" | "maybe" | "no"

/** All must match. */
export const all = (some: ReadonlyArray<Likelihood>): Likelihood =>
  some.includes("no") ? "no" : some.includes("maybe") ? "maybe" : "yes"

/** One must match. */
export const any = (some: ReadonlyArray<Likelihood>): Likelihood =>
  some.includes("yes") ? "yes" : some.includes("maybe") ? "maybe" : "no"

/** One of them must match; the first that does for certain ends the search. */
export const anyOf = <A>(some: Iterable<A>, likelihood: (one: A) => Likelihood): Likelihood => {
  let found: Likelihood = "no"
  for (const one of some) {
    const its = likelihood(one)
    if (its === "yes") return its
    if (its === "maybe") found = its
  }
  return found
}

export const certain = (is: boolean): Likelihood => (is ? "yes" : "no")
