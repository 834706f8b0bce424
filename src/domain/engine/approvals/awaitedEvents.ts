import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import type { Verdict } from "../../policy/Decision.ts"
import type { Modes } from "../../words/session/Session.ts"
import type { Policy } from "../../store/settings/Settings.ts"

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
