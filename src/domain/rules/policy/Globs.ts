import { folded } from "./PathPattern.ts"
import { literal } from "./PathWords.ts"

/** What a directory holds of one name. */
export interface DirectoryEntry {
  readonly name: string
  readonly kind: "directory" | "link" | "other"
}

/** Beyond so many names looked at it is not known what a word becomes. */
const mostSeen = 4_096

/** What a shell may read as more than a name: wildcards, patterns in brackets, expansions. */
export const wildcard = /[*?[({$`]/

/**
 * The names that a shell may find for one component of a word: too many rather than too few, since shells can be told to
 * match names that begin with a dot, or in another case. A dot is left out only where nothing tells otherwise.
 */
const matcher = (component: string, hidden: boolean): ((name: string) => boolean) => {
  const source = /[({$`]/.test(component)
    ? ".*"
    : folded(component).replace(/\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]|\[.*|[*?]|[^*?[]+/gsu, (part) => {
        if (part === "*") return ".*"
        // a letter may be several to a shell that goes by bytes
        if (part === "?") return ".?"
        if (/^\[[\w.]+\]$/.test(part)) return part
        return part.startsWith("[") ? (part.endsWith("]") ? ".?" : ".*") : literal(part)
      })
  const pattern = new RegExp(`^${source}$`, "isu")
  return (name) => (hidden || component.startsWith(".") || !name.startsWith(".")) && pattern.test(folded(name))
}

/** A path that a word becomes. `linked`: a link may lie on the way that the word does not name. */
export interface Expansion {
  readonly path: string
  readonly linked: boolean
}

/**
 * Finds what a word with wildcards becomes, an absolute path: asks for the entries of one directory after another, and is
 * given those, null for too many. The result is null where it is not known. Links are named and not gone through.
 */
export function* expansions(
  word: string,
  hidden: boolean
): Generator<string, ReadonlyArray<Expansion> | null, ReadonlyArray<DirectoryEntry> | null> {
  let open: Array<Expansion> = [{ path: "", linked: false }]
  let seen = 0
  let met = false
  const parts = word.split("/").filter((part) => part !== "")
  for (const part of parts) {
    if (!wildcard.test(part)) {
      // beyond a wildcard the word does not tell which directory this name is in
      open = open.map(({ linked, path }) => ({ path: `${path}/${part}`, linked: linked || met }))
      continue
    }
    met = true
    const matches = matcher(part, hidden)
    const deep = part.includes("**")
    const next: Array<Expansion> = deep ? [...open] : []
    const above = part.startsWith(".") ? [".", ".."].filter(matches) : []
    for (let directories = open; directories.length > 0;) {
      const below: Array<Expansion> = []
      for (const { linked, path } of directories) {
        const entries = yield path === "" ? "/" : path
        if (entries === null || (seen += entries.length) > mostSeen) return null
        for (const name of above) next.push({ path: `${path}/${name}`, linked: true })
        for (const { kind, name } of entries) {
          const one = { path: `${path}/${name}`, linked: linked || kind === "link" }
          if (deep ? hidden || !name.startsWith(".") : matches(name)) next.push(one)
          if (deep && kind === "directory") below.push(one)
        }
      }
      directories = below
    }
    open = next
  }
  return open.filter(({ linked }) => linked)
}
