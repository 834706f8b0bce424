import * as fs from "node:fs"
import { saysMissing } from "../../domain/words/reading/Fields.ts"

/** Not to be seen: a directory above allows no look at it, or its share is away. Of what is there it says nothing. */
export const hidden = undefined

/** What tells a file or directory from others that have its name at another time; null for what is not meant. */
export type IdentityOf = (stat: fs.BigIntStats) => string | null

/** What has a name now, a link followed; null where nothing has it, or nothing that is meant. */
export const lookAt = (path: string, identityOf: IdentityOf): string | null | typeof hidden => {
  try {
    return identityOf(fs.statSync(path, { bigint: true }))
  } catch (cause) {
    return saysMissing(cause) ? null : hidden
  }
}

/** Whether nothing has this name, a link followed; null where it cannot be looked at. */
export const isMissing = (path: string): boolean | null => {
  const seen = lookAt(path, () => path)
  return seen === hidden ? null : seen === null
}
