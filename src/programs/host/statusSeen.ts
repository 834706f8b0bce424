import type { StatusSeen } from "../../domain/engine/history/SessionFold.ts"
import type { SessionStatus } from "../../domain/words/session/Session.ts"
import type { Facts } from "../../domain/engine/tracker/Facts.ts"
import type { Usage } from "../../domain/cli/usage/Usage.ts"

/** The recorded part of a status, with the facts and figures behind it. */
export const statusSeen = (
  status: SessionStatus,
  facts: Pick<Facts, "respondedAt" | "turnStartedAt" | "userKeyAt">,
  { before, cost, model, session }: Pick<Usage, "before" | "cost" | "model" | "session">
): StatusSeen => {
  const { question } = status
  const percent = status.context?.percent
  return {
    state: status.state,
    since: Date.parse(status.since),
    reason: status.reason,
    asked:
      question === undefined || question === null
        ? null
        : [question.title, question.subject ?? ""].filter((part) => part !== "").join(": "),
    userKeyAt: facts.userKeyAt,
    problem: status.problem,
    sessionId: status.sessionId,
    prompt: status.lastMessage,
    promptAt: facts.turnStartedAt,
    answer: status.lastResponse,
    answerAt: facts.respondedAt,
    lastTurn: status.lastTurn?.outcome ?? null,
    usage: {
      model,
      tokens: session,
      usd: cost?.usd ?? null,
      estimated: cost?.estimated ?? false,
      ...(cost?.floor === undefined ? {} : { floor: true }),
      ...(before === undefined ? {} : { before: { tokens: before.session, usd: before.usd } }),
      context: percent == null ? null : Math.round(percent)
    },
    exit: status.exit
  }
}
