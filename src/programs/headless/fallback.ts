import { Effect, Stream } from "effect"
import type { AgentEvent } from "../../domain/cli/headless/AgentEvent.ts"
import * as turns from "../../domain/cli/headless/turns.ts"
import type { Conversation } from "../../domain/cli/headless/Conversation.ts"
import { isAtLimit } from "../../domain/cli/headless/ProviderProblem.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import type { AgentError, AgentProviderShape, AgentRun, AgentRunOptions } from "../../services/AgentProvider.ts"

/** Why another provider may do better; null if it would not, or is not known to. */
const limitOf = (error: AgentError): string | null => {
  const problem =
    error._tag === "AgentReportedError" ? error.problem : error._tag === "AgentTimeoutError" ? error.trouble : null
  return problem !== null && isAtLimit(problem.kind) ? error.message : null
}

/** A run that `next` replaces if its provider is at a limit and no tool has started. */
const orElse = <R>(run: AgentRun<R>, next: (why: string) => AgentRun<R>): AgentRun<R> =>
  Stream.suspend(() => {
    // a tool may have changed something, whatever its result
    let isTouched = false
    return run.pipe(
      Stream.tap((item) =>
        Effect.sync(() => {
          isTouched ||= item._tag === "ToolStarted"
        })
      ),
      // the failure is not reported if another provider is asked
      Stream.filter((item) => isTouched || item._tag !== "Failed" || !isAtLimit(item.problem.kind)),
      Stream.catch((error: AgentError) => {
        const why = isTouched ? null : limitOf(error)
        return why === null ? Stream.fail(error) : next(why)
      })
    )
  })

/** A conversation moved to this provider, which gets its text with the next prompt. */
const movedTo = (conversation: Conversation, provider: string): Conversation => {
  const { forkedFrom: _, ...moved } = turns.copied(conversation)
  return { ...moved, provider, model: null }
}

/** Several providers as one: if one is at its limit or overloaded before its tools begin, the next is asked. */
export const withFallback = (
  [first, ...others]: readonly [AgentProviderShape, ...ReadonlyArray<AgentProviderShape>],
  forOthers: (options: AgentRunOptions) => AgentRunOptions,
  told: (line: string) => Effect.Effect<void>
): AgentProviderShape => {
  const chain = <R>(
    current: AgentProviderShape,
    rest: ReadonlyArray<AgentProviderShape>,
    runOf: (agent: AgentProviderShape) => AgentRun<R>
  ): AgentRun<R> => {
    const [next, ...later] = rest
    if (next === undefined) return runOf(current)
    return orElse(runOf(current), (why) => {
      const line = `${oneLine(why, 300)}; ${next.displayName} is asked instead`
      const notice: AgentEvent = { _tag: "Notice", text: line }
      return Stream.concat(Stream.fromEffect(Effect.as(told(line), notice)), chain(next, later, runOf))
    })
  }
  /** Moves a conversation back to the first provider, if one of the others has continued it. */
  const atHome = (conversation: Conversation): Conversation =>
    others.some(({ name }) => name === conversation.provider) ? movedTo(conversation, first.name) : conversation
  return {
    ...first,
    inert: (text) => [first, ...others].reduce((inert, agent) => agent.inert?.(inert) ?? inert, text),
    execute: (prompt, options) =>
      chain(first, others, (agent) => agent.execute(prompt, agent === first ? options : forOthers(options))),
    executeConversation: (conversation, prompt, options) =>
      chain(first, others, (agent) =>
        agent === first
          ? agent.executeConversation(atHome(conversation), prompt, options)
          : agent.executeConversation(movedTo(conversation, agent.name), prompt, { ...forOthers(options), fork: false })
      )
  }
}
