/** Whether a rule matches a request; `maybe` where that is not certain. */
export type Likelihood = "yes" | "maybe" | "no"

/** The first one that is `end` ends the search. */
const until =
  (end: Likelihood, otherwise: Likelihood) =>
  <A>(some: Iterable<A>, likelihood: (one: A) => Likelihood): Likelihood => {
    let found = otherwise
    for (const one of some) {
      const its = likelihood(one)
      if (its === end) return its
      if (its === "maybe") found = its
    }
    return found
  }

/** All must match. */
export const allOf = until("no", "yes")
export const all = (some: ReadonlyArray<Likelihood>): Likelihood => allOf(some, (one) => one)

/** One must match. */
export const anyOf = until("yes", "no")
export const any = (some: ReadonlyArray<Likelihood>): Likelihood => anyOf(some, (one) => one)

export const certain = (is: boolean): Likelihood => (is ? "yes" : "no")
