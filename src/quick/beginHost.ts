import * as fs from "node:fs"
import { placesIn } from "../layers/files/leapPaths.ts"
import { beginOwnHost } from "../layers/system/hostProcess.ts"
import { isTag } from "./common.ts"

/**
 * Starts the host of the session that this command line probably starts: its first word names a session that is not
 * running. The host loads its modules while the whole program works out the start.
 */
export const beginHost = ([name = ""]: ReadonlyArray<string>): void => {
  if (isTag(name) && !fs.existsSync(placesIn(process.env).session(name).socket)) beginOwnHost()
}
