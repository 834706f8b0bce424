/**
 * When a turn may have begun by one sign, in order: work that a source showed behind rest, Enter that was pressed.
 * `rest`: for how long the source had shown nothing but rest until then.
 */
export type Beginnings = ReadonlyArray<{ readonly seq: number; readonly at: number; readonly rest: number }>

/** Beginnings remembered. */
const most = 16

export const began = (before: Beginnings, seq: number, at: number, restSince: number | null): Beginnings =>
  [...before, { seq, at, rest: at - (restSince ?? at) }].slice(-most)

/** The event of the last; 0 for none. */
export const lastOf = (work: Beginnings): number => work.at(-1)?.seq ?? 0

/**
 * The second since that event, or a later one, behind so much rest; null for none. Of more than are remembered, the
 * first that is.
 */
export const secondSince = (work: Beginnings, seq: number, rest = 0): Beginnings[number] | null => {
  const since = work.filter((one) => one.seq > seq)
  return since.slice(since.length < most ? 1 : 0).find((one) => one.rest >= rest) ?? null
}
