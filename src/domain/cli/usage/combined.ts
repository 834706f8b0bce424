/** Adds counts of these kinds (1), or takes the second from the first (-1). */
export const combined =
  <Kind extends string>(sign: 1 | -1, kinds: ReadonlyArray<Kind>) =>
  (a: Readonly<Record<Kind, number>>, b: Readonly<Record<Kind, number>>): Readonly<Record<Kind, number>> => {
    const counts: Record<Kind, number> = { ...a }
    for (const kind of kinds) counts[kind] += sign * b[kind]
    return counts
  }
