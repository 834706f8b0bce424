import type { Decision } from "../../rules/policy/Decision.ts"
import type { ToolRequest } from "../../rules/policy/ToolRequest.ts"
import type { Modes } from "../../words/session/Session.ts"
import type { Policy, PolicyRule } from "../../rules/settings/Settings.ts"

/** What is decided where something is not known for certain: the request, where its paths lead, the audit. */

/** There is at least one rule. */
export const hasRules = ({ allow, ask, deny }: Policy): boolean => allow.length + ask.length + deny.length > 0

/** The decision for a request that no hook has named. Since any deny or ask rule could be about it, it asks then. */
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

/** The decision where the rules themselves cannot be asked. */
export const decideUnasked = (policy: Policy): Decision =>
  policy.deny.length + policy.ask.length === 0
    ? decideUnknown(policy, "pause")
    : { verdict: "ask", rule: "*", why: "leap's rules could not be asked", unread: true }

/** What is asked while not all rules are known might have been denied. */
export const whileUnread = ({ unread }: Policy, decision: Decision): Decision =>
  unread === undefined || decision.verdict !== "ask" || decision.rule === null
    ? decision
    : { ...decision, unread: true }

const isSameRule = (one: PolicyRule) => {
  const text = JSON.stringify(one)
  return (other: PolicyRule): boolean => JSON.stringify(other) === text
}

/**
 * The rules in force when those of the file have changed. What it denied is denied still while it cannot be read whole.
 */
export const rulesNow = (before: Policy, now: Policy): Policy =>
  now.unread === undefined
    ? now
    : {
        ...now,
        // each change of a file that cannot be read comes here, and adds nothing that is there
        deny: [...now.deny, ...before.deny.filter((rule) => !now.deny.some(isSameRule(rule)))],
        ...(before.whenSilent === undefined ? {} : { whenSilent: before.whenSilent })
      }

/** There is a rule about paths, so that it matters where their links lead. */
export const hasPathRules = ({ allow, ask, deny }: Policy): boolean =>
  [...allow, ...ask, ...deny].some(({ path }) => path !== undefined)

/** What is on disk matters: where links lead, and which repository a command finds. */
export const asksDisk = (policy: Policy): boolean =>
  hasPathRules(policy) || policy.allow.some(({ command }) => command !== undefined)

const leads = "where its paths lead"

/** The request where not all links in its paths could be followed: a rule that denies or asks may be about it. */
export const unseen = ({ ask, deny }: Pick<Policy, "ask" | "deny">, request: ToolRequest): ToolRequest =>
  [...ask, ...deny].some(({ path }) => path !== undefined)
    ? { ...request, unread: [...new Set([...(request.unread ?? []), leads])] }
    : request

/**
 * Where not all links in the paths could be followed, nothing is allowed: a rule about paths is about their targets.
 */
export const whenUncertain = (decision: Decision): Decision =>
  decision.verdict === "allow"
    ? {
        verdict: "ask",
        rule: null,
        why: "it could not be seen where its paths lead, and there is a rule about paths"
      }
    : decision

/** The decision while the audit log cannot be written: `ask`, whatever it was. */
export const whenUnauditable = (decision: Decision): Decision =>
  decision.verdict === "ask"
    ? decision
    : { verdict: "ask", rule: null, why: `${decision.why}; but the audit log cannot be written` }

/** What decides on a request, in a mode of the session. */
export type Judge = (mode: Modes["autoSend"], request: ToolRequest) => Decision

const strictness = ["allow", "ask", "deny"]

/**
 * Rules may have paths that are relative to the session's directory. Where the CLI has left the one in which it was
 * started, they are meant in both: the stricter decision holds.
 */
export const judgedIn = (start: string, here: () => string, judgeIn: (directory: string) => Judge): Judge => {
  const first = judgeIn(start)
  let now = { directory: start, judge: first }
  return (mode, request) => {
    const directory = here()
    if (directory !== now.directory) now = { directory, judge: directory === start ? first : judgeIn(directory) }
    const [a, b] = [first(mode, request), now.judge(mode, request)]
    return strictness.indexOf(b.verdict) > strictness.indexOf(a.verdict) ? b : a
  }
}
