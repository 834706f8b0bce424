import { concernsSession } from "../../rules/policy/concernsSession.ts"
import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import type { Policy, PolicyRule } from "../../rules/settings/Settings.ts"

/**
 * The deny and ask rules that may be about a session of this CLI and are held by its hooks alone: what the CLI allows
 * by itself shows no dialog.
 */
export const restrictions = (
  decisions: PermissionProtocol["decisions"],
  policy: Pick<Policy, "deny" | "ask">,
  session: { readonly tag: string; readonly clis: ReadonlyArray<string> }
): ReadonlyArray<readonly [verdict: "deny" | "ask", rule: PolicyRule]> =>
  decisions.length === 0
    ? []
    : (["deny", "ask"] as const).flatMap((verdict) =>
        policy[verdict].filter((rule) => concernsSession(rule, session)).map((rule) => [verdict, rule] as const)
      )
