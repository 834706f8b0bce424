import type { ToolRequest } from "../../policy/ToolRequest.ts"
import { oneLine } from "../../words/text/printable.ts"
import type { EvidenceLine } from "../../words/session/Explanation.ts"
import type { ApprovalsMemory } from "./Approvals.ts"
import type { Reply } from "./PendingPermissions.ts"

const requestText = ({ command, paths, tool, url }: ToolRequest): string =>
  oneLine([tool, command ?? url ?? paths.join(", ")].filter((part) => part !== "").join(": "), 80)

const replyText = (reply: Reply): string => {
  switch (reply._tag) {
    case "Open":
      return "its hook waits"
    case "Sent":
      return "its hook is being answered"
    case "Closed":
      return reply.how === "answered" ? "its hook was answered" : "the CLI asks its user"
  }
}

/**
 * The evidence about the CLI's permission requests, for `leap why`. `asking`: a dialog is on screen. A request that the
 * CLI asks its user about is decided again with each change of mode or rules, for its dialog. Without a dialog that
 * decision means nothing.
 */
export const explainApprovals = (
  { last, pending, pressed }: ApprovalsMemory,
  asking: boolean
): ReadonlyArray<EvidenceLine> => {
  const lines: Array<EvidenceLine> = []
  const add = (says: string, since: number): void => {
    lines.push({ source: "permission", says, since })
  }
  if (pressed !== null) add(`keys are being pressed in “${pressed.title}”: ${pressed.decision.why}`, pressed.at)
  for (const { at, decision, reply, request } of pending.list) {
    if (reply._tag === "Closed" && !asking) continue
    const decided = decision === null ? "not decided yet" : `${decision.verdict}, since ${decision.why}`
    add(`${requestText(request)}: ${replyText(reply)}; ${decided}`, at)
  }
  if (last !== null) {
    const what = last.request === null ? "a dialog" : requestText(last.request)
    add(`last answered: ${what}: ${last.decision.verdict}, since ${last.decision.why}`, last.at)
  }
  return lines
}
