import type { Decision } from "../../policy/Decision.ts"
import type { ToolRequest } from "../../policy/ToolRequest.ts"
import type { Modes } from "../../words/session/Session.ts"
import type { Policy, PolicyRule } from "../../store/settings/Settings.ts"

/** Decisions under uncertainty: about the request, its paths' targets, the rules or the audit. */

export const hasRules = ({ allow, ask, deny }: Policy): boolean => allow.length + ask.length + deny.length > 0

/** The decision for a request that no hook has reported. Any deny or ask rule could concern it, so it then asks. */
export const decideUnknown = (policy: Policy, mode: Modes["autoSend"]): Decision => {
  const rules = policy.deny.length + policy.ask.length
  if (mode === "always" && rules === 0) return { verdict: "allow", rule: null, why: "auto-send mode is always" }
  return {
    verdict: "ask",
    rule: null,
    why:
      mode === "always"
        ? "the dialog does not tell what for, and a rule could be meant for it"
        : "auto-send mode is pause"
  }
}

/** The decision if the rules themselves cannot be consulted. */
export const decideUnasked = (policy: Policy): Decision =>
  policy.deny.length + policy.ask.length === 0
    ? decideUnknown(policy, "pause")
    : { verdict: "ask", rule: "*", why: "leap's rules could not be asked", unread: true }

/** While some rules cannot be read, a request that is to be asked might have been denied. */
export const whileUnread = ({ unread }: Policy, decision: Decision): Decision =>
  unread === undefined || decision.verdict !== "ask" || decision.rule === null
    ? decision
    : { ...decision, unread: true }

const isSameRule = (one: PolicyRule) => {
  const text = JSON.stringify(one)
  return (other: PolicyRule): boolean => JSON.stringify(other) === text
}

/** The current rules after a change of the file. What it denied stays denied while it cannot be read completely. */
export const rulesNow = (before: Policy, now: Policy): Policy =>
  now.unread === undefined
    ? now
    : {
        ...now,
        // Each change of an unreadable file comes here, and must add nothing twice.
        deny: [...now.deny, ...before.deny.filter((rule) => !now.deny.some(isSameRule(rule)))],
        ...(before.whenSilent === undefined ? {} : { whenSilent: before.whenSilent })
      }

/** There is a rule about paths, so the targets of their links matter. */
export const hasPathRules = ({ allow, ask, deny }: Policy): boolean =>
  [...allow, ...ask, ...deny].some(({ path }) => path !== undefined)

/** The disk matters: targets of links, and the repository that a command finds. */
export const asksDisk = (policy: Policy): boolean =>
  hasPathRules(policy) || policy.allow.some(({ command }) => command !== undefined)

const leads = "where its paths lead"

/** The request if not all links in its paths could be followed: a rule that denies or asks may concern it. */
export const unseen = ({ ask, deny }: Pick<Policy, "ask" | "deny">, request: ToolRequest): ToolRequest =>
  [...ask, ...deny].some(({ path }) => path !== undefined)
    ? { ...request, unread: [...new Set([...(request.unread ?? []), leads])] }
    : request

/** If not all links in the paths could be followed, nothing is allowed: a rule about paths is about their targets. */
export const whenUncertain = (decision: Decision): Decision =>
  decision.verdict === "allow"
    ? {
        verdict: "ask",
        rule: null,
        why: "it could not be seen where its paths lead, and there is a rule about paths"
      }
    : decision

/** While the audit log cannot be written, every decision is `ask`. */
export const whenUnauditable = (decision: Decision): Decision =>
  decision.verdict === "ask"
    ? decision
    : { verdict: "ask", rule: null, why: `${decision.why}; but the audit log cannot be written` }

export type Judge = (mode: Modes["autoSend"], request: ToolRequest) => Decision

const strictness = ["allow", "ask", "deny"]

/** Relative paths of rules apply in the first and in the present directory: the stricter decision holds. */
export const judgedIn = (start: string, here: () => string, judgeIn: (directory: string) => Judge): Judge => {
  const first = judgeIn(start)
  let now = { directory: start, judge: first }
  return (mode, request) => {
    const directory = here()
    if (directory !== now.directory) now = { directory, judge: directory === start ? first : judgeIn(directory) }
    if (now.judge === first) return first(mode, request)
    const [a, b] = [first(mode, request), now.judge(mode, request)]
    return strictness.indexOf(b.verdict) > strictness.indexOf(a.verdict) ? b : a
  }
}
