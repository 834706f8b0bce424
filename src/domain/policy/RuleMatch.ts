import type { Policy, PolicyRule } from "../settings/Settings.ts"
import { allows, type CommandPattern, commandPattern, finds, notAllowable, type Suspects, suspects } from "./CommandPattern.ts"
import { all, any, certain, type Likelihood } from "./Likelihood.ts"
import { pathAllowed, pathLikely, type PathPattern, pathPattern, type PathReading, type Places, readPath } from "./PathPattern.ts"
import { readCommandLine, type ShellReading } from "./ShellInner.ts"
import type { ShellCommand } from "./ShellWords.ts"
import { matches, textGlob } from "./TextGlob.ts"
import type { ToolRequest } from "./ToolRequest.ts"
import { type UrlPattern, urlAllowed, urlFound, urlPattern } from "./UrlPattern.ts"

/** Where a request comes from, and what the words of rules stand for there. */
export interface Setting extends Places {
  readonly tag: string
  /** The CLI's id, and the id of the one that it is a variant of. */
  readonly clis: ReadonlyArray<string>
}

/** A request, with what has been found out about it. */
export interface Subject {
  readonly request: ToolRequest
  readonly setting: Setting
  /** Its command line, read; null where it has none. */
  readonly shell: ShellReading | null
  readonly suspects: Suspects | null
  /** Why patterns cannot allow its command line; null where they can. */
  readonly unallowable: string | null
  readonly paths: ReadonlyArray<PathReading>
  readonly realPaths: ReadonlyArray<PathReading>
  /** What in its command line may be a file, and an address. */
  readonly filesNamed: ReadonlyArray<PathReading>
  readonly urlsNamed: ReadonlyArray<string>
}

/** What in a word may be the name of a file: the word, and what an option or a prefix is given (`--file=x`, `of=x`, `@x`, `-fx`). */
const namesIn = (word: string, home: string): ReadonlyArray<string> => {
  const value = /^(?:-{1,2}[\w-]*[=:]|\w+=|@|-[A-Za-z](?=[/~.]))(.+)$/s.exec(word)?.[1]
  return (value === undefined ? [word] : [word, value]).map((name) =>
    name.replace(/^(?:\$HOME|\$\{HOME\})(?=\/|$)/, () => home).replace(/^file:\/\/(?:localhost)?(?=\/)/i, "")
  )
}

/** More names than this are not looked at one by one. */
const mostNames = 5_000

/** Looks at a request once, for all rules. */
export const subjectOf = (request: ToolRequest, setting: Setting, policy: Policy): Subject => {
  const { cwd } = request
  const { home } = setting
  const rules = [...policy.deny, ...policy.ask, ...policy.allow]
  const wanted = rules.some((rule) => rule.command !== undefined || rule.path !== undefined || rule.url !== undefined)
  const shell = request.command === null || !wanted ? null : readCommandLine(request.command)
  const names = shell === null ? [] : shell.files.slice(0, mostNames).flatMap((word) => namesIn(word.text, home))
  return {
    request,
    setting,
    shell,
    suspects: shell === null ? null : suspects(request.command ?? "", shell, home),
    unallowable: shell === null ? null : notAllowable(shell),
    paths: request.paths.map((path) => readPath(path, cwd, home)),
    realPaths: (request.realPaths ?? []).map((path) => readPath(path, cwd, home)),
    // a word is no path because it is odd as one
    filesNamed: names.map((name) => ({ ...readPath(name, cwd, home), certain: true })),
    urlsNamed: names.filter((name) => name.includes("://"))
  }
}

/** A rule with its patterns read. */
export interface ReadRule {
  readonly rule: PolicyRule
  readonly command: CommandPattern | null
  readonly path: PathPattern | null
  readonly url: UrlPattern | null
  /** The fields whose patterns are malformed. */
  readonly malformed: ReadonlyArray<"tool" | "command" | "path" | "url" | "agent" | "cli" | "tag">
}

