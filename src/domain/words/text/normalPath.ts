/** The path relative to this directory; not collapsed, because `link/../x` is beside the link's target. */
export const absoluteIn = (directory: string, path: string): string =>
  path.startsWith("/") ? path : `${directory}/${path}`

/** The path without `.`, `..` and empty components; absolute. */
export const normalPath = (path: string): string => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return `/${parts.join("/")}`
}
