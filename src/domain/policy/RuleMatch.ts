import { normalPath } from "../words/text/paths.ts"
import type { PolicyRule } from "../store/settings/Settings.ts"
import { mayConnect } from "./AddressOperands.ts"
import { nameLikelihood, sessionLikelihood } from "./concernsSession.ts"
import { type CommandPattern, commandPattern, matchLikelihood } from "./CommandPattern.ts"
import { all, allOf, any, anyOf, certain, type Likelihood } from "./Likelihood.ts"
import { formsOf, pathLikelihood, type PathPattern, pathPattern, type PathReading, type Places } from "./PathPattern.ts"
import { type LoosePath, pathsMeet, resolved } from "./PathWords.ts"
import { mostNames, type Subject } from "./Subject.ts"
import { textGlob } from "./TextGlob.ts"
import { type ToolRequest, urlsOf } from "./ToolRequest.ts"
import { isNoAddress, namesHost, type UrlPattern, urlFound, urlPattern } from "./UrlPattern.ts"

export interface ReadRule {
  readonly rule: PolicyRule
  readonly command: CommandPattern | null
  readonly path: PathPattern | null
  readonly url: UrlPattern | null
  /** It has no condition on tool, kind, agent, CLI and tag. */
  readonly isAboutAll: boolean
  /** Its only condition is on commands. */
  readonly isAboutCommands: boolean
  readonly malformed: ReadonlyArray<"tool" | "command" | "path" | "url" | "agent" | "cli" | "tag">
}

export const readRule = (rule: PolicyRule, places: Places): ReadRule => {
  const command = rule.command === undefined ? null : commandPattern(rule.command, places.home)
  const path = rule.path === undefined ? null : pathPattern(rule.path, places)
  const url = rule.url === undefined ? null : urlPattern(rule.url)
  const read = { command, path, url }
  const isAboutAll = [rule.tool, rule.kind, rule.agent, rule.cli, rule.tag].every((one) => one === undefined)
  return {
    rule,
    ...read,
    isAboutAll,
    isAboutCommands: isAboutAll && command !== null && rule.path === undefined && rule.url === undefined,
    malformed: [
      ...(["tool", "agent", "cli", "tag"] as const).filter((key) => rule[key] !== undefined && !textGlob(rule[key])),
      ...(["command", "path", "url"] as const).filter((key) => rule[key] !== undefined && read[key] === null)
    ]
  }
}

/** A tool's pattern that names a server. */
export const isServer = (tool: string): boolean => /^mcp__(?:(?!__)[^*?])+$/.test(tool)

/** In a deny or ask rule a server's name stands for all of its tools. */
const serverLikelihood = ({ tool }: PolicyRule, { tool: own }: ToolRequest): Likelihood =>
  tool !== undefined && isServer(tool) ? nameLikelihood(`${tool}__*`, own) : "no"

const concernLikelihood = (read: ReadRule, subject: Subject): Likelihood => {
  const own = requestLikelihood(read, subject)
  if (own === "yes" || serverLikelihood(read.rule, subject.request) === "no") return own
  return all([
    serverLikelihood(read.rule, subject.request),
    requestLikelihood({ ...read, rule: { ...read.rule, tool: "*" } }, subject)
  ])
}

/** The likelihood of the conditions on the request as a whole: tool, kind, agent, CLI and tag. */
export const requestLikelihood = ({ isAboutAll, rule }: ReadRule, { request, context }: Subject): Likelihood =>
  isAboutAll
    ? "yes"
    : rule.kind !== undefined && rule.kind !== request.kind
      ? "no"
      : all([
          nameLikelihood(rule.tool, request.tool),
          nameLikelihood(rule.agent, request.agent ?? "main"),
          sessionLikelihood(rule, context)
        ])

const commandLikelihood = ({ command, rule }: ReadRule, { carried, request, candidates }: Subject): Likelihood => {
  if (rule.command === undefined) return "yes"
  if (request.command === null)
    return request.kind === "command" ||
      carried.commands.some((one) => command === null || matchLikelihood(command, one) !== "no") ||
      carried.lines.some((one) => command === null || matchLikelihood(command, one) === "yes")
      ? "maybe"
      : "no"
  return command === null || candidates === null ? "maybe" : matchLikelihood(command, candidates)
}

