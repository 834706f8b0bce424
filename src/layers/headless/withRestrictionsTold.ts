import { Stream } from "effect"
import type { Restrictions } from "../../domain/cli/headless/Conversation.ts"
import { restrictionTexts, withRestrictions } from "../../domain/cli/headless/turns.ts"
import type { AgentProviderShape, AgentRun } from "../../services/AgentProvider.ts"

const telling = <R>(run: AgentRun<R>, restrictions: Restrictions): AgentRun<R> => {
  const texts = restrictionTexts(restrictions)
  if (texts.length === 0) return run
  return Stream.map(run, (item) => (item._tag === "Started" ? { ...item, restrictions: texts } : item))
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
