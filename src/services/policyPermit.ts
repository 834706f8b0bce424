import { Effect } from "effect"
import { hasRules } from "../domain/engine/approvals/decideUncertain.ts"
import type { Decision } from "../domain/rules/policy/Decision.ts"
import type { Policy, PolicyRule } from "../domain/rules/settings/Settings.ts"
import type { Permit, PermitDecision } from "./AgentProvider.ts"
import { System } from "./System.ts"
import { UserSettings } from "./UserSettings.ts"
import { judgeRequest } from "./judgeRequest.ts"

/** What a decision is where nobody can be asked: what a rule keeps for the user is refused. */
const unattended = ({ rule, verdict, why }: Decision): PermitDecision =>
  verdict === "ask" && rule !== null
    ? { verdict: "deny", why: `${why}; nobody is there to be asked` }
    : { verdict, why }

/** A run without a terminal has no tag. */
const isForAll = ({ tag }: PolicyRule): boolean => tag === undefined || /^\*+$/.test(tag)

/** The rules that are not for sessions of some tags alone. */
const rulesForAll = (policy: Policy): Policy => ({
  ...policy,
  deny: policy.deny.filter(isForAll),
  ask: policy.ask.filter(isForAll),
  allow: policy.allow.filter(isForAll)
})

/** Decides by these rules. `closed`: what they do not allow is refused, for this reason. */
export const permitOf = (
  policy: Policy,
  system: System["Service"],
  { closed, option }: { readonly closed: string | null; readonly option?: string } = { closed: null }
): Permit => ({
  ...(option === undefined ? {} : { option }),
  restricts: closed !== null || policy.deny.length + policy.ask.length > 0,
  decide: Effect.fnUntraced(function* (asked, { base, cli, cwd }) {
    const home = system.env["HOME"] ?? ""
    const options = { policy, home, tag: "", cli, base, directory: cwd, mode: "pause" } as const
    const { decision } = yield* judgeRequest(system, options, asked)
    const decided = unattended(decision)
    return closed === null || decided.verdict !== "ask"
      ? decided
      : { verdict: "deny", why: `${decided.why}; ${closed}` }
  })
})

/** Both: what one refuses is refused, and what one allows is allowed where the other does not mind. */
export const bothPermits = (first: Permit | undefined, second: Permit): Permit =>
  first === undefined
    ? second
    : {
        ...(first.restricts || second.option === undefined ? {} : { option: second.option }),
        restricts: first.restricts || second.restricts,
        decide: (request, asking) =>
          Effect.gen(function* () {
            // the CLI waits, and each looks at the disk
            const asked = [first.decide(request, asking), second.decide(request, asking)] as const
            const [one, other] = yield* Effect.all(asked, { concurrency: 2 })
            const says = (verdict: PermitDecision["verdict"]) =>
              one.verdict === verdict ? one : other.verdict === verdict ? other : null
            return says("deny") ?? says("allow") ?? one
          })
      }

/** The user's rules for runs without a terminal; null where there are none. */
export const policyPermit = Effect.gen(function* () {
  const { settings } = yield* (yield* UserSettings).read
  const policy = rulesForAll(settings.policy)
  return hasRules(policy) ? permitOf(policy, yield* System) : null
})
