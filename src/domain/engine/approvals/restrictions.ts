import { concernsSession } from "../../rules/policy/concernsSession.ts"
import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import type { Policy } from "../../rules/settings/Settings.ts"

/**
 * How many deny and ask rules may be about a session of this CLI and are held by its hooks alone: what the CLI allows
 * by itself shows no dialog.
 */
export const restrictions = (
  decisions: PermissionProtocol["decisions"],
  policy: Pick<Policy, "deny" | "ask">,
  session: { readonly tag: string; readonly clis: ReadonlyArray<string> }
): number =>
  decisions.length === 0 ? 0 : [...policy.deny, ...policy.ask].filter((rule) => concernsSession(rule, session)).length
