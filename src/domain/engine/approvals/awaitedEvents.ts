import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import type { Verdict } from "../../rules/policy/Decision.ts"
import type { Modes } from "../../words/session/Session.ts"
import type { Policy } from "../../rules/settings/Settings.ts"

/** The events for whose hooks a decision is possible, so that the CLI should wait for one. */
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
  // What is to be asked is refused before the tool where nobody could be asked.
  const refuses = (verdicts: ReadonlyArray<Verdict>): boolean =>
    possible.ask && verdicts.includes("deny") && !verdicts.includes("allow")
  return decisions
    .filter(({ verdicts }) => verdicts.some((verdict) => possible[verdict]) || refuses(verdicts))
    .map(({ event }) => event)
}
