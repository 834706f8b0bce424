import { concernsSession } from "../../policy/concernsSession.ts"
import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import type { Policy, PolicyRule } from "../../store/settings/Settings.ts"

type Restriction = readonly [verdict: "deny" | "ask", rule: PolicyRule]
type Concerned = { readonly tag: string; readonly clis: ReadonlyArray<string> }

/** The deny and ask rules that may concern a session of this CLI. */
export const restrictionsOf = (policy: Pick<Policy, "deny" | "ask">, session: Concerned): ReadonlyArray<Restriction> =>
  (["deny", "ask"] as const).flatMap((verdict) =>
    policy[verdict].filter((rule) => concernsSession(rule, session)).map((rule) => [verdict, rule] as const)
  )

/** The rules that only the CLI's hooks enforce: what it allows by itself shows no dialog. None if no hook decides. */
export const restrictions = (
  decisions: PermissionProtocol["decisions"],
  policy: Pick<Policy, "deny" | "ask">,
  session: Concerned
): ReadonlyArray<Restriction> => (decisions.length === 0 ? [] : restrictionsOf(policy, session))