export const readRule = (rule: PolicyRule, places: Places): ReadRule => {
  const command = rule.command === undefined ? null : commandPattern(rule.command, places.home)
  const path = rule.path === undefined ? null : pathPattern(rule.path, places)
  const url = rule.url === undefined ? null : urlPattern(rule.url)
  const bad = (["tool", "agent", "cli", "tag"] as const).filter((key) => rule[key] !== undefined && textGlob(rule[key]) === null)
  return {
    rule,
    command,
    path,
    url,
    malformed: [
      ...bad,
      ...(rule.command !== undefined && command === null ? ["command" as const] : []),
      ...(rule.path !== undefined && path === null ? ["path" as const] : []),
      ...(rule.url !== undefined && url === null ? ["url" as const] : [])
    ]
  }
}

const plain = (pattern: string | undefined, text: string): Likelihood => {
  if (pattern === undefined) return "yes"
  const glob = textGlob(pattern)
  return glob === null ? "maybe" : certain(matches(glob, text))
}

/** A name as the CLI has it; one that differs in its case only may be meant. */
const named = (pattern: string | undefined, name: string): Likelihood =>
  plain(pattern, name) === "no" && pattern !== undefined && plain(pattern.toLowerCase(), name.toLowerCase()) === "yes" ? "maybe" : plain(pattern, name)

/** The conditions that are about the request as a whole. */
const outer = ({ rule }: ReadRule, { request, setting }: Subject): Likelihood =>
  all([
    named(rule.tool, request.tool),
    certain(rule.kind === undefined || rule.kind === request.kind),
    named(rule.agent, request.agent ?? "main"),
    any(setting.clis.map((cli) => named(rule.cli, cli))),
    plain(rule.tag, setting.tag)
  ])

const commandLikely = ({ command, rule }: ReadRule, { request, suspects }: Subject): Likelihood => {
  if (rule.command === undefined) return "yes"
  if (request.command === null) return request.kind === "command" ? "maybe" : "no"
  return command === null || suspects === null ? "maybe" : finds(command, suspects)
}

const pathLike = ({ path, rule }: ReadRule, { filesNamed, paths, realPaths, request, shell }: Subject): Likelihood => {
  if (rule.path === undefined) return "yes"
  const files = request.kind === "read" || request.kind === "edit"
  if (paths.length === 0 && files || request.kind === "command" && request.command === null) return "maybe"
  if (path === null) return paths.length > 0 || shell !== null ? "maybe" : "no"
  return any([
    ...[...paths, ...realPaths].map((reading) => pathLikely(path, reading)),
    // a word that names a directory above is no reason to ask: every `ls .` would be
    certain(filesNamed.some((reading) => reading.paths.some((one) => path.matches(one)))),
    shell !== null && (shell.unclear !== null || shell.files.length > mostNames) ? "maybe" : "no"
  ])
}

const urlLikely = ({ rule, url }: ReadRule, { request, shell, urlsNamed }: Subject): Likelihood => {
  if (rule.url === undefined) return "yes"
  const urls = request.url === null ? urlsNamed : [request.url, ...urlsNamed]
  if (request.url === null && request.kind === "fetch") return "maybe"
  if (url === null) return urls.length > 0 ? "maybe" : "no"
  return any([certain(urls.some((one) => urlFound(url, one))), shell !== null && shell.unclear !== null ? "maybe" : "no"])
}

/** Whether a deny or ask rule matches; where that cannot be ruled out, `maybe`. */
export const likely = (rule: ReadRule, subject: Subject): Likelihood =>
  all([outer(rule, subject), commandLikely(rule, subject), pathLike(rule, subject), urlLikely(rule, subject)])

/**
 * Whether an allow rule certainly matches. Of a request with a command line it is asked for each simple command, unless the
 * rule has nothing to say of commands, paths or addresses.
 */
export const surely = (read: ReadRule, subject: Subject, command: ShellCommand | null): boolean => {
  const { malformed, rule } = read
  const { paths, realPaths, request } = subject
  if (malformed.length > 0 || outer(read, subject) !== "yes") return false
  if (rule.command === undefined && request.command !== null && (rule.path !== undefined || rule.url !== undefined)) return false
  if (rule.command !== undefined && (read.command === null || command === null || !allows(read.command, command))) return false
  const { path, url } = read
  if (rule.path !== undefined && (path === null || paths.length === 0 || ![...paths, ...realPaths].every((one) => pathAllowed(path, one)))) return false
  return rule.url === undefined || url !== null && request.url !== null && urlAllowed(url, request.url)
}
