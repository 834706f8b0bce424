export const hostTrouble =
  "the session's host does not answer, or ended while it was asked: 'leap status' tells, " +
  "'leap stop <tag> --force' ends it"
