import type { PolicyRule } from "../store/settings/PolicySettings.ts"

const form = /^\s*([\w.*:-]+)\s*(?:\((.*)\)\s*)?$/s
/** What the pattern in parentheses after a kind is about. */
const patternOf = { command: "command", read: "path", edit: "path", fetch: "url" } as const
const plainKinds: ReadonlySet<string> = new Set(["mcp", "agent", "other"])

export const ruleForms =
  "command(…), path(…), url(…), read(…), edit(…), fetch(…), one of the kinds command, read, edit, fetch, mcp, agent, or a tool's name"

/**
 * Parses a rule in one line, without the verdict of `ruleText`: `command(git push *)`, `path(~/.ssh/**)`, `url(…)`,
 * `read(…)`, `edit(…)`, `fetch(…)`, a kind alone, or the CLI's own name of a tool. Null for anything else: a pattern
 * after a tool's name could be a command, a path or an address.
 */
export const parseRule = (text: string): PolicyRule | null => {
  const [, name = "", pattern] = form.exec(text) ?? []
  if (name === "" || pattern === "") return null
  if (pattern === undefined) {
    if (name === "path" || name === "url") return null
    return Object.hasOwn(patternOf, name) || plainKinds.has(name)
      ? { kind: name as NonNullable<PolicyRule["kind"]> }
      : { tool: name }
  }
  if (name === "command" || name === "path" || name === "url") return { [name]: pattern }
  if (name === "read" || name === "edit" || name === "fetch") return { kind: name, [patternOf[name]]: pattern }
  return null
}
