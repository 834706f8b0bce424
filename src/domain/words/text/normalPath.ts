/** The path as it is meant in this directory; not collapsed, since `link/../x` is beside what the link leads to. */
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
