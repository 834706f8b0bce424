/** The end of a sentence: the thing is gone, or the system's code says why nobody can know. */
export const goneOr = (hidden: string | null): string =>
  hidden === null ? "is not there any more" : `cannot be looked at now (${hidden})`
