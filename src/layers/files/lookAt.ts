import * as fs from "node:fs"
import { errorCodeOf } from "../../domain/words/reading/Fields.ts"

/** Not to be seen: a directory above allows no look at it, or its share is away. Of what is there it says nothing. */
export const hidden = undefined

/** What has a name now, told from all others that had it or will have it; null where nothing has it. */
export type Look = string | null | typeof hidden

/** What has this name: with its birth, since inode numbers alone are used again at once. A link is followed. */
export const lookAt = (path: string, isMeant: (stat: fs.BigIntStats) => boolean = () => true): Look => {
  try {
    const stat = fs.statSync(path, { bigint: true })
    return isMeant(stat) ? `${stat.dev}:${stat.ino}:${stat.birthtimeNs}` : null
  } catch (cause) {
    return /^ENO(?:ENT|TDIR)$/.test(errorCodeOf(cause)) ? null : hidden
  }
}
