import type { PermissionProtocol } from "../../cli/provider/PermissionProtocol.ts"
import type { Policy } from "../../store/settings/Settings.ts"

const why = "leap's rules could be about this, and leap does not answer"

/**
 * The lines that a CLI's hooks print by themselves while leap cannot answer, by event. A rule that denies or asks must
 * not become silence, which a CLI in an automatic mode takes for a yes. If silence brings up the CLI's own dialog (an
 * event that can be granted), silence is asking.
 */
export const silentAnswers = (
  { decisions, reply }: Pick<PermissionProtocol, "decisions" | "reply">,
  { ask, deny, whenSilent = "ask" }: Policy
): Readonly<Record<string, string>> => {
  if (whenSilent === "leave" || deny.length + ask.length === 0) return {}
  return Object.fromEntries(
    decisions.flatMap(({ event, verdicts }) => {
      if (whenSilent === "ask" && verdicts.includes("allow")) return []
      const verdict = (whenSilent === "ask" ? (["ask", "deny"] as const) : (["deny", "ask"] as const)).find((one) =>
        verdicts.includes(one)
      )
      const line = verdict === undefined ? null : reply(event, verdict, why)
      return line === null ? [] : [[event, line] as const]
    })
  )
}
