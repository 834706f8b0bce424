import type { PolicyRule } from "../settings/Settings.ts"
import { coveredBy, isHarmlessTarget } from "./CommandCoverage.ts"
import { changesDirectory } from "./DirectoryReach.ts"
import { pathAllowed, type PathPattern, type PathReading, readPath } from "./PathPattern.ts"
import { type ReadRule, requestLikelihood } from "./RuleMatch.ts"
import { isSure, type ShellWord } from "./ShellWords.ts"
import type { Subject } from "./Subject.ts"
import { type ToolRequest, urlsOf } from "./ToolRequest.ts"
import { urlAllowed } from "./UrlPattern.ts"

/** The request is of the kind that a rule about a path, an address or a command is written for. */
const usual = ({ path, url }: PolicyRule, { kind }: ToolRequest): boolean =>
  (path === undefined || kind === "read" || kind === "edit" || kind === "command") &&
  (url === undefined || kind === "fetch" || kind === "command")

/** Whether an argument may name a file that the pattern does not certainly match. */
const mayBePath = (
  { name, text }: { readonly name: string; readonly text: string },
  reading: PathReading | undefined,
  pattern: PathPattern
): boolean =>
  (/[/\\~]|^\.\.?$/.test(text) || /path|file|dir|folder|source|target|dest/i.test(name)) &&
  (reading === undefined || !pathAllowed(pattern, reading))

/**
 * Whether an allow rule certainly matches, apart from its condition on commands: for a request with a command line, the
 * rules cover its simple commands together.
 */
const otherwiseAllows = (read: ReadRule, subject: Subject): boolean => {
  const { malformed, path, rule, url } = read
  const { carried, paths, realPaths, request } = subject
  if (malformed.length > 0 || requestLikelihood(read, subject) !== "yes") return false
  // a rule that names no tool is about files and addresses, not about any tool that happens to have a path
  if (rule.tool === undefined && rule.kind === undefined && !usual(rule, request)) return false
  if (
    rule.path !== undefined &&
    (path === null ||
      paths.length === 0 ||
      (request.globs ?? []).some((glob) => /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(glob)) ||
      ![...paths, ...realPaths].every((one) => pathAllowed(path, one)) ||
      // another argument of a tool that is not known may be a path, too
      (request.kind !== "fetch" && (request.carried ?? []).some((one, i) => mayBePath(one, carried.paths[i], path))))
  )
    return false
  if (rule.url === undefined || url === null) return rule.url === undefined
  // of a command line, each command is looked at by itself
  if (rule.command !== undefined) return request.command !== null
  const urls = urlsOf(request)
  return (
    urls.length > 0 &&
    urls.every((one) => urlAllowed(url, one)) &&
    (request.kind === "fetch" || carried.urls.every((one) => urlAllowed(url, one)))
  )
}

/** Whether a rule for edits certainly covers a file that a redirection writes, wherever links lead. */
const allowsWrite = (read: ReadRule, word: ShellWord, subject: Subject): boolean => {
  const { path, rule } = read
  if (path === null || rule.kind !== "edit" || rule.tool !== undefined || !isSure(word) || read.malformed.length > 0)
    return false
  const { context, request } = subject
  const leads = request.named?.find((one) => one.word === word.text)
  if (request.named !== undefined && leads === undefined) return false
  const written = { ...request, kind: "edit" as const }
  if (requestLikelihood(read, { ...subject, request: written }) !== "yes") return false
  return [word.text, ...(leads === undefined ? [] : [leads.path])].every((one) =>
    pathAllowed(path, readPath(one, request.cwd, context.home))
  )
}

/** The allow rules that together cover the whole request; null where a part of it is not covered. */
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
  const loops = new Set(shell.undashed)
  const used = new Set<PolicyRule>()
  const changes = shell.commands.some(({ words }) => changesDirectory(words))
  for (const command of shell.commands) {
    const found = coveredBy(patterns, command, loops)
    if (found === null) return null
    for (const { rule } of found) used.add(rule)
    for (const word of command.writes) {
      if (isHarmlessTarget(word)) continue
      // after a change of directory a relative name is another file
      const writer =
        changes && !word.text.startsWith("/") ? undefined : rules.find((read) => allowsWrite(read, word, subject))
      if (writer === undefined) return null
      used.add(writer.rule)
    }
  }
  return used.size === 0 ? null : [...used]
}
