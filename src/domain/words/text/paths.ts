/** An absolute path: a relative one is resolved here. `..` stays: after a link it means the target's parent. */
export const absolutePath = (directory: string, path: string): string =>
  path.startsWith("/") ? path : `${directory}/${path}`

/** The absolute path without `.`, `..` and empty components. */
export const normalPath = (path: string): string => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return `/${parts.join("/")}`
}

/** A path as seen from a directory, normalized. */
export const absolute = (directory: string, path: string): string => normalPath(absolutePath(directory, path))

export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/"))) || "/"

/** Whether the path is the directory or lies in it. */
export const isWithin = (path: string, directory: string): boolean =>
  path === directory || path.startsWith(directory.endsWith("/") ? directory : `${directory}/`)
