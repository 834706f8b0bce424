import * as fs from "node:fs"
import { saysMissing } from "../../domain/words/reading/Fields.ts"

/** Invisible: a parent directory denies access, or its share is offline. The file may exist. */
export const hidden = undefined

/** Distinguishes a file or directory from a later one of the same name; null: not of the wanted kind. */
export type IdentityOf = (stat: fs.BigIntStats) => string | null

/** The identity at a path, links followed; null: none, or not of the wanted kind. */
export const lookAt = (path: string, identityOf: IdentityOf): string | null | typeof hidden => {
  try {
    return identityOf(fs.statSync(path, { bigint: true }))
  } catch (cause) {
    return saysMissing(cause) ? null : hidden
  }
}

/** Whether a path is missing, links followed; null: it cannot be checked. */
export const isMissing = (path: string): boolean | null => {
  const seen = lookAt(path, () => path)
  return seen === hidden ? null : seen === null
}
