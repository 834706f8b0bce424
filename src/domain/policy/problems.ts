import { Schema } from "effect"
import type { Policy, PolicyRule } from "../store/settings/Settings.ts"
import { Tag } from "../words/session/Tag.ts"
import { hasOperator } from "./CommandPattern.ts"
import type { Verdict } from "./Decision.ts"
import { isServer, readRule } from "./RuleMatch.ts"
import { ruleText } from "./RuleText.ts"
import { longestPattern, matches, textGlob } from "./TextGlob.ts"

/** `Bash(rm *)`: the notation of other programs. */
const called = /^\s*([A-Za-z_][\w-]*)\((.*)\)\s*$/s

/** The malformed patterns of a rule, for the user. */
const malformedIn = (verdict: Verdict, rule: PolicyRule): ReadonlyArray<string> =>
  readRule(rule, { home: "/home", directory: "/" }).malformed.map((field) => {
    const pattern = rule[field] ?? ""
    const what =
      pattern === ""
        ? "is empty"
        : pattern.length > longestPattern
          ? `is longer than ${longestPattern} characters`
          : "cannot be read"
    return `the pattern of '${field}' ${what}: ${verdict === "allow" ? "the rule allows nothing" : "what it might be about is asked"}`
  })

/**
 * The errors in a rule, and its surprises, for the user: what matches nothing here, or something else than was intended,
 * often in the notation of other programs. `clis`: the ids of all CLIs; null where they are not known.
 */
export const ruleProblems = (
  verdict: Verdict,
  rule: PolicyRule,
  clis: ReadonlyArray<string> | null = null
): ReadonlyArray<string> => {
  const { agent, cli, command, kind, path, tag, tool, url } = rule
  const allows = verdict === "allow"
  const isBare = [agent, cli, command, kind, path, tag, tool, url].every((one) => one === undefined)
  const [line, place, named] = [command ?? "", path ?? "", tool ?? ""]
  const words = line.trim()
  const toolCall = called.exec(named)
  const commandCall = called.exec(line)
  const glob = cli === undefined ? null : textGlob(cli)
  const found: ReadonlyArray<readonly [boolean, string]> = [
    [allows && isBare, "it allows everything, as the mode 'always' does"],
    [
      hasOperator(line),
      allows
        ? "a command pattern is about one simple command, and none has an operator of the shell in it: the rule allows nothing"
        : "a command pattern is about one simple command; with an operator of the shell in it, it is compared with whole lines only"
    ],
    [allows && /^[*?]/.test(words), "it allows whatever command ends so: begin with the program's name"],
    [/^\S*\{|^\[[^\s\]]/.test(line), "in 'command' only * and ? are special: write a rule for each program"],
    [/[[\]{}|]/.test(named), "in 'tool' only * and ? are special: write a rule for each tool"],
    [allows && isServer(named), `'${tool}' is a server, and no tool: write "tool": "${tool}__*" for all of its tools`],
    [place.startsWith("!"), "'!' is no negation here: it is part of the name"],
    [kind !== undefined && kind !== "command" && command !== undefined, `a request of kind '${kind}' has no command`],
    [
      allows && kind === "command" && command === undefined && (path !== undefined || url !== undefined),
      "a command is not allowed by path or address alone: the rule allows nothing"
    ],
    [
      toolCall !== null,
      `no tool is called '${tool}': write "tool": "${toolCall?.[1]}", and what is in the parentheses as "command", "path" or "url"`
    ],
    [
      commandCall !== null,
      `no command looks like '${command}': write "tool": "${commandCall?.[1]}", "command": "${commandCall?.[2]}"`
    ],
    [
      // In an allow rule it may be an argument (`npm run test:*`), and what the rule does not match is asked.
      /:\*$/.test(words) && (!allows || /^\S+$/.test(words)),
      `':*' stands for itself and what follows, as in '${words.slice(0, -2)}:x': for any arguments write "${words.slice(0, -2)} *"`
    ],
    [
      [tool, command, path, url].some((pattern) => pattern?.startsWith("^") === true),
      "patterns are no regular expressions: '^' is part of the text"
    ],
    ...Object.entries({ tool, path, url, agent, cli, tag }).map(
      ([field, value = ""]) =>
        [value !== value.trim(), `'${field}' begins or ends with a blank, which is part of the pattern`] as const
    ),
    [place.trim().startsWith("$"), "variables are not put into a path: write ~ for the home directory"],
    [/^~[^/]/.test(place), `'${place.split("/", 1)[0]}' is part of the name here: only ~ alone is a home directory`],
    [/^\w+\.\*/.test(line), "patterns are no regular expressions: '.' is part of the text"],
    [/^[a-z][a-z0-9+.-]*:\/\//i.test(place), "'path' is for files, without 'file://'; an address goes into 'url'"],
    [url?.startsWith("domain:") === true, `'domain:' is part of the pattern here: write "url": "${url?.slice(7)}"`],
    [(kind === "edit" || kind === "read") && url !== undefined, `a request of kind '${kind}' has no address`],
    [kind === "fetch" && path !== undefined, "a request of kind 'fetch' has no path"],
    [tag !== undefined && !/[*?\\]/.test(tag) && !Schema.is(Tag)(tag), `no session can be called '${tag}'`],
    [
      glob !== null && clis?.some((id) => matches(glob, id)) === false,
      `no CLI is called '${cli}'; there are ${clis?.join(", ")}`
    ]
  ]
  return [...malformedIn(verdict, rule), ...found.flatMap(([is, says]) => (is ? [says] : []))]
}

/** The problems of all rules, for the user: malformed patterns, and rules that do not do what they seem to. */
export const policyProblems = (policy: Policy, clis: ReadonlyArray<string> | null = null): ReadonlyArray<string> =>
  (["deny", "ask", "allow"] as const).flatMap((verdict) =>
    policy[verdict].flatMap((rule) =>
      ruleProblems(verdict, rule, clis).map((problem) => `${ruleText(verdict, rule)}: ${problem}`)
    )
  )
