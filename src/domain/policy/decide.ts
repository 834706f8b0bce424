import type { Modes } from "../Session.ts"
import type { Policy, PolicyRule } from "../settings/Settings.ts"
import type { Decision, Verdict } from "./Decision.ts"
import type { Likelihood } from "./Likelihood.ts"
import { likely, type ReadRule, readRule, type Setting, type Subject, subjectOf, surely } from "./RuleMatch.ts"
import { ruleText } from "./RuleText.ts"
import { personal, type ToolRequest } from "./ToolRequest.ts"

export interface DeciderOptions {
  readonly policy: Policy
  readonly home: string
  readonly tag: string
  readonly cli: string
  /** The CLI that `cli` is a variant of: a rule that names either is meant. */
  readonly base?: string
  /** The session's directory, which relative path patterns mean. */
  readonly directory: string
}

export interface DecideOptions extends Omit<DeciderOptions, "directory"> {
  readonly mode: Modes["autoSend"]
  /** Without it, the directory of the request. */
  readonly directory?: string
}

const because = ({ reason }: PolicyRule): string => reason === undefined || reason.trim() === "" ? "" : `: ${reason.trim()}`

/** The first rule that is as likely as wanted. */
const first = (rules: ReadonlyArray<ReadRule>, subject: Subject, wanted: Likelihood): PolicyRule | null =>
  rules.find((rule) => likely(rule, subject) === wanted)?.rule ?? null

/** The allow rules that cover the whole request; null where a part of it is not covered. */
const covering = (rules: ReadonlyArray<ReadRule>, subject: Subject): ReadonlyArray<PolicyRule> | null => {
  const whole = rules.find((rule) => rule.rule.command === undefined && surely(rule, subject, null))
  if (whole !== undefined) return [whole.rule]
  if (subject.shell === null || subject.unallowable !== null) return null
  const used = new Set<PolicyRule>()
  for (const command of subject.shell.commands) {
    if (command.words.length + command.assignments.length === 0) continue
    const found = rules.find((rule) => rule.rule.command !== undefined && surely(rule, subject, command))
    if (found === undefined) return null
    used.add(found.rule)
  }
  return used.size === 0 ? null : [...used]
}

const texts = (verdict: Verdict, rules: ReadonlyArray<PolicyRule>): string => {
  const all = [...new Set(rules.map((rule) => ruleText(verdict, rule)))]
  return all.length <= 3 ? all.join(", ") : `${all.slice(0, 3).join(", ")} and ${all.length - 3} more`
}

/**
 * What leap says to a request. What is asked of a person is never answered; then the first deny rule that matches decides,
 * then ask rules and whatever deny rule cannot be ruled out, then allow rules, then the session's mode. Total: whatever the
 * request and the rules hold, there is a decision, and in doubt it is `ask`.
 */
export const decide = ({ directory, mode, ...options }: DecideOptions, request: ToolRequest): Decision =>
  decider({ ...options, directory: directory ?? request.cwd })(mode, request)

/** The same for many requests: the rules are read once. */
export const decider = ({ base, cli, directory, home, policy, tag }: DeciderOptions) => {
  const setting: Setting = { tag, clis: base === undefined || base === cli ? [cli] : [cli, base], home, directory }
  const read = (rules: ReadonlyArray<PolicyRule>) => rules.map((rule) => readRule(rule, setting))
  const rules = { deny: read(policy.deny), ask: read(policy.ask), allow: read(policy.allow) }
  return (mode: Modes["autoSend"], request: ToolRequest): Decision => judge(rules, policy, setting, mode, request)
}

interface ReadPolicy {
  readonly deny: ReadonlyArray<ReadRule>
  readonly ask: ReadonlyArray<ReadRule>
  readonly allow: ReadonlyArray<ReadRule>
}

const judge = ({ allow, ask, deny }: ReadPolicy, policy: Policy, setting: Setting, mode: Modes["autoSend"], request: ToolRequest): Decision => {
  if (personal.has(request.kind)) return { verdict: "ask", rule: null, why: `a ${request.kind} is for the user to answer` }
  const subject = subjectOf(request, setting, policy)

  const denied = first(deny, subject, "yes")
  if (denied !== null) {
    const rule = ruleText("deny", denied)
    return { verdict: "deny", rule, why: `refused by a rule of the user's (${rule})${because(denied)}` }
  }
  const asked = first(ask, subject, "yes")
  if (asked !== null) {
    const rule = ruleText("ask", asked)
    return { verdict: "ask", rule, why: `a rule of the user's asks for this (${rule})${because(asked)}` }
  }
  for (const [verdict, rules] of [["deny", deny], ["ask", ask]] as const) {
    const possible = first(rules, subject, "maybe")
    if (possible === null) continue
    const rule = ruleText(verdict, possible)
    const doubt = subject.shell?.unclear ?? null
    return { verdict: "ask", rule, why: `it may be what a rule of the user's is about (${rule})${doubt === null ? "" : `: ${doubt}`}` }
  }
  const allowing = covering(allow, subject)
  if (allowing !== null) {
    const rule = texts("allow", allowing)
    return { verdict: "allow", rule, why: `allowed by a rule of the user's (${rule})` }
  }
  if (mode === "always") return { verdict: "allow", rule: null, why: "no rule is against it, and the session's mode is always" }
  const near = subject.unallowable === null || !policy.allow.some((rule) => rule.command !== undefined)
    ? ""
    : ` (no command rule can allow it: ${subject.unallowable})`
  return { verdict: "ask", rule: null, why: `no rule allows it${near}, and the session's mode is pause` }
}
