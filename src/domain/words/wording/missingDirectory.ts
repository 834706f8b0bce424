import { oneLine } from "../text/printable.ts"

/** What to say where a directory is not there: the one that was named, or else the one that leap was started in. */
export const missingDirectory = (
  named: string | null,
  own: { readonly path: string; readonly exists: boolean }
): string => {
  const here =
    `the directory that you are in${own.path === "" ? "" : ` (${oneLine(own.path, 300)})`} is not there any more: ` +
    "change to another one"
  if (named === null) return own.exists ? `there is no directory ${oneLine(own.path, 300)}` : here
  if (named === "") return "the directory's name is empty"
  return `there is no directory ${oneLine(named, 300)}${named.startsWith("/") || own.exists ? "" : `; ${here}`}`
}
