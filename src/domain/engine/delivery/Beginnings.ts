/** When a source showed work behind rest, in order. `rest`: for how long it had shown nothing but rest until then. */
export type WorkBegan = ReadonlyArray<{ readonly seq: number; readonly at: number; readonly rest: number }>

/** Beginnings remembered. */
const most = 16

export const began = (before: WorkBegan, seq: number, at: number, restSince: number | null): WorkBegan =>
  [...before, { seq, at, rest: at - (restSince ?? at) }].slice(-most)

/** The event of the last; 0 for none. */
export const lastOf = (work: WorkBegan): number => work.at(-1)?.seq ?? 0

/**
 * The second since that event, or a later one, behind so much rest; null for none. Of more than are remembered, the
 * first that is.
 */
export const secondSince = (work: WorkBegan, seq: number, rest = 0): WorkBegan[number] | null => {
  const since = work.filter((one) => one.seq > seq)
  return since.slice(since.length < most ? 1 : 0).find((one) => one.rest >= rest) ?? null
}
