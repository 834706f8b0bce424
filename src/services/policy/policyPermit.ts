import { Effect } from "effect"
import { hasRules } from "../../domain/engine/approvals/decideUncertain.ts"
import type { Decision } from "../../domain/policy/Decision.ts"
import type { Policy, PolicyRule } from "../../domain/store/settings/Settings.ts"
import type { Permit, PermitDecision } from "../AgentProvider.ts"
import { System } from "../System.ts"
import { UserSettings } from "../UserSettings.ts"

/** The decision if nobody can be asked: a rule that asks the user refuses. */
const unattended = ({ rule, verdict, why }: Decision): PermitDecision =>
  verdict === "ask" && rule !== null
    ? { verdict: "deny", why: `${why}; nobody is there to be asked` }
    : { verdict, why }

const isForAll = ({ tag }: PolicyRule): boolean => tag === undefined || /^\*+$/.test(tag)

/** Keeps only the rules for all tags, since a run without a terminal has none. */
const rulesForAll = (policy: Policy): Policy => ({
  ...policy,
  deny: policy.deny.filter(isForAll),
  ask: policy.ask.filter(isForAll),
  allow: policy.allow.filter(isForAll)
})

/** Decides by these rules. `closed`: the reason for refusing everything that they do not allow. */
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
    // Loaded with the first request: most runs have no rules, and need none of it.
    const { judgeRequest } = yield* Effect.promise(() => import("./judgeRequest.ts"))
    const { decision } = yield* judgeRequest(system, options, asked)
    const decided = unattended(decision)
    return closed === null || decided.verdict !== "ask"
      ? decided
      : { verdict: "deny", why: `${decided.why}; ${closed}` }
  })
})

/** Combines two permits: a refusal of either refuses; otherwise, an approval of either allows. */
export const bothPermits = (first: Permit | undefined, second: Permit): Permit =>
  first === undefined
    ? second
    : {
        ...(first.restricts || second.option === undefined ? {} : { option: second.option }),
        restricts: first.restricts || second.restricts,
        decide: (request, asking) =>
          Effect.gen(function* () {
            // In parallel, because the CLI waits and each reads the disk.
            const asked = [first.decide(request, asking), second.decide(request, asking)] as const
            const [one, other] = yield* Effect.all(asked, { concurrency: 2 })
            const says = (verdict: PermitDecision["verdict"]) =>
              one.verdict === verdict ? one : other.verdict === verdict ? other : null
            return says("deny") ?? says("allow") ?? one
          })
      }

/** The user's rules for runs without a terminal; null if there are none. */
export const policyPermit = Effect.gen(function* () {
  const { settings } = yield* (yield* UserSettings).read
  const policy = rulesForAll(settings.policy)
  return hasRules(policy) ? permitOf(policy, yield* System) : null
})
