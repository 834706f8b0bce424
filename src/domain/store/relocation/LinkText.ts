import { isWithin, normalPath } from "../../words/text/paths.ts"

const relativeFrom = (directory: string, path: string): string => {
  const from = directory.split("/").filter((part) => part !== "")
  const to = path.split("/").filter((part) => part !== "")
  let shared = 0
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++
  const text = [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/")
  return text === "" ? "." : text
}

/**
 * The text that a symbolic link of a piece needs at the destination to keep its target. Most texts stay. A relative one
 * that leads out of the piece, and an absolute one that leads into it, would lead elsewhere. `holder`: the link's
 * directory, relative to the piece; null if the piece itself is a link.
 */
export const movedLinkText = (
  text: string,
  piece: { readonly from: string; readonly to: string },
  holder: string | null
): string => {
  const at = (root: string): string => (holder === null ? normalPath(`${root}/..`) : normalPath(`${root}/${holder}`))
  if (text.startsWith("/")) {
    const target = normalPath(text)
    return isWithin(target, piece.from) ? `${piece.to}${target.slice(piece.from.length)}` : text
  }
  const target = normalPath(`${at(piece.from)}/${text}`)
  return holder !== null && isWithin(target, piece.from) ? text : relativeFrom(at(piece.to), target)
}
