import { absolutePath, normalPath } from "../words/text/paths.ts"
import { any, type Likelihood } from "./Likelihood.ts"
import { literal, longestPattern } from "./TextGlob.ts"

export interface Places {
  readonly home: string
  /** Relative patterns are relative to this, the session's directory. */
  readonly directory: string
}

export interface PathPattern {
  readonly matches: (path: string) => boolean
  /** Whether it matches a path or names a directory above it. Deny and ask rules use this. */
  readonly concerns: (path: string) => boolean
  /** `maybe`: only on a file system that ignores case, the composition of letters or invisible characters. */
  readonly likelihood: (path: string) => Likelihood
  /** The deepest directory that contains all matches. */
  readonly base: string
  /** The components of `base`. */
  readonly baseNames: ReadonlyArray<string>
  /** What the pattern concerns, as components. */
  readonly concerned: ReadonlyArray<string>
  /** The pattern's components, with wildcards as written. */
  readonly components: ReadonlyArray<string>
}

/** Longer paths cannot be opened and would only cost time. In UTF-16 units. */
const longestPath = 4_096
const longestName = 255

const undrawn = /\p{Default_Ignorable_Code_Point}/gu

/**
 * A path as seen by file systems that ignore case, the composition of letters or, like HFS+, invisible characters
 * (`.g\u200cit` is `.git`). Names that any of them takes for the same are the same here.
 */