/** The files that a tool's pattern is about, as components; what stands in parentheses is left open. */
const globPaths = (glob: string, { cwd, paths }: ToolRequest, home: string): ReadonlyArray<LoosePath> => {
  const base = paths[0]?.startsWith("/") === true ? paths[0] : `${cwd}/${paths[0] ?? ""}`
  return (formsOf(glob) ?? ["/**"]).map((form) => {
    if (/\([^)]*\//.test(form)) return ["**"]
    const one = form.replace(/^~(?=\/|$)/, () => home)
    return resolved((one.startsWith("/") ? one : `${base}/${one}`).replace(/[^/]*[()|][^/]*/g, "**"), cwd)
  })
}

/** Whether the directory contains all matches. A pattern for any directory has no such directory. */
const leadsTo = (directory: LoosePath, { bases }: PathPattern): boolean =>
  bases.some(
    (base) =>
      base.length > 0 && directory.length <= base.length && pathsMeet(directory, base.slice(0, directory.length))
  )

/** Whether a path may be what the pattern is about. */
const meets = (path: LoosePath, { concerned }: PathPattern, hidden?: boolean): boolean =>
  concerned.some((one) => pathsMeet(path, one, hidden))

/** The likelihood for the files that a command line names; directories above the matches do not count. */
const namedPathLikelihood = (
  path: PathPattern,
  { named }: ToolRequest,
  filesNamed: ReadonlyArray<PathReading>
): Likelihood =>
  named?.some((one) => path.concerns(normalPath(one.path))) === true
    ? "yes"
    : anyOf(filesNamed, (reading) => anyOf(reading.paths, path.likelihood))

const pathConditionLikelihood = (
  { path, rule }: ReadRule,
  { carried, context, directory, filesNamed, filesPossible, paths, realPaths, request, searched, shell }: Subject
): Likelihood => {
  if (rule.path === undefined) return "yes"
  const files = request.kind === "read" || request.kind === "edit"
  if ((paths.length === 0 && files) || (request.kind === "command" && request.command === null)) return "maybe"
  if (path === null) return paths.length + carried.paths.length > 0 || shell !== null ? "maybe" : "no"
  const own = (reading: PathReading): Likelihood => pathLikelihood(path, reading)
  const found = any([anyOf(paths, own), anyOf(realPaths, own), namedPathLikelihood(path, request, filesNamed)])
  if (found !== "no") return found
  const isPossible =
    (shell !== null && (shell.unclear !== null || shell.files.length > mostNames)) ||
    carried.paths.some((reading) => reading.paths.some((one) => path.likelihood(one) !== "no")) ||
    // A command in a directory may act on everything in it.
    (request.kind === "command" && path.likelihood(directory) !== "no") ||
    // A directory above all matches is a reason to ask only if a command walks through it: not for `ls .`.
    searched.some((one) => leadsTo(one, path)) ||
    (request.globs ?? []).some((glob) =>
      globPaths(glob, request, context.home).some((one) => meets(one, path, true))
    ) ||
    filesPossible.some((one) => meets(one, path))
  return isPossible ? "maybe" : "no"
}

const urlLikelihood = ({ rule, url }: ReadRule, { carried, request, shell, urlsNamed }: Subject): Likelihood => {
  if (rule.url === undefined) return "yes"
  const own = urlsOf(request)
  const urls = [...own, ...urlsNamed]
  if (own.length === 0 && request.kind === "fetch") return "maybe"
  if (url === null) return urls.length + carried.urls.length > 0 ? "maybe" : "no"
  return any([
    // Another program may still read this text as an address.
    own.some(isNoAddress) || carried.urls.some((one) => urlFound(url, one) || namesHost(url, one)) ? "maybe" : "no",
    certain(urls.some((one) => urlFound(url, one))),
    shell !== null &&
    (shell.unclear !== null ||
      shell.found.some(mayConnect) ||
      [...shell.files.map(({ text }) => text), ...shell.carried].some((text) => namesHost(url, text)))
      ? "maybe"
      : "no"
  ])
}

const conditions = [concernLikelihood, commandLikelihood, pathConditionLikelihood, urlLikelihood]

const ownLikelihood = (rule: ReadRule, subject: Subject): Likelihood =>
  allOf(conditions, (condition) => condition(rule, subject))

/** The likelihood for files that a command line only names: without a name there is no match. */
const namedLikelihood = (rule: ReadRule, path: PathPattern | null, subject: Subject): Likelihood =>
  path === null
    ? "maybe"
    : all([
        requestLikelihood(rule, subject),
        any([
          namedPathLikelihood(path, subject.request, subject.filesNamed),
          subject.filesPossible.some((one) => meets(one, path)) ? "maybe" : "no"
        ])
      ])

/** The unread part of a request may be the subject of any rule for its session. */
const unreadLikelihood = ({ rule }: ReadRule, { context }: Subject): Likelihood =>
  all(["maybe", sessionLikelihood(rule, context)])

/** Whether a deny or ask rule matches; `maybe` if that cannot be ruled out. */
export const ruleLikelihood = (rule: ReadRule, subject: Subject): Likelihood =>
  subject.request.unread === undefined
    ? readLikelihood(rule, subject)
    : any([unreadLikelihood(rule, subject), readLikelihood(rule, subject)])

const readLikelihood = (rule: ReadRule, subject: Subject): Likelihood =>
  rule.rule.kind !== "edit" || subject.shell === null || rule.rule.path === undefined
    ? ownLikelihood(rule, subject)
    : any([
        ownLikelihood(rule, subject),
        ...subject.writes.map((write) => ownLikelihood(rule, write)),
        ...subject.edits.map(({ edit, how }) => all([how, namedLikelihood(rule, rule.path, edit)]))
      ])
