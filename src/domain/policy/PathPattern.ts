import { absolutePath, normalPath } from "../words/text/paths.ts"
import { any, anyOf, type Likelihood } from "./Likelihood.ts"
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
  /** Whether it is about a path, and not only about what is below it; `isAll`: about all that is in its directory. */
  readonly covers: (path: string, isAll: boolean) => boolean
  /** For each alternative in braces the deepest directory that contains all matches, as components. */
  readonly bases: ReadonlyArray<ReadonlyArray<string>>
  /** What each of them concerns, as components, with wildcards as written. */
  readonly concerned: ReadonlyArray<ReadonlyArray<string>>
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

const special = /[*?[\]{}]/
/** A path as a pattern that matches it alone. */
export const escaped = (path: string): string => path.replace(/[\\*?[\]{}]/g, "\\$&")

/** Letters in brackets, one of which stands there; not across directories. */
const letters = /^\[((?:[!^]?(?:\\[^/]|[^\\/]))(?:\\[^/]|[^\]\\/])*)\]/

/** The most patterns that one stands for. */
const mostForms = 1_000

/** The patterns that braces stand for: `{a,b/c}d` is `ad` and `b/cd`. Null: unclosed, or too many. */
export const formsOf = (pattern: string): ReadonlyArray<string> | null => {
  const found = new Set<string>()
  for (const open = [pattern]; open.length > 0;) {
    const one = open.pop()!
    const braces: Array<Array<number>> = []
    let parts: ReadonlyArray<string> | null = null
    for (let i = 0; i < one.length && parts === null; i++) {
      const letter = one[i]!
      const cuts = braces.at(-1)
      if (letter === "\\") i++
      else if (letter === "[") i += Math.max(0, (letters.exec(one.slice(i))?.[0].length ?? 0) - 1)
      else if (letter === "{") braces.push([i])
      else if (letter === "," && cuts !== undefined) cuts.push(i)
      else if (letter === "}" && cuts !== undefined) {
        braces.pop()
        const before = one.slice(0, cuts[0])
        const isDeep = /(?:^|\/)\*\*$/.test(before)
        // without a comma they are a name's
        if (cuts.length > 1)
          parts = [...cuts.slice(1), i].map((end, n) => {
            const behind = one.slice(cuts[n]! + 1, end) + one.slice(i + 1)
            return `${before}${isDeep && /^[^/]/.test(behind) ? "/*" : ""}${behind}`
          })
      }
    }
    if (parts !== null) open.push(...parts)
    else if (braces.length > 0) return null
    else found.add(one)
    if (found.size + open.length > mostForms) return null
  }
  return [...found]
}

/** The pattern without `.` and `..`, which mean the same as in a path; null if `..` follows a wildcard. */
const normalPattern = (pattern: string): string | null => {
  const parts: Array<string> = []
  for (const part of pattern.split("/")) {
    if (part === "..") {
      const last = parts.pop()
      if (last !== undefined && special.test(last.replace(/\\./g, ""))) return null
    } else if (part !== "" && part !== ".") parts.push(part)
  }
  return `/${parts.join("/")}`
}

/**
 * A pattern as a regular expression: `*` and `?` within a name, `**` for directories, letters in brackets, ranges in
 * braces. Throws where brackets are not closed.
 */
const sourceOf = (pattern: string): string => {
  let out = ""
  for (let at = 0; at < pattern.length;) {
    const rest = pattern.slice(at)
    const isStart = at === 0 || pattern[at - 1] === "/"
    const set = letters.exec(rest)
    const [whole = "", escape, stars, first, last] = set ?? /^(?:\\([^])|(\*+)|\{(\w)\.\.(\w)\}|[^])/.exec(rest) ?? []
    at += whole.length
    if (set !== null) {
      const [name = ""] = set.slice(1)
      const isNot = /^[!^]./s.test(name)
      const inner = name.slice(isNot ? 1 : 0).replace(/\\([^])|[[\]^]/g, (found, one: string | undefined) => {
        const letter = one ?? found
        return /\w/.test(letter) ? letter : `\\${letter}`
      })
      // a name in brackets is a name, too
      out += /^\w+$/.test(name) ? `(?:\\[${name}\\]|[${name}])` : `(?!/)[${isNot ? "^" : ""}${inner}]`
    } else if (escape !== undefined) out += literal(escape)
    else if (stars !== undefined) {
      const next = pattern[at]
      if (stars.length !== 2 || !isStart || (next !== undefined && next !== "/"))
        out += isStart ? "(?=[^/])[^/]*" : "[^/]*"
      else if (next === undefined) out = /(?<!\][*+])\/$/.test(out) ? `${out.slice(0, -1)}(?:/[^]*)?` : `${out}[^]*`
      else {
        at++
        out += "(?:[^]*/)?"
      }
    } else if (first !== undefined) out += `[${first}-${last}]`
    else if (/^(?:[[\]\\]|\{[^{},]*\.\.[^{},]*\})/.test(rest)) throw new SyntaxError(pattern)
    else out += whole === "?" ? "[^/]" : literal(whole)
  }
  return out
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
  const forms = formsOf(pattern)?.map((one) => {
    const atHome = one === "~" || one.startsWith("~/")
    // Without a known directory, a relative pattern matches nothing.
    if (!one.startsWith("/") && !(atHome ? home : directory).startsWith("/")) return null
    const placed = atHome ? escaped(home) + one.slice(1) : one.startsWith("/") ? one : `${escaped(directory)}/${one}`
    const normal = normalPattern(one.endsWith("/") ? `${placed}**` : placed)
    return normal === null ? null : formOf(normal)
  })
  const known = forms?.flatMap((form) => form ?? []) ?? []
  if (forms === undefined || known.length < forms.length) return null
  return {
    matches: (path) => known.some((one) => one.matches(path)),
    concerns: (path) => known.some((one) => one.concerns(path)),
    likelihood: (path) => anyOf(known, (one) => one.likelihood(path)),
    covers: (path, isAll) => known.some((one) => one.covers(path, isAll)),
    bases: known.map(({ base }) => base),
    concerned: known.map(({ concerned }) => concerned)
  }
}

/** The same of one alternative; null if it is malformed. */
const formOf = (normal: string) => {
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
    covers: (path: string, isAll: boolean): boolean =>
      matches(path) && (isAll ? components.at(-1) === "**" : wild < 0 || path !== within),
    // What is below the matches counts only for a pattern without wildcards: below others any search might find it.
    concerned: isNamed && !/[*?[]/.test(normal.replace(/\\./g, "")) ? [...components, "**"] : components,
    likelihood: (path: string): Likelihood => {
      if (concerns(path)) return "yes"
      const same = folded(path)
      return (!isFolded || same !== path) && loose.some((one) => one(same)) ? "maybe" : "no"
    },
    base: within.split("/").filter((part) => part !== "")
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
      const same = folded(path)
      return own === "no" && pattern.bases.some((base) => isAbove(same, folded(`/${base.join("/")}`))) ? "maybe" : own
    })
  ])

/** Whether the path is the other one, or a directory above it. */
export const isAbove = (path: string, base: string): boolean =>
  path === "/" || base === path || base.startsWith(`${path}/`)

/** Whether the pattern certainly matches a path. `~/x` counts as a file in the home directory. */
export const pathAllowed = (pattern: PathPattern, { certain: isCertain, paths }: PathReading): boolean =>
  isCertain && paths[0] !== undefined && pattern.matches(paths[0])
