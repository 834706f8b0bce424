import type { PolicyRule } from "../store/settings/Settings.ts"
import { oneLine } from "../words/text/printable.ts"
import type { Verdict } from "./Decision.ts"

/**
 * A rule in one line: its verdict, its tool, its command, path or url in parentheses, and further conditions in
 * brackets. `deny Bash(rm -rf *)`, `ask edit(~/.ssh/**)`, `allow command(git status) [tag=ci-*]`, `deny *`.
 */
export const ruleText = (verdict: Verdict, rule: PolicyRule): string => {
  const [main] = (["command", "path", "url"] as const).filter((key) => rule[key] !== undefined)
  const name = rule.tool ?? rule.kind ?? main ?? "*"
  const more = (["kind", "command", "path", "url", "agent", "cli", "tag"] as const)
    .filter((key) => rule[key] !== undefined && key !== main && !(key === "kind" && rule.tool === undefined))
    .map((key) => `${key}=${rule[key]}`)
  const text = `${verdict} ${name}${main === undefined ? "" : `(${rule[main]})`}${more.length === 0 ? "" : ` [${more.join(", ")}]`}`
  return oneLine(text, 400)
}
