import type { Decision } from "../../rules/policy/Decision.ts"
import type { Modes } from "../../words/session/Session.ts"
import type { Policy } from "../../rules/settings/Settings.ts"

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

/** There is a rule about paths, so that it matters where their links lead. */
export const hasPathRules = ({ allow, ask, deny }: Policy): boolean =>
  [...allow, ...ask, ...deny].some(({ path }) => path !== undefined)

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
