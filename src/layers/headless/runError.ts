import type { RunFailure } from "../../domain/cli/headless/RunFailure.ts"
import {
  type AgentError,
  AgentExitError,
  AgentProtocolError,
  AgentReportedError,
  AgentTimeoutError
} from "../../services/AgentProvider.ts"

export const runError = (provider: string, { partial, reason }: RunFailure): AgentError => {
  switch (reason._tag) {
    case "TimedOut":
      return new AgentTimeoutError({
        provider,
        afterMs: reason.afterMs,
        idle: reason.idle,
        trouble: reason.retrying,
        ...partial
      })
    case "Reported":
      return new AgentReportedError({ provider, problem: reason.problem, exit: reason.exit, ...partial })
    case "Exited":
      return new AgentExitError({ provider, code: reason.code, signal: reason.signal, ...partial })
    case "NotUnderstood":
      return new AgentProtocolError({ provider, why: reason.why, ...partial })
  }
}
