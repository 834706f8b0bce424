import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import { decideByMode } from "../../policy/decideByMode.ts"
import type { Decision, Verdict } from "../../policy/Decision.ts"
import type { ToolRequest } from "../../policy/ToolRequest.ts"
import { noPolicy, type Policy } from "../../store/settings/PolicySettings.ts"
import type { Modes } from "../../words/session/Session.ts"
import type { ApprovalCommand, Awaited } from "./ApprovalCommand.ts"
import type { HookRulesEvent } from "./ApprovalEvent.ts"
import {
  decideUnknown,
  hasPathRules,
  type Judge,
  unseen,
  whenUnauditable,
  whenUncertain,
  whileUnread
} from "./decideUncertain.ts"
import type { PendingPermission } from "./PendingPermissions.ts"
import { silentAnswers } from "./silentAnswers.ts"

/** The events whose hooks can get a decision, so that the CLI should wait for one. */
export const awaitedEvents = (
  decisions: PermissionProtocol["decisions"],
  policy: Policy,
  mode: Modes["autoSend"]
): ReadonlyArray<string> => {
  const possible: Readonly<Record<Verdict, boolean>> = {
    allow: mode === "always" || policy.allow.length > 0,
    ask: policy.ask.length > 0,
    deny: policy.deny.length > 0
  }
  // If nobody could be asked, `ask` becomes a refusal before the tool.
  const refuses = (verdicts: ReadonlyArray<Verdict>): boolean =>
    possible.ask && verdicts.includes("deny") && !verdicts.includes("allow")
  return decisions
    .filter(({ verdicts }) => verdicts.some((verdict) => possible[verdict]) || refuses(verdicts))
    .map(({ event }) => event)
}

/** The rules in force, and the instructions for the CLI's hooks. */
export interface HookRules {
  readonly policy: Policy
  readonly judge: Judge
  readonly awaited: Awaited
  /** The instructions are written where the hooks read them. */
  readonly placed: boolean
  /** The time of the next attempt, in milliseconds since the epoch; null unless writing failed. */
  readonly retryAt: number | null
}

/** No rules are known, and no hook waits. */
export const noRules: HookRules = {
  policy: noPolicy,
  judge: decideByMode,
  awaited: { events: [], silent: {} },
  placed: true,
  retryAt: null
}

/** Milliseconds between attempts to write the hooks' instructions after a failure. */
const retryInterval = 3_000

/** The rules that decide, and whether a decision can be written down. */
interface InForce {
  readonly hooks: HookRules
  readonly auditable: boolean
}

/** The decision by the rules and the mode in force; `request` null: for a request that no hook has named. */
export const decide = (
  { auditable, hooks: { judge, policy } }: InForce,
  mode: Modes["autoSend"],
  request: ToolRequest | null,
  certain: boolean
): Decision => {
  if (request === null) return decideUnknown(policy, mode)
  const judged = whileUnread(policy, judge(mode, certain ? request : unseen(policy, request)))
  const sure = certain || !hasPathRules(policy) ? judged : whenUncertain(judged)
  return auditable ? sure : whenUnauditable(sure)
}

/** The rule, or the doubt about one, that leaves this request to the user; null for none: the mode may still ask. */
export const keptBy = (
  policy: Policy,
  { certain, decision }: Pick<PendingPermission, "certain" | "decision">
): string | null => {
  if (decision === null) return "the rules have not been asked yet"
  if (!certain && hasPathRules(policy)) return "it could not be seen where its paths lead"
  return decision.verdict === "allow" ? null : decision.rule
}

type Hooked = readonly [HookRules, ReadonlyArray<ApprovalCommand>]

/** Hooks wait if the rules and the mode could decide on their event; written instructions are not written again. */
export const awaitHooks = (
  protocol: Pick<PermissionProtocol, "decisions" | "reply">,
  { auditable, hooks }: InForce,
  mode: Modes["autoSend"]
): Hooked => {
  const { awaited, policy } = hooks
  const next = {
    events: auditable ? awaitedEvents(protocol.decisions, policy, mode) : [],
    silent: silentAnswers(protocol, policy)
  }
  return JSON.stringify(next) === JSON.stringify(awaited)
    ? [hooks, []]
    : [{ ...hooks, awaited: next }, [{ _tag: "AwaitHooks", ...next }]]
}

/** After an attempt to write the hooks' instructions. */
export const placed = (
  hooks: HookRules,
  { at, placed }: Extract<HookRulesEvent, { readonly _tag: "HooksPlaced" }>
): HookRules => ({ ...hooks, placed, retryAt: placed ? null : (hooks.retryAt ?? at + retryInterval) })

export const retried = (hooks: HookRules, now: number): Hooked =>
  hooks.retryAt === null || now < hooks.retryAt
    ? [hooks, []]
    : [{ ...hooks, retryAt: null }, [{ _tag: "AwaitHooks", ...hooks.awaited }]]