export const folded = (path: string): string =>
  /^[ -@[-~]*$/.test(path)
    ? path
    : path.replace(undrawn, "").normalize("NFD").toUpperCase().toLowerCase().normalize("NFC")

const special = /[*?[\]{}()!|"\\+@^$]/
const escaped = (path: string): string => path.replace(/[\\*?[\]{}()!|"+@^$]/g, "\\$&")

/** The pattern without `.` and `..`, which mean the same as in a path; null if `..` follows a wildcard. */
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

/**
 * A pattern as a regular expression: `*` and `?` within a name, `**` for directories, letters in brackets, alternatives in
 * braces. Throws where brackets or braces are not closed.
 */
const sourceOf = (pattern: string): string => {
  let at = 0
  const fail = (): never => {
    throw new SyntaxError(pattern)
  }
  const read = (isInside: boolean): ReadonlyArray<string> => {
    const found: Array<string> = []
    let out = ""
    let isStart = true
    for (; at < pattern.length && !(isInside && pattern[at] === "}");) {
      const rest = pattern.slice(at)
      const was = isStart
      isStart = false
      const [whole = "", escape, stars, set, first, last] =
        /^(?:\\([^])|(\*+)|\[([!^]?(?:\\[^]|[^\\])(?:\\[^]|[^\]\\])*)\]|\{(\w)\.\.(\w)\}|[^])/.exec(rest) ?? fail()
      at += whole.length
      if (escape !== undefined) out += literal(escape)
      else if (stars !== undefined) {
        const next = pattern[at]
        const isEnd = next === undefined || (isInside && /[,}]/.test(next))
        const isDeep = stars.length === 2 && was
        if (!isDeep || !(isEnd || /[/{]/.test(next))) out += was && !isInside ? "(?=[^/])[^/]*" : "[^/]*"
        else if (next === "{") out += "[^]*"
        else if (isEnd) out = /(?<!\][*+])\/$/.test(out) ? `${out.slice(0, -1)}(?:/[^]*)?` : `${out}[^]*`
        else {
          at++
          isStart = true
          out += "(?:[^]*/)?"
        }
      } else if (set !== undefined) {
        const letters = set.replace(/^[!^](?=.)/s, "").replace(/\[|^\]/g, "\\$&")
        // a name in brackets is a name, too
        const isName = /^\w+$/.test(set)
        out += isName ? `(?:\\[${set}\\]|[${set}])` : /^[!^]./s.test(set) ? `[^/${letters}]` : `[${letters}]`
      } else if (first !== undefined) out += `[${first}-${last}]`
      else if (whole === "{") {
        if (/^\{[^{},]*\.\.[^{},]*\}/.test(rest)) fail()
        const inner = read(true)
        if (pattern[at++] !== "}") fail()
        out += inner.length > 1 ? `(?:${inner.join("|")})` : `\\{${inner[0]}\\}`
      } else if (/[[\]\\]/.test(whole)) fail()
      else if (whole === "?") out += "[^/]"
      else {
        isStart = /[/,]/.test(whole)
        if (isInside && whole === ",") {
          found.push(out)
          out = ""
        } else out += literal(whole)
      }
    }
    return [...found, out]
  }
  return read(false)[0]!
}

const compile = (pattern: string): ((path: string) => boolean) | null => {
  try {
    const form = new RegExp(`^${sourceOf(pattern.replace(/(?<!\\)(?:\/\*\*)+(?=\/\*\*(?:\/|$))/g, ""))}$`)
    return (path) => form.test(path)
  } catch {
    return null
  }
}

/**
 * Parses a path pattern; null if it is malformed. `~` is the home directory. A relative pattern is relative to the
 * session's directory. A pattern that ends in `/` matches everything in the directory.
 */
export const pathPattern = (pattern: string, { directory, home }: Places): PathPattern | null => {
  if (pattern === "" || pattern.length > longestPattern || /\u0000/.test(pattern)) return null
  const atHome = pattern === "~" || pattern.startsWith("~/")
  // Without a known directory, a relative pattern matches nothing.
  if (!pattern.startsWith("/") && !(atHome ? home : directory).startsWith("/")) return null
  const placed = atHome
    ? escaped(home) + pattern.slice(1)
    : pattern.startsWith("/")
      ? pattern
      : `${escaped(directory)}/${pattern}`
  const normal = normalPattern(pattern.endsWith("/") ? `${placed}**` : placed)
  if (normal === null) return null
  const found = compile(normal)
  if (found === null) return null
  const parts = normal.split("/")
  // A named file may be a directory.
  const isNamed = normal !== "/" && !/[*?[]/.test((parts.at(-1) ?? "").replace(/\\./g, ""))
  const withBelow = (text: string) => [text, ...(isNamed ? [`${text}/**`] : [])].map((one) => compile(one) ?? found)
  const isFolded = normal === folded(normal)
  const whole = withBelow(normal)
  const loose = isFolded ? whole : withBelow(folded(normal))
  const wild = parts.findIndex((part) => special.test(part.replace(/\\./g, "")))
  const base = (wild < 0 ? parts : parts.slice(0, wild)).join("/").replace(/\\(.)/g, "$1")
  const within = base === "" ? "/" : base
  // A cheap test first: most paths are elsewhere.
  const matches = (path: string): boolean => path.startsWith(within) && found(path)
  const concerns = (path: string): boolean => path.startsWith(within) && whole.some((one) => one(path))
  const components = parts.filter((part) => part !== "").map((part) => part.replace(/\\(.)/g, "$1"))
  return {
    matches,
    concerns,
    // What is below the matches counts only for a pattern without wildcards: with one, any search might find it.
    concerned: isNamed && !/[*?[]/.test(normal.replace(/\\./g, "")) ? [...components, "**"] : components,
    likelihood: (path) => {
      if (concerns(path)) return "yes"
      const same = folded(path)
      return (!isFolded || same !== path) && loose.some((one) => one(same)) ? "maybe" : "no"
    },
    base: within,
    baseNames: within.split("/").filter((part) => part !== ""),
    components
  }
}

/** The absolute paths that a path may denote. `certain`: it denotes no others. */
export interface PathReading {
  readonly paths: ReadonlyArray<string>
  readonly certain: boolean
}

/** Directories through which every file has another name. */
const aliases = /^\/(?:proc\/[^/]+\/(?:task\/[^/]+\/)?(?:root|cwd|fd)|dev\/fd)(?:\/|$)/

export const readPath = (path: string, cwd: string, home: string): PathReading => {
  const under = normalPath(absolutePath(cwd, path))
  const tilde = path === "~" || path.startsWith("~/")
  const paths = tilde ? [normalPath(home + path.slice(1)), under] : [under]
  const usable =
    path !== "" &&
    !path.includes("\u0000") &&
    path.length <= longestPath &&
    under.length <= longestPath &&
    under.split("/").every((name) => name.length <= longestName)
  if (!usable) return { paths: [], certain: false }
  const ambiguous =
    (path.startsWith("~") && !tilde) ||
    /^[a-z][a-z0-9+.-]+:\/\//i.test(path) ||
    (!cwd.startsWith("/") && !path.startsWith("/") && !tilde) ||
    paths.some((path) => aliases.test(path))
  return { paths, certain: !ambiguous }
}

/** `maybe` also for a directory above the pattern's matches, because the action may reach all in it. */
export const pathLikelihood = (pattern: PathPattern, { certain: isCertain, paths }: PathReading): Likelihood =>
  any([
    isCertain ? "no" : "maybe",
    ...paths.map((path): Likelihood => {
      const own = pattern.likelihood(path)
      return own === "no" && isAbove(folded(path), folded(pattern.base)) ? "maybe" : own
    })
  ])

const isAbove = (path: string, base: string): boolean => path === "/" || base === path || base.startsWith(`${path}/`)

/** Whether the pattern certainly matches a path. `~/x` counts as a file in the home directory. */
export const pathAllowed = (pattern: PathPattern, { certain: isCertain, paths }: PathReading): boolean =>
  isCertain && paths[0] !== undefined && pattern.matches(paths[0])
