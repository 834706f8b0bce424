/** When a source showed work after rest, in order. */
export type WorkBegan = ReadonlyArray<{ readonly seq: number; readonly at: number }>

/** The number of remembered beginnings. */
const most = 16

export const began = (before: WorkBegan, seq: number, at: number): WorkBegan => [...before, { seq, at }].slice(-most)

/** `seq` of the last; 0 for none. */
export const lastOf = (work: WorkBegan): number => work.at(-1)?.seq ?? 0

/** The second after that event, or null. If all remembered ones are later, others may be forgotten: the first then. */
export const secondSince = (work: WorkBegan, seq: number): WorkBegan[number] | null => {
  const since = work.filter((one) => one.seq > seq)
  return since[since.length < most ? 1 : 0] ?? null
}
