import type { Modes } from "../words/session/Session.ts"
import type { Policy, PolicyRule } from "../store/settings/Settings.ts"
import type { Decision, Verdict } from "./Decision.ts"
import type { Likelihood } from "./Likelihood.ts"
import { decideByMode, unreadText } from "./decideByMode.ts"
import { covering } from "./RuleCoverage.ts"
import { ruleLikelihood, type ReadRule, readRule } from "./RuleMatch.ts"
import { ruleText } from "./RuleText.ts"
import { type RequestContext, type Subject, subjectOf } from "./Subject.ts"
import { personal, type ToolRequest } from "./ToolRequest.ts"

/** What the decisions of one session have in common. */
export interface DeciderOptions {
  readonly policy: Policy
  readonly home: string
  readonly tag: string
  readonly cli: string
  /** The CLI of which `cli` is a variant: rules for either one apply. */
  readonly base?: string
  /** The session's directory, to which path patterns are relative. */
  readonly directory: string
}

/** The input of a single decision. */
export interface DecideOptions extends Omit<DeciderOptions, "directory"> {
  readonly mode: Modes["autoSend"]
  /** By default the request's directory. */
  readonly directory?: string
}

const byRule = (verdict: Verdict, rule: string, how: string, more = ""): Decision =>
  more === "" ? { verdict, rule, why: `${how} (${rule})` } : { verdict, rule, why: `${how} (${rule}): ${more}`, more }

/** The first rule that certainly matches, and the first that may match among the rules up to it. */
const matching = (rules: ReadonlyArray<ReadRule>, subject: Subject) => {
  let maybe: PolicyRule | null = null
  for (const one of rules) {
    const likelihood: Likelihood = ruleLikelihood(one, subject)
    if (likelihood === "yes") return { yes: one.rule, maybe }
    if (likelihood === "maybe") maybe ??= one.rule
  }
  return { yes: null, maybe }
}

const texts = (verdict: Verdict, rules: ReadonlyArray<PolicyRule>): string => {
  const all = [...new Set(rules.map((rule) => ruleText(verdict, rule)))]
  return all.length <= 3 ? all.join(", ") : `${all.slice(0, 3).join(", ")} and ${all.length - 3} more`
}

/**
 * leap's decision on a request. A question to a person is left to the user. Otherwise the order is: the first matching
 * deny rule, matching ask rules, deny and ask rules that cannot be ruled out (`ask`), allow rules, the session's mode.
 * Total: every request gets a decision, and in doubt it is `ask`.
 */
export const decide = ({ directory, mode, ...options }: DecideOptions, request: ToolRequest): Decision =>
  decider({ ...options, directory: directory ?? request.cwd })(mode, request)

/** The same for many requests: the rules are parsed once. */
export const decider = ({ base, cli, directory, home, policy, tag }: DeciderOptions) => {
  const context: RequestContext = {
    tag,
    clis: base === undefined || base === cli ? [cli] : [cli, base],
    home,
    directory
  }
  const read = (rules: ReadonlyArray<PolicyRule>) => rules.map((rule) => readRule(rule, context))
  const against = [
    ["deny", read(policy.deny), "refused by a rule of the user's"],
    ["ask", read(policy.ask), "a rule of the user's asks for this"]
  ] as const
  const allow = read(policy.allow)
  return (mode: Modes["autoSend"], request: ToolRequest): Decision => {
    const plain = decideByMode(mode, request)
    if (personal.has(request.kind)) return plain
    const subject = subjectOf(request, context, policy)
    const possible: Array<string> = []
    for (const [verdict, rules, how] of against) {
      const { maybe, yes } = matching(rules, subject)
      if (yes !== null) return byRule(verdict, ruleText(verdict, yes), how, yes.reason?.trim())
      if (maybe !== null) possible.push(ruleText(verdict, maybe))
    }
    const unclear = subject.shell?.unclear ?? (request.unread === undefined ? "" : unreadText(request.unread))
    if (possible[0] !== undefined)
      return byRule("ask", possible[0], "it may be what a rule of the user's is about", unclear)
    if (request.unread !== undefined) return plain
    const allowing = covering(allow, subject)
    if (allowing !== null) return byRule("allow", texts("allow", allowing), "allowed by a rule of the user's")
    return subject.unallowable === null || !policy.allow.some((rule) => rule.command !== undefined)
      ? plain
      : decideByMode(mode, request, ` (no command rule can allow it: ${subject.unallowable})`)
  }
}
