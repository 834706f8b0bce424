import { Schema } from "effect"
import type { Policy, PolicyRule } from "../store/settings/Settings.ts"
import { Tag } from "../words/session/Tag.ts"
import { hasOperator } from "./CommandPattern.ts"
import type { Verdict } from "./Decision.ts"
import { readRule } from "./RuleMatch.ts"
import { ruleText } from "./RuleText.ts"
import { longestPattern, matches, textGlob } from "./TextGlob.ts"

/** `Bash(rm *)`: the notation of other programs. */
const called = /^\s*([A-Za-z_][\w-]*)\((.*)\)\s*$/s

/**
 * Fields in the notation of other programs, which match nothing here, or something else than was intended. `clis`: the
 * ids of all CLIs; null where they are not known.
 */
const misread = (
  verdict: Verdict,
  { agent, cli, command, kind, path, tag, tool, url }: PolicyRule,
  clis: ReadonlyArray<string> | null
): ReadonlyArray<string> => {
  const found: Array<string> = []
  const toolCall = called.exec(tool ?? "")
  if (toolCall !== null)
    found.push(
      `no tool is called '${tool}': write "tool": "${toolCall[1]}", and what is in the parentheses as "command", "path" or "url"`
    )
  const commandCall = called.exec(command ?? "")
  if (commandCall !== null)
    found.push(`no command looks like '${command}': write "tool": "${commandCall[1]}", "command": "${commandCall[2]}"`)
  // In an allow rule it may be an argument (`npm run test:*`), and what the rule does not match is asked.
  if (
    command !== undefined &&
    /^\S+:\*$|:\*$/.test(command.trim()) &&
    (verdict !== "allow" || /^\S+$/.test(command.trim()))
  ) {
    const program = command.trim().slice(0, -2)
    found.push(`':*' stands for itself and what follows, as in '${program}:x': for any arguments write "${program} *"`)
  }
  if ([tool, command, path, url].some((pattern) => pattern?.startsWith("^") === true))
    found.push("patterns are no regular expressions: '^' is part of the text")
  for (const [field, value] of Object.entries({ tool, path, url, agent, cli, tag })) {
    if (value !== undefined && value !== value.trim())
      found.push(`'${field}' begins or ends with a blank, which is part of the pattern`)
  }
  if (path?.trim().startsWith("$") === true)
    found.push("variables are not put into a path: write ~ for the home directory")
  if (path !== undefined && /^~[^/]/.test(path))
    found.push(`'${path.split("/", 1)[0]}' is part of the name here: only ~ alone is a home directory`)
  if (/^\w+\.\*/.test(command ?? "")) found.push("patterns are no regular expressions: '.' is part of the text")
  if (path !== undefined && /^[a-z][a-z0-9+.-]*:\/\//i.test(path))
    found.push("'path' is for files, without 'file://'; an address goes into 'url'")
  if (url?.startsWith("domain:") === true)
    found.push(`'domain:' is part of the pattern here: write "url": "${url.slice(7)}"`)
  if ((kind === "edit" || kind === "read") && url !== undefined)
    found.push(`a request of kind '${kind}' has no address`)
  if (kind === "fetch" && path !== undefined) found.push("a request of kind 'fetch' has no path")
  if (tag !== undefined && !/[*?\\]/.test(tag) && !Schema.is(Tag)(tag)) found.push(`no session can be called '${tag}'`)
  const glob = cli === undefined ? null : textGlob(cli)
  if (clis !== null && glob !== null && !clis.some((id) => matches(glob, id)))
    found.push(`no CLI is called '${cli}'; there are ${clis.join(", ")}`)
  return found
}

/**
 * The errors in a rule, and its surprises, for the user. `clis`: the ids of all CLIs; null where they are not known.
 */
export const ruleProblems = (
  verdict: Verdict,
  rule: PolicyRule,
  clis: ReadonlyArray<string> | null = null
): ReadonlyArray<string> => {
  const { malformed } = readRule(rule, { home: "/home", directory: "/" })
  const found = malformed.map((field) => {
    const pattern = rule[field] ?? ""
    const what =
      pattern === ""
        ? "is empty"
        : pattern.length > longestPattern
          ? `is longer than ${longestPattern} characters`
          : "cannot be read"
    return `the pattern of '${field}' ${what}: ${verdict === "allow" ? "the rule allows nothing" : "what it might be about is asked"}`
  })
  const { agent, cli, command, kind, path, tag, tool, url } = rule
  const conditions = [agent, cli, command, kind, path, tag, tool, url]
  if (verdict === "allow" && conditions.every((one) => one === undefined))
    found.push("it allows everything, as the mode 'always' does")
  if (command !== undefined && hasOperator(command)) {
    found.push(
      verdict === "allow"
        ? "a command pattern is about one simple command, and none has an operator of the shell in it: the rule allows nothing"
        : "a command pattern is about one simple command; with an operator of the shell in it, it is compared with whole lines only"
    )
  }
  if (command !== undefined && verdict === "allow" && /^[*?]/.test(command.trim()))
    found.push("it allows whatever command ends so: begin with the program's name")
  if (command !== undefined && /^\S*\{|^\[[^\s\]]/.test(command))
    found.push("in 'command' only * and ? are special: write a rule for each program")
  if (tool !== undefined && /[[\]{}|]/.test(tool))
    found.push("in 'tool' only * and ? are special: write a rule for each tool")
  if (tool !== undefined && verdict === "allow" && /^mcp__(?:(?!__)[^*?])+$/.test(tool))
    found.push(`'${tool}' is a server, and no tool: write "tool": "${tool}__*" for all of its tools`)
  if (path !== undefined && path.startsWith("!")) found.push("'!' is no negation here: it is part of the name")
  if (kind !== undefined && kind !== "command" && command !== undefined)
    found.push(`a request of kind '${kind}' has no command`)
  if (kind === "command" && verdict === "allow" && command === undefined && (path !== undefined || url !== undefined)) {
    found.push("a command is not allowed by path or address alone: the rule allows nothing")
  }
  return [...found, ...misread(verdict, rule, clis)]
}

/** The problems of all rules, for the user: malformed patterns, and rules that do not do what they seem to. */
export const policyProblems = (policy: Policy, clis: ReadonlyArray<string> | null = null): ReadonlyArray<string> =>
  (["deny", "ask", "allow"] as const).flatMap((verdict) =>
    policy[verdict].flatMap((rule) =>
      ruleProblems(verdict, rule, clis).map((problem) => `${ruleText(verdict, rule)}: ${problem}`)
    )
  )
