import picomatch from "picomatch"
import { any, certain, type Likelihood } from "./Likelihood.ts"
import { longestPattern } from "./TextGlob.ts"

/** What paths and patterns are relative to. */
export interface Places {
  readonly home: string
  /** The session's directory, which relative patterns mean. */
  readonly directory: string
}

/** A path pattern, read. */
export interface PathPattern {
  readonly matches: (path: string) => boolean
  /** The directory above everything it matches. */
  readonly base: string
}

/** Longer ones cannot be opened; they would only cost time. */
const longestPath = 4_096
const longestName = 255

/** The path without `.`, `..` and empty components; absolute. */
export const normalPath = (path: string): string => {
  const parts: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "..") parts.pop()
    else if (part !== "" && part !== ".") parts.push(part)
  }
  return `/${parts.join("/")}`
}

const special = /[*?[\]{}()!|"\\+@^$]/
const escaped = (path: string): string => path.replace(/[\\*?[\]{}()!|"+@^$]/g, "\\$&")

/** Parentheses, bars and quotes stand for themselves: picomatch would read groups, and drop quotes. */
const literalGroups = (pattern: string): string => {
  let out = ""
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]!
    if (char === "\\") out += char + (pattern[++i] ?? "")
    else out += "()|\"".includes(char) ? `\\${char}` : char
  }
  return out
}

/** `a/./b` and `../a` in a pattern mean what they mean in a path; null where `..` follows a wildcard. */
const normalPattern = (pattern: string): string | null => {
  const parts: Array<string> = []
  for (const part of pattern.split("/")) {
    if (part === "..") {
      const last = parts.pop()
      if (last !== undefined && /[*?[{]/.test(last.replace(/\\./g, ""))) return null
    } else if (part !== "" && part !== ".") parts.push(part)
  }
  return `/${parts.join("/")}`
}

const compile = (pattern: string): ((path: string) => boolean) | null => {
  try {
    // `s`: a name may hold the end of a line
    const matcher = picomatch(literalGroups(pattern), { dot: true, nonegate: true, noextglob: true, windows: false, strictBrackets: true, flags: "s" })
    matcher("/")
    return (path) => matcher(path)
  } catch {
    return null
  }
}

/**
 * Reads a path pattern; null for a malformed one. `~` is the home directory, a relative pattern is under the session's
 * directory, and one that ends in `/` means all that is in the directory.
 */
export const pathPattern = (pattern: string, { directory, home }: Places): PathPattern | null => {
  if (pattern === "" || pattern.length > longestPattern || /\u0000/.test(pattern)) return null
  const atHome = pattern === "~" || pattern.startsWith("~/")
  // in a directory that is not known, a relative pattern means nothing
  if (!pattern.startsWith("/") && !(atHome ? home : directory).startsWith("/")) return null
  const placed = atHome ? escaped(home) + pattern.slice(1) : pattern.startsWith("/") ? pattern : `${escaped(directory)}/${pattern}`
  const normal = normalPattern(pattern.endsWith("/") ? `${placed}**` : placed)
  if (normal === null) return null
  const found = compile(normal)
  if (found === null) return null
  const parts = normal.split("/")
  const wild = parts.findIndex((part) => special.test(part.replace(/\\./g, "")))
  const base = (wild < 0 ? parts : parts.slice(0, wild)).join("/").replace(/\\(.)/g, "$1")
  return { matches: found, base: base === "" ? "/" : base }
}

/** What a path may stand for. `certain`: it stands for `paths` and nothing else. */
export interface PathReading {
  readonly paths: ReadonlyArray<string>
  readonly certain: boolean
}

/** Other names of any file. */
const aliases = /^\/(?:proc\/[^/]+\/(?:task\/[^/]+\/)?(?:root|cwd|fd)|dev\/fd)(?:\/|$)/

/** Reads a path as a CLI wrote it. */
export const readPath = (path: string, cwd: string, home: string): PathReading => {
  const under = normalPath(path.startsWith("/") ? path : `${cwd}/${path}`)
  const tilde = path === "~" || path.startsWith("~/")
  const paths = tilde ? [normalPath(home + path.slice(1)), under] : [under]
  const judged = path !== "" && !path.includes("\u0000") && path.length <= longestPath && under.length <= longestPath &&
    under.split("/").every((name) => name.length <= longestName)
  if (!judged) return { paths: [], certain: false }
  const odd = path.startsWith("~") && !tilde || /^[a-z][a-z0-9+.-]+:\/\//i.test(path) || !cwd.startsWith("/") && !path.startsWith("/") && !tilde ||
    paths.some((path) => aliases.test(path))
  return { paths, certain: !odd }
}

/** Whether a path is one that the pattern means; for a directory above them, `maybe`: what is done to it may reach them. */
export const pathLikely = (pattern: PathPattern, { certain: known, paths }: PathReading): Likelihood =>
  any([
    known ? "no" : "maybe",
    ...paths.map((path): Likelihood => pattern.matches(path) ? "yes" : certain(isAbove(path, pattern.base)) === "yes" ? "maybe" : "no")
  ])

const isAbove = (path: string, base: string): boolean => path === "/" || base === path || base.startsWith(`${path}/`)

/** Whether a path is certainly one that the pattern means. `~/x` is taken for a file in the home directory. */
export const pathAllowed = (pattern: PathPattern, { certain: known, paths }: PathReading): boolean =>
  known && paths[0] !== undefined && pattern.matches(paths[0])
