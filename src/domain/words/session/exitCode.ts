/** The exit codes of leap's commands. */
export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  timedOut: 4,
  refused: 5,
  notWired: 6,
  notInstalled: 7,
  /** A turn that was waited for did not complete. */
  incomplete: 8,
  cancelled: 130
} as const
