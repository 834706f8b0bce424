/** Moments of a session that its changes can be compared with. No commit can have such a name. */
export const moments = {
  ":turn": "the beginning of its last turn",
  ":start": "the session's start"
} as const
export type Moment = keyof typeof moments

export const isMoment = (against: string | null): against is Moment =>
  against !== null && Object.hasOwn(moments, against)

/** What surfaces offer to compare with, in their order; null: the base. */
export const comparisons: ReadonlyArray<{ readonly against: Moment | null; readonly name: string }> = [
  { against: null, name: "base" },
  { against: ":turn", name: "last turn" },
  { against: ":start", name: "session start" }
]

/** The one after it, and the first one after the last. */
export const nextComparison = (against: string | null) =>
  comparisons[(comparisons.findIndex((one) => one.against === against) + 1) % comparisons.length]!
