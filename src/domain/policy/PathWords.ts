import { matcher } from "./Globs.ts"
import { folded } from "./PathPattern.ts"
import { isSure, type ShellWord, type Words } from "./ShellWords.ts"

/** A path with unknown parts: its components, in which `**` is any number of any components. */
export type LoosePath = ReadonlyArray<string>

/** The places from which a command line names files. */
export interface LinePlaces {
  readonly home: string
  /** The directory in which the line begins. */
  readonly cwd: string
  /** Other directories that it may be in later. */
  readonly others: ReadonlyArray<string>
  /** The targets of the line's own links. */
  readonly links: Words
}

/** Braces are special only with a comma or a dot inside, or if they are not closed. */
const wild = /[*?[]|\{(?![^{},.]*\})/

/** Whether one text can match both component patterns. May be true wrongly, but is false only if it is impossible. */
const componentsMeet = (a: string, b: string, hidden: boolean): boolean =>
  a === b ||
  (!a.includes("{") && !b.includes("{")
    ? alternativesMeet(a, b, hidden)
    : alternatives(a).some((one) => alternatives(b).some((other) => alternativesMeet(one, other, hidden))))

const alternatives = (component: string): ReadonlyArray<string> => {
  const found = component.includes("{") ? braced(component) : []
  return found.length === 0 ? [component] : found
}

const alternativesMeet = (a: string, b: string, hidden: boolean): boolean => {
  // a wildcard of the shell's matches no leading dot
  if (!hidden && /^[*?[]/.test(a) && b.startsWith(".")) return false
  if (!wild.test(a) && !wild.test(b)) return folded(a) === folded(b)
  if (!wild.test(a)) return matcher(b, true)(a)
  if (!wild.test(b)) return matcher(a, true)(b)
  const [headA, headB] = [a.split(wild, 1)[0] ?? "", b.split(wild, 1)[0] ?? ""]
  const shorter = Math.min(headA.length, headB.length)
  return headA.slice(0, shorter).toLowerCase() === headB.slice(0, shorter).toLowerCase()
}

/**
 * Whether one path can match both, a command line's and a rule's. `hidden`: the wildcards of the first match a leading
 * dot.
 */
export const pathsMeet = (a: LoosePath, b: LoosePath, hidden = false): boolean => {
  // most differ in their last component, so it is compared first
  const [lastA, lastB] = [a.at(-1), b.at(-1)]
  if (lastA !== undefined && lastB !== undefined && lastA !== "**" && lastB !== "**")
    if (!componentsMeet(lastA, lastB, hidden)) return false
  const seen = new Set<number>()
  const meet = (i: number, j: number): boolean => {
    if (i === a.length && j === b.length) return true
    const key = i * (b.length + 1) + j
    if (seen.has(key)) return false
    seen.add(key)
    if (a[i] === "**") return meet(i + 1, j) || (j < b.length && meet(i, j + 1))
    if (b[j] === "**") return meet(i, j + 1) || (i < a.length && meet(i + 1, j))
    return i < a.length && j < b.length && componentsMeet(a[i] ?? "", b[j] ?? "", hidden) && meet(i + 1, j + 1)
  }
  return meet(0, 0)
}

/** A pattern or path as components. */
export const componentsOf = (path: string): LoosePath => path.split("/").filter((part) => part !== "" && part !== ".")

const alias = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(root|cwd)$/

/** Commands that print names of files in the directory, and commands that print none. */
const printsFiles = /\$\(git (?:ls-files|diff --name-only)\b[^()`;&|<>]*\)/g
const printsNoFile =
  /\$\((?:(?:git (?:merge-base|rev-parse|rev-list|describe|branch --show-current)|date|seq|nproc|id|whoami|hostname|uname)\b[^()`;&|<>]*|go list \.[\w./]*)\)/g

/** It is the output of a command that names no file. */
export const namesNoFile = ({ text }: ShellWord): boolean => text.replace(printsNoFile, "") === ""

const unknownPart = /\$\([^]*\)|`[^]*`|\$\{[^}]*\}|\$\w+|\$[?$#@*!-]|<\([^]*\)/g

/** Inserts the values of variables that are always known; other expansions become `**`. */
const expanded = (text: string, { home }: Pick<LinePlaces, "home">, unknown = "/**/"): string =>
  text
    .replace(/\$HOME\b|\$\{HOME\}/g, () => home)
    .replace(/\$PWD\b|\$\{PWD\}|\$\(pwd\)|\$\(git rev-parse --show-toplevel\)/g, () => ".")
    .replace(printsNoFile, "0")
    .replace(printsFiles, "**")
    .replace(unknownPart, unknown)

/** The text with the user's home directory inserted. */
const placed = (text: string, { home }: Pick<LinePlaces, "home">): string => {
  const user = /^~([^/]*)/.exec(text)?.[1]
  if (user === undefined) return text
  const rest = text.slice(1 + user.length)
  return user === "" || user === home.slice(home.lastIndexOf("/") + 1) ? home + rest : `/**${rest}`
}

/** The most directories of a line that are followed. */
const mostDirectories = 64

/**
 * The directories that a line may be in, beginning with the first: each change, to one of these words, may have failed,
 * or end with its subshell. Null: more than are followed.
 */
export const directoriesAfter = (
  changes: ReadonlyArray<Words>,
  line: Pick<LinePlaces, "cwd" | "home">
): ReadonlyArray<string> | null => {
  const at = (path: string, from: string): string => `/${resolved(path, from).join("/")}`
  let found = [at(line.cwd, line.cwd)]
  for (const all of changes) {
    const to = all.map(({ text }) => placed(expanded(text, line), line))
    found = [
      ...new Set(found.flatMap((one) => [one, ...to.map((text) => at(text[0] === "/" ? text : `${one}/${text}`, one))]))
    ]
    if (found.length > mostDirectories) return null
  }
  return found
}

/** The most links of a line, and components of a word, that are examined together. */
const mostLinks = 8

/** The most names that are made from one word. */
const mostNames = 64

/** The words that the shell's braces make: `{a,b}/c` is `a/c` and `b/c`. */
export const braced = (text: string): ReadonlyArray<string> => {
  let open = [text]
  for (let round = 0; round < 4; round++) {
    const next = open.flatMap((one) => {
      const found = /\{([^{}]*,[^{}]*)\}/.exec(one)
      return found === null
        ? [one]
        : (found[1] ?? "")
            .split(",")
            .map((part) => one.slice(0, found.index) + part + one.slice(found.index + found[0].length))
    })
    if (next.length === open.length || next.length > mostNames) break
    open = next
  }
  return open.length === 1 ? [] : open
}

/** The parts of a word between its expansions, and their defaults: each may become a word of its own. */
const pieces = (text: string): ReadonlyArray<string> =>
  /\$/.test(text)
    ? text
        .split(/\$\{?\w+(?::?[-+=?])?|[\s{}"'`()]+/)
        .filter((piece) => piece !== "" && piece !== "/")
        .slice(0, mostNames)
    : []

/** The possible values of a short option after other letters. */
const valuesIn = (text: string): ReadonlyArray<string> => {
  const letters = /^-([A-Za-z\d]*)|/.exec(text)?.[1] ?? ""
  return [2, 3, 4].slice(0, letters.length).map((at) => text.slice(at))
}

/**
 * The paths that an uncertain word, or one read from elsewhere, may name; none for a plain name in the line's
 * directory, which is compared as it is.
 */
export const loosePaths = (word: ShellWord, places: LinePlaces): ReadonlyArray<LoosePath> => {
  const { cwd, links, others } = places
  const found: Array<LoosePath> = []
  const alternatives = isSure(word) ? [] : braced(word.text)
  const separators = [...word.text.matchAll(/[:,;=@<]/g)].slice(0, 8)
  const names = [
    ...(alternatives.length > 0 && alternatives.every((one) => !wild.test(one)) ? [] : [word.text]),
    ...separators.map(({ index }) => word.text.slice(index + 1)),
    ...word.text.split(/[:,;=@<]/, 9).filter((one) => /^[^{}]*\/[^{}]*$/.test(one)),
    ...(isSure(word) ? [] : [...alternatives, ...pieces(word.text)])
  ].flatMap((name) => [name, ...valuesIn(name)])
  for (const name of names) {
    if (name === "" || name.length > 4_096) continue
    // curl puts its own parts into an address
    if (/^file:.*[[{]/is.test(name))
      found.push(resolved(`${name.replace(/^file:/i, "").split(/[[{]/, 1)[0]}/**`.replace(/[^/]*\/\*\*$/, "**"), cwd))
    const known = isSure(word) && !/^~[^/]|^~$/.test(name)
    // an unknown part may go on, or end, within a name
    const texts = known ? [name] : ["/**/", "{*,.*}"].map((unknown) => expanded(name, places, unknown))
    for (const text of new Set(texts.map((one) => placed(one, places)))) {
      const isPlain = name === word.text && known && text === name && !/\bproc\b|\bfd\b/.test(name)
      for (const link of links.slice(0, mostLinks)) {
        const to = placed(expanded(link.text, places), places)
        const parts = componentsOf(text).slice(0, mostLinks)
        for (const i of parts.keys())
          found.push(resolved(`${to.startsWith("/") ? to : `${cwd}/${to}`}/${parts.slice(i + 1).join("/")}`, cwd))
      }
      for (const start of isPlain ? others : [cwd, ...others])
        if (!text.startsWith("/")) found.push(resolved(`${start}/${text}`, start))
        else if (!isPlain) found.push(resolved(text, start))
    }
  }
  return found
}

/**
 * Components without `..`, and without other names of the root or of `cwd`. A path that goes up from an unknown directory
 * may lead anywhere.
 */
export const resolved = (path: string, cwd: string): LoosePath => {
  let parts: Array<string> = []
  for (const part of componentsOf(path)) {
    if (part !== "..") parts.push(part)
    else if (parts.at(-1) === "**") parts = ["**"]
    else parts.pop()
    if (part === "fd" && parts[0] === "dev" && parts.length === 2) parts = ["proc", "self", "fd"]
    const kind = parts[0] === "proc" ? alias.exec(`/${parts.join("/")}`)?.[1] : undefined
    if (kind !== undefined) parts = kind === "root" ? [] : [...componentsOf(cwd)]
  }
  return parts.some((part) => part.includes("**")) ? parts.map((part) => (part.includes("**") ? "**" : part)) : parts
}
