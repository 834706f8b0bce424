import { oneLine } from "../text/printable.ts"

/** The message for a missing directory: the named one, or else the one in which leap was started. */
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
