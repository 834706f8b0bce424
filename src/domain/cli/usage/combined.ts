/** Adds counts of these kinds (1), or takes the second from the first (-1). */
export const combined = <Kind extends string>(sign: 1 | -1, kinds: ReadonlyArray<Kind>) => {
  type Counts = Readonly<Record<Kind, number>>
  return (a: Counts, b: Counts) =>
    Object.fromEntries(kinds.map((kind) => [kind, a[kind] + sign * b[kind]])) as unknown as Counts
}
