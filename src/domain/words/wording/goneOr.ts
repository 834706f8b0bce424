/** That something is gone, or with the system's code that nobody can say so: as the end of a sentence about it. */
export const goneOr = (hidden: string | null): string =>
  hidden === null ? "is not there any more" : `cannot be looked at now (${hidden})`
