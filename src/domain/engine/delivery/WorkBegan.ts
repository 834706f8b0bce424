/** When a source showed work behind rest, in order. */
export type WorkBegan = ReadonlyArray<{ readonly seq: number; readonly at: number }>

/** Beginnings remembered. */
const most = 16

export const began = (before: WorkBegan, seq: number, at: number): WorkBegan => [...before, { seq, at }].slice(-most)

/** The event of the last; 0 for none. */
export const lastOf = (work: WorkBegan): number => work.at(-1)?.seq ?? 0

/** The second since that event, or null: of more than are remembered, the first that is. */
export const secondSince = (work: WorkBegan, seq: number): WorkBegan[number] | null => {
  const since = work.filter((one) => one.seq > seq)
  return since[since.length < most ? 1 : 0] ?? null
}
