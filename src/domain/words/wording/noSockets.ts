import { keepsNo } from "../reading/lockTrouble.ts"

/** Error codes for a socket in a file system without sockets: network and foreign file systems, a host's shares. */
const refusals: ReadonlySet<string> = new Set(["EOPNOTSUPP", "ENOTSUP", "EPERM", "EACCES", "ENOSYS", "EINVAL", "ENXIO"])

/** The advice for a file system that lacks what leap's own files need. */
export const betterPlace = "set LEAP_HOME (or XDG_STATE_HOME) to a directory on one that does"

/** The advice if a socket cannot be bound, by the system's error code; null if another place would not help. */
export const noSockets = (code: string, directory: string): string | null =>
  refusals.has(code) ? `${keepsNo("sockets", directory)}: ${betterPlace}` : null
