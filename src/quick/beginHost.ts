import * as fs from "node:fs"
import { placesIn } from "../layers/files/places.ts"
import { beginOwnHost } from "../layers/system/hostProcess.ts"
import { isTag } from "./common.ts"

/**
 * Begins the host of the session that this command line starts, as far as its first word tells: a session is named that
 * does not run. What the host needs is loaded while the whole program finds out what to run.
 */
export const beginHost = ([name = ""]: ReadonlyArray<string>): void => {
  if (isTag(name) && !fs.existsSync(placesIn(process.env).session(name).socket)) beginOwnHost()
}
