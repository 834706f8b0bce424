import type { PolicyRule } from "../store/settings/Settings.ts"
import { coveredBy, isHarmlessTarget } from "./CommandCoverage.ts"
import { hasParentStep } from "./CommandPattern.ts"
import { formsOf, pathAllowed, type PathPattern, type PathReading, readPath } from "./PathPattern.ts"
import type { Target } from "./knownPrograms/Program.ts"
import { covererOf, directoriesIn, isOwnRepository, type Line } from "./Reach.ts"
import { linksOf } from "./directoryEffects.ts"
import { type ReadRule, requestLikelihood } from "./RuleMatch.ts"
import { isSure, type ShellWord } from "./ShellWords.ts"
import { fileNames, type Subject } from "./Subject.ts"
import { matches, textGlob } from "./TextGlob.ts"
import { type ToolRequest, urlsOf } from "./ToolRequest.ts"
import { urlAllowed } from "./UrlPattern.ts"

/** The request is of a kind for which rules about a path or an address are meant. */
const usual = ({ path, url }: PolicyRule, { kind }: ToolRequest): boolean =>
  (path === undefined || kind === "read" || kind === "edit" || kind === "command") &&
  (url === undefined || kind === "fetch" || kind === "command")

/** Whether an argument may name a file that the pattern does not certainly match. */
const mayBePath = (
  { name, text }: { readonly name: string; readonly text: string },
  readings: ReadonlyArray<PathReading>,
  pattern: PathPattern
): boolean =>
  (/[/\\~]|^\.\.?$/.test(text) || /path|file|dir|folder|source|target|dest/i.test(name)) &&
  !readings.every((one) => pathAllowed(pattern, one))

/** A tool's pattern begins elsewhere, goes up, or has directories in parentheses. */
const leadsOut = /^[/~]|(?:^|\/)\.\.(?:\/|$)|\([^)]*\//

/** Whether an allow rule certainly matches apart from its command condition, which rules meet together. */
const otherwiseAllows = (read: ReadRule, subject: Subject): boolean => {
  const { malformed, path, rule, url } = read
  const { carried, paths, realPaths, request } = subject
  if (malformed.length > 0 || requestLikelihood(read, subject) !== "yes") return false
  // A rule without a tool is about files and addresses, not about every tool with a path.
  if (rule.tool === undefined && rule.kind === undefined && !usual(rule, request)) return false
  if (
    rule.path !== undefined &&
    (path === null ||
      paths.length === 0 ||
      (request.globs ?? []).some((glob) => formsOf(glob)?.some((one) => leadsOut.test(one)) !== false) ||
      ![...paths, ...realPaths].every((one) => pathAllowed(path, one)) ||
      // Another argument of an unknown tool may be a path too.
      (request.kind !== "fetch" &&
        (request.carried ?? []).some((one) =>
          mayBePath(
            one,
            fileNames(one.text).map((name) => readPath(name, request.cwd, subject.context.home)),
            path
          )
        )))
  )
    return false
  if (rule.url === undefined || url === null) return rule.url === undefined
  // The commands of a command line are examined one by one.
  if (rule.command !== undefined) return request.command !== null
  const urls = urlsOf(request)
  return (
    urls.length > 0 &&
    urls.every((one) => urlAllowed(url, one)) &&
    (request.kind === "fetch" || carried.urls.every((one) => urlAllowed(url, one)))
  )
}

/** The files that edit rules cover, and whether every edit rule limits the files. */
const editsAllowed = (rules: ReadonlyArray<ReadRule>, subject: Subject) => {
  const written = { ...subject, request: { ...subject.request, kind: "edit" as const } }
  const edits = rules.filter(
    (read) => read.rule.kind === "edit" && read.rule.tool === undefined && read.malformed.length === 0
  )
  return {
    isLimited: edits.length > 0 && edits.every(({ path }) => path !== null),
    covers: edits.filter((read) => requestLikelihood(read, written) === "yes")
  }
}

/** The pattern itself names the changed file. */
const isNamed = (pattern: string, word: ShellWord): boolean =>
  isSure(word) &&
  pattern
    .split(" ")
    .slice(1)
    .some((one) => {
      const glob = one === "*" ? null : textGlob(one)
      return glob !== null && (one === word.text || (!hasParentStep(word.text) && matches(glob, word.text)))
    })

/** The allow rules that together cover the whole request; null if a part is not covered. */
export const covering = (rules: ReadonlyArray<ReadRule>, subject: Subject): ReadonlyArray<PolicyRule> | null => {
  const { request, shell, unallowable } = subject
  const whole = rules.find(
    (read) =>
      read.rule.command === undefined &&
      !(request.command !== null && (read.rule.path !== undefined || read.rule.url !== undefined)) &&
      otherwiseAllows(read, subject)
  )
  if (whole !== undefined) return [whole.rule]
  if (shell === null || unallowable !== null) return null
  const patterns = rules.filter(
    (read) => read.command !== null && (read.isAboutCommands || otherwiseAllows(read, subject))
  )
  const undashed = new Set([...shell.undashed, ...(subject.isExpanded ? ["*"] : [])])
  const used: Array<ReadRule> = []
  const { covers, isLimited } = editsAllowed(rules, subject)
  const { directory, home } = subject.context
  const loops = shell.through
  // what is repeated also runs in the directory to which a later `cd` leads
  const isRepeated = shell.loops.length > 0 || /\b(?:while|until|function)\b|\(\)/.test(request.command ?? "")
  const lineAt = (end?: number): Line => ({
    request,
    home,
    directory,
    directories: directoriesIn(shell.commands.slice(0, end), request.cwd, home, loops),
    loops,
    links: []
  })
  let line = lineAt()
  let links: Line["links"] = []
  const reach = (places: ReadonlyArray<Target>, pattern: string, isLost: boolean): ReadonlyArray<ReadRule> | null => {
    const found: Array<ReadRule> = []
    const here = { ...line, links, ...(isLost ? { directories: null } : {}) }
    for (const place of places) {
      if (place.effect === "obey") {
        if (!isOwnRepository(place, here)) return null
        continue
      }
      // If no rule limits the files of edits, the command pattern alone decides on a program's normal effects.
      if ((place.optional !== true && !isLimited) || isNamed(pattern, place.word) || isHarmlessTarget(place.word))
        continue
      const by = !isLimited ? null : covererOf(covers, place, here)
      if (by === null) return null
      found.push(...by)
    }
    return found
  }
  for (const [i, command] of shell.commands.entries()) {
    if (!isRepeated) line = lineAt(i + 1)
    // A command's own links are judged by where it makes them.
    links = linksOf(shell.found.filter((words) => words !== command.words))
    const found = coveredBy(patterns, command, undashed, reach)
    if (found === null) return null
    used.push(...found)
    for (const word of command.writes) {
      if (isHarmlessTarget(word)) continue
      const writers = isSure(word) ? covererOf(covers, { effect: "write", word }, { ...line, links }) : null
      if (writers === null) return null
      used.push(...writers)
    }
  }
  return used.length === 0 ? null : [...new Set(used.map(({ rule }) => rule))]
}
