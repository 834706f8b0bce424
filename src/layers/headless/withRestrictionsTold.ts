import { Stream } from "effect"
import type { AgentEvent } from "../../domain/cli/headless/AgentEvent.ts"
import type { Restrictions } from "../../domain/cli/headless/Conversation.ts"
import { restrictionTexts, withRestrictions } from "../../domain/cli/headless/turns.ts"
import type { AgentProviderShape, AgentRun } from "../../services/AgentProvider.ts"

const telling = <R>(run: AgentRun<R>, restrictions: Restrictions): AgentRun<R> => {
  const texts = restrictionTexts(restrictions)
  const tell = <A extends AgentEvent | { readonly _tag: "Result" }>(event: A): A =>
    event._tag === "Started" ? { ...event, restrictions: texts } : event
  return texts.length === 0 ? run : Stream.map(run, tell)
}

/** The same provider, which says at the start of each turn to what its tools are held. */
export const withRestrictionsTold = (base: AgentProviderShape): AgentProviderShape => ({
  ...base,
  execute: (prompt, options) => telling(base.execute(prompt, options), options),
  executeConversation: (conversation, prompt, options) =>
    telling(
      base.executeConversation(conversation, prompt, options),
      withRestrictions(conversation, options).restrictions ?? {}
    )
})
