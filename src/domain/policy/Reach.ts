import { normalPath } from "../words/text/paths.ts"
import { type Link, cdTarget } from "./directoryEffects.ts"
import { isAbove, readPath } from "./PathPattern.ts"
import { braced, directoriesAfter } from "./PathWords.ts"
import type { Target } from "./knownPrograms/Program.ts"
import type { ReadRule } from "./RuleMatch.ts"
import { isSure, plainWord, type ShellCommand, type ShellWord, unknownWord, type Words } from "./ShellWords.ts"
import type { ToolRequest } from "./ToolRequest.ts"

const wild = /[*?[]/

/**
 * The directories in which each command of a line may run, as far as its words show, beginning with the line's first
 * one; null if a change leads to an unknown directory. Each change may have failed, or end with its subshell.
 */
export const directoriesIn = (
  commands: ReadonlyArray<ShellCommand>,
  cwd: string,
  home: string,
  loops: ReadonlyMap<string, Words>
): ReadonlyArray<string> | null => {
  if (commands.some(({ assignments }) => assignments.some(({ name }) => name === "CDPATH"))) return null
  const unknown = [unknownWord]
  const changes = cdTarget(commands.map(({ words }) => words)).map((to) => namesOf(to, loops) ?? unknown)
  const isKnown = ({ text }: ShellWord): boolean => !/[*?[{$`]|^~[^/]|^\/+(proc|dev)\b/.test(text)
  return changes.flat().every(isKnown) ? directoriesAfter(changes, { cwd, home }) : null
}

/** The words that the shell may make of a word, with wildcards left in the last component; null if unknown. */
const namesOf = (word: ShellWord, loops: ReadonlyMap<string, Words>): Words | null => {
  if (isSure(word)) return [word]
  const [, name = "", rest = ""] = /^\$\{?(\w+)\}?((?:\/[^$`]*)?)$/.exec(word.text) ?? []
  const through = loops.get(name)
  if (through !== undefined) {
    const all = through.map((one) =>
      namesOf({ ...one, text: one.text + rest, sure: one.sure + (isSure(one) ? rest.length : 0) }, new Map())
    )
    return all.includes(null) ? null : all.flatMap((one) => one ?? [])
  }
  if (/[$`]/.test(word.text) || /^~[^/]/.test(word.text)) return null
  return [word.text, ...braced(word.text)].map(plainWord)
}

/** The facts of a line when its commands are followed to the places that they change. */
export interface Line {
  readonly request: Pick<ToolRequest, "cwd" | "named" | "repositories">
  readonly home: string
  /** The session's directory. */
  readonly directory: string
  readonly directories: ReadonlyArray<string> | null
  readonly loops: ReadonlyMap<string, Words>
  /** The links that the line itself makes, which do not exist yet. */
  readonly links: ReadonlyArray<Link>
}

/** The rules that cover an effect on a place, wherever links lead; null if one of its names is not covered. */
export const covererOf = (
  edits: ReadonlyArray<ReadRule>,
  { effect, word }: Target,
  line: Line
): ReadonlyArray<ReadRule> | null => {
  const { directories, directory, home, links, loops, request } = line
  const found: Array<ReadRule> = []
  const [session, cwd] = [normalPath(directory), normalPath(request.cwd)]
  const covered = (path: string, isWild: boolean): boolean => {
    const inner = effect === "fill" || effect === "stay" || isWild ? `${path === "/" ? "" : path}/x` : path
    if (effect === "stay" && [session, cwd].some((one) => isAbove(one, path))) return true
    // a rule for files inside the project does not cover the project itself
    if (effect !== "stay" && !isWild && [session, cwd].some((one) => isAbove(path, one))) return false
    const by = edits.find((one) => one.path?.covers(inner, isWild) === true)
    if (by !== undefined) found.push(by)
    return by !== undefined
  }
  const reaches = (name: string): boolean => {
    const parts = name.replace(/\/+$/, "").split("/")
    const last = parts.at(-1) ?? ""
    const isWild = wild.test(last)
    // a link may be on the path
    if (parts.slice(0, -1).some((part) => wild.test(part))) return false
    const text = isWild ? parts.slice(0, -1).join("/") || (name.startsWith("/") ? "/" : ".") : name
    // deleting everything in a directory counts as deleting the directory
    const some = isWild && !(effect === "remove" && /^[*?.]+$/.test(last))
    const read = readPath(text, request.cwd, home)
    if (!read.certain || read.paths[0] === undefined || !covered(read.paths[0], some)) return false
    for (const { names, to } of links)
      for (const [i, part] of parts.entries())
        if (
          names.includes(part) &&
          (i + 1 < parts.length || name.endsWith("/") || effect === "fill" || effect === "stay")
        ) {
          const led = readPath([to.text, ...parts.slice(i + 1)].join("/"), request.cwd, home)
          if (!isSure(to) || !led.certain || led.paths[0] === undefined || !covered(led.paths[0], some)) return false
        }
    if (request.named === undefined) return true
    const leads = request.named.filter((one) => one.word === text)
    if (leads.length === 0) return false
    // the session's directory may itself be behind a link
    const start = request.named.find((one) => one.word === ".")?.path
    const there = (path: string): string =>
      start !== undefined && isAbove(start, path) ? normalPath(cwd + path.slice(start.length)) : normalPath(path)
    const found = isWild ? request.named.filter((one) => one.word === name) : []
    return (
      leads.every(({ path }) => covered(there(path), some)) && found.every(({ path }) => covered(there(path), false))
    )
  }
  /** The name in each directory that the line may be in; undefined if that is unknown. */
  const placed = ({ text }: ShellWord): ReadonlyArray<string> | undefined =>
    /^[/~]/.test(text) ? [text] : directories?.map((one) => (one === cwd ? text : `${one}/${text}`))
  const isCovered = namesOf(word, loops)?.every((name) => placed(name)?.every(reaches) === true) === true
  return isCovered ? found : null
}

/** Whether git finds the session's own repository from there: git runs what the found repository configures. */
export const isOwnRepository = ({ word }: Target, { directories, directory, home, loops, request }: Line): boolean => {
  const session = normalPath(directory)
  const names = namesOf(word, loops)
  return (
    directories !== null &&
    names !== null &&
    directories.every((one) =>
      names.every(({ text }) => {
        const path = readPath(text, one, home).paths[0]
        const found = request.repositories?.find((repository) => repository.directory === path)
        return (
          path === session ||
          (path !== undefined &&
            isAbove(session, path) &&
            found !== undefined &&
            (found.root === null || isAbove(found.root, session)))
        )
      })
    )
  )
}
