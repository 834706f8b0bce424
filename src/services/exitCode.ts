/** The codes that leap's commands end with. */
export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  timedOut: 4,
  refused: 5,
  notWired: 6,
  notInstalled: 7,
  /** What was asked for did not come to its end: a turn that was waited for. */
  incomplete: 8,
  cancelled: 130
} as const
