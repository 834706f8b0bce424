import { keepsNo } from "../reading/lockTrouble.ts"

/** How systems refuse a socket in a file system that keeps none: network and foreign ones, and shares of a host. */
const refusals: ReadonlySet<string> = new Set(["EOPNOTSUPP", "ENOTSUP", "EPERM", "EACCES", "ENOSYS", "EINVAL", "ENXIO"])

/** What to set where a file system cannot do what leap's own files need. */
export const betterPlace = "set LEAP_HOME (or XDG_STATE_HOME) to a directory on one that does"

/**
 * What to set where a session's socket cannot be bound, by the system's error code; null where another place would not
 * help.
 */
export const noSockets = (code: string, directory: string): string | null =>
  refusals.has(code) ? `${keepsNo("sockets", directory)}: ${betterPlace}` : null
