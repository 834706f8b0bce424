import { oneLine } from "../text/printable.ts"

/** That something is gone, or with the system's code that nobody can say so: as the end of a sentence about it. */
export const goneOr = (hidden: string | null): string =>
  hidden === null ? "is not there any more" : `cannot be looked at now (${hidden})`

/**
 * What to say where a directory is not there: the one that was named, or else the one that leap was started in.
 * `hidden`: the system's code where that one cannot be looked at.
 */
export const missingDirectory = (
  named: string | null,
  own: { readonly path: string; readonly exists: boolean },
  hidden: string | null = null
): string => {
  if (hidden !== null) return `the directory ${oneLine(named ?? own.path, 300)} ${goneOr(hidden)}`
  const here =
    `the directory that you are in${own.path === "" ? "" : ` (${oneLine(own.path, 300)})`} is not there any more: ` +
    "change to another one"
  if (named === null) return own.exists ? `there is no directory ${oneLine(own.path, 300)}` : here
  if (named === "") return "the directory's name is empty"
  return `there is no directory ${oneLine(named, 300)}${named.startsWith("/") || own.exists ? "" : `; ${here}`}`
}
