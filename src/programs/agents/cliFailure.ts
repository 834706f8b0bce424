import type { AgentTold } from "../../domain/agents/AgentCli.ts"
import type { AgentEvent, ProviderProblem } from "../../domain/agents/AgentEvent.ts"
import { type AgentError, AgentExitError, AgentProtocolError, AgentReportedError, AgentTimeoutError } from "../../services/AgentProvider.ts"
import type { ProcessEnd } from "./process.ts"

/** Why a run that has ended is no answer; null when it is one. `trouble`: why it was trying again. */
export const failureOf = (provider: string, told: AgentTold, { code, overdue, signal, stderr }: ProcessEnd, how: {
  readonly understood: boolean
  readonly trouble: ProviderProblem | null
  readonly hidden: (text: string) => string
}): AgentError | null => {
  const { hidden, trouble, understood } = how
  const partial = { provider, sessionId: told.sessionId, text: told.answers.at(-1) ?? "", stderr: hidden(stderr) }
  if (overdue !== null) return new AgentTimeoutError({ ...partial, ...overdue, trouble })
  if (told.problem !== null) return new AgentReportedError({ ...partial, problem: { ...told.problem, message: hidden(told.problem.message) }, exit: code })
  if (signal !== null || code !== 0) return new AgentExitError({ ...partial, code, signal })
  if (told.complete) return null
  return new AgentProtocolError({ ...partial, why: understood ? "it ended in the middle" : "there is no event in it" })
}

/** What an event tells of failures, without secrets. */
export const masked = (event: AgentEvent, hidden: (text: string) => string): AgentEvent => {
  switch (event._tag) {
    case "Notice":
      return { ...event, text: hidden(event.text) }
    case "Refused":
      return { ...event, why: hidden(event.why) }
    case "Failed":
      return { ...event, problem: { ...event.problem, message: hidden(event.problem.message) } }
    case "Retrying":
      return { ...event, problem: { ...event.problem, message: hidden(event.problem.message) } }
    default:
      return event
  }
}

/** Why a program could not be started. */
export const whyNot = (error: { readonly message: string; readonly reason: { readonly _tag: string } }): string =>
  error.reason._tag === "NotFound"
    ? "it or the program that its first line names is not there"
    : error.reason._tag === "PermissionDenied"
    ? "it may not be executed"
    : error.message
