const plain = (path: string): string => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return `/${parts.join("/")}`
}

const isWithin = (path: string, directory: string): boolean => path === directory || path.startsWith(`${directory}/`)

const relativeFrom = (directory: string, path: string): string => {
  const from = directory.split("/").filter((part) => part !== "")
  const to = path.split("/").filter((part) => part !== "")
  let shared = 0
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++
  const text = [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/")
  return text === "" ? "." : text
}

/**
 * The text that a symbolic link of a piece must have at the destination to mean what it meant: most keep theirs; a
 * relative one that leads out of the piece, and an absolute one that leads into it, would otherwise lead elsewhere.
 * `holder` is the link's directory, relative to the piece; of a piece that is a link itself it is null.
 */
export const moved = (text: string, piece: { readonly from: string; readonly to: string }, holder: string | null): string => {
  const at = (root: string): string => holder === null ? plain(`${root}/..`) : plain(`${root}/${holder}`)
  if (text.startsWith("/")) {
    const target = plain(text)
    return isWithin(target, piece.from) ? `${piece.to}${target.slice(piece.from.length)}` : text
  }
  const target = plain(`${at(piece.from)}/${text}`)
  return holder !== null && isWithin(target, piece.from) ? text : relativeFrom(at(piece.to), target)
}
