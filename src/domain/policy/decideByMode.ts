import type { Modes } from "../words/session/Session.ts"
import { oneLine } from "../words/text/printable.ts"
import type { Decision } from "./Decision.ts"
import { personal, type ToolRequest } from "./ToolRequest.ts"

export const unreadText = (unread: ReadonlyArray<string>): string =>
  `${oneLine(unread.join(", "), 300)} could not be read`

/** The decision on a request without a rule. `nearMiss`: why no rule could allow it. */
export const decideByMode = (
  mode: Modes["autoSend"],
  { kind, unread }: Pick<ToolRequest, "kind" | "unread">,
  nearMiss = ""
): Decision => {
  if (personal.has(kind)) return { verdict: "ask", rule: null, why: `a ${kind} is for the user to answer` }
  if (unread !== undefined)
    return { verdict: "ask", rule: null, why: `nothing allows what leap could not read: ${unreadText(unread)}` }
  return mode === "always"
    ? { verdict: "allow", rule: null, why: "no rule is against it, and the session's mode is always" }
    : { verdict: "ask", rule: null, why: `no rule allows it${nearMiss}, and the session's mode is pause` }
}
