import { parentOf } from "../../words/text/paths.ts"
import { isSafeName } from "./safeName.ts"

/** The path of an entry of a tree; the tree itself has the empty relative path. */
export const join = (root: string, relative: string): string => (relative === "" ? root : `${root}/${relative}`)

/** The key that names a session's lock and journal. A safe name has no dot, so no two sessions share a key. */
export const keyOf = (session: { readonly cli: string; readonly sessionId: string }): string =>
  `${session.cli}.${session.sessionId}`

const journalEnding = ".journal"

export const journalPath = (directory: string, key: string): string => `${directory}/${key}${journalEnding}`

/** The file whose lock the mover of a session holds. */
export const lockPath = (directory: string, key: string): string => `${directory}/${key}.lock`

export const keyOfJournal = (name: string): string | null => {
  const key = name.endsWith(journalEnding) ? name.slice(0, -journalEnding.length) : null
  return key !== null && key.split(".").length === 2 && key.split(".").every(isSafeName) ? key : null
}

/**
 * Where the `n`th piece is assembled: beside its destination, so that a rename gets it there. The random id of the move
 * makes the name unique. The leading dot and the ending keep CLIs from taking it for a session. The name leaves out the
 * piece's name, which may be as long as a file system allows.
 */
export const stagingPath = (id: string, n: number, to: string): string => join(parentOf(to), `.leap-${id}-${n}.in`)

/** Where the `n`th piece is set aside, beside its source, before it is deleted. */
export const asidePath = (id: string, n: number, from: string): string => join(parentOf(from), `.leap-${id}-${n}.out`)
