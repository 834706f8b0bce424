import { Stream, Struct } from "effect"
import type { AgentEvent } from "../../domain/cli/headless/AgentEvent.ts"
import type { AgentResult } from "../../domain/cli/headless/AgentResult.ts"
import type { RunFailure } from "../../domain/cli/headless/RunFailure.ts"
import {
  type AgentError,
  AgentExitError,
  AgentProtocolError,
  AgentReportedError,
  type AgentRun,
  AgentTimeoutError,
  type ConversationResult
} from "../../services/AgentProvider.ts"

type Item<A> = AgentEvent | { readonly _tag: "Result"; readonly result: A }

/** A run with another result. */
export const mapResult = <A, B, E, R>(
  run: Stream.Stream<Item<A>, E, R>,
  change: (result: A) => B
): Stream.Stream<Item<B>, E, R> =>
  Stream.map(run, (item) => (item._tag === "Result" ? { _tag: "Result", result: change(item.result) } : item))

/** A run of a conversation's turn whose result is the turn's alone. */
export const resultAlone = (run: AgentRun<ConversationResult>): AgentRun<AgentResult> =>
  mapResult(run, ({ result }) => result)

/** A run that says this first. */
export const withNotices = <A, E, R>(
  run: Stream.Stream<Item<A>, E, R>,
  texts: ReadonlyArray<string>
): Stream.Stream<Item<A>, E, R> =>
  Stream.prepend(
    run,
    texts.map((text) => ({ _tag: "Notice" as const, text }))
  )

export const runError = (provider: string, { partial, reason }: RunFailure): AgentError => {
  switch (reason._tag) {
    case "TimedOut":
      return new AgentTimeoutError({
        ...Struct.pick(reason, ["afterMs", "idle"]),
        provider,
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
