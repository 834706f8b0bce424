import { folded } from "./PathPattern.ts"

/** An entry of a directory. */
export interface DirectoryEntry {
  readonly name: string
  readonly kind: "directory" | "link" | "other"
}

/** After this many names the expansion of a word counts as unknown. */
const mostSeen = 4_096

/** Characters that a shell may expand: wildcards, brackets, expansions. */
export const wildcard = /[*?[({$`]/

/** A step of a pattern: it takes a letter, or may be left out; `repeats`: it takes any text. */
interface Step {
  readonly takes: (letter: string) => boolean
  readonly isOptional: boolean
  readonly repeats: boolean
}
const anyText: Step = { takes: () => true, isOptional: true, repeats: true }
// A shell that counts bytes may take a letter for several characters.
const anyLetter: Step = { ...anyText, repeats: false }

const stepOf = (part: string): Step => {
  if (part === "*" || /^\[(?:[^\]]*|[!^]?\]+)$/.test(part)) return anyText
  if (part === "?") return anyLetter
  if (/^\[[\w.]+\]$/.test(part))
    return { takes: (letter) => part.slice(1, -1).includes(letter), isOptional: false, repeats: false }
  return part.length > 2 ? anyLetter : { takes: (letter) => letter === part, isOptional: false, repeats: false }
}

/** Whether the steps lead through a text. All ways are followed at once, so each letter meets each step only once. */
const leadThrough = (steps: ReadonlyArray<Step>, text: string): boolean => {
  let open: Array<boolean> = [true]
  const skip = (i: number): void => {
    if (open[i] === true && steps[i]!.isOptional) open[i + 1] = true
  }
  for (const letter of text) {
    const next: Array<boolean> = []
    for (const [i, { repeats, takes }] of steps.entries()) {
      skip(i)
      if (open[i] === true && takes(letter)) next[repeats ? i : i + 1] = true
    }
    open = next
  }
  for (const i of steps.keys()) skip(i)
  return open[steps.length] === true
}

/** A longer component finds any name: none is that long. */
const longest = 1_024

/**
 * Matches the names that a shell may find for one component of a word. It matches too many rather than too few: shells
 * can be told to include names that begin with a dot, or to ignore case. Names with a leading dot are excluded only if
 * nothing suggests such an option.
 */
export const matcher = (component: string, hidden: boolean): ((name: string) => boolean) => {
  const parts = folded(component).match(/\[[!^]?\]?(?:\[:\w+:\]|[^\]])*\]|\[.*|[^]/gsu) ?? []
  const steps = /[({$`]/.test(component) || component.length > longest ? [anyText] : parts.map(stepOf)
  const least = steps.filter(({ isOptional }) => !isOptional).length
  return (name) => {
    if (!hidden && !component.startsWith(".") && name.startsWith(".")) return false
    const text = folded(name)
    return text.length >= least && leadThrough(steps, text)
  }
}

/** A path that a word expands to. `linked`: the way may lead through a link that the word does not name. */
export interface Expansion {
  readonly path: string
  readonly linked: boolean
}

/**
 * Expands a word with wildcards, an absolute path. It asks for the entries of one directory after another and receives
 * them, or null for too many. The result is null if it is unknown. Links are named but not followed.
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
      // After a wildcard the word does not tell which directory this name is in.
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
  return open
}
