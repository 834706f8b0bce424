import { Effect, Option } from "effect"
import type { Tag } from "../../domain/words/session/Tag.ts"
import { startsAgain } from "../../domain/words/wording/noSession.ts"
import { Providers } from "../../services/Providers.ts"
import { lastStatus } from "./client.ts"

export const hasConversation = Effect.fnUntraced(function* (tag: Tag) {
  const last = yield* lastStatus(tag)
  if (Option.isNone(last) || last.value.sessionId === null) return false
  const provider = yield* Effect.option((yield* Providers).get(last.value.cli))
  return Option.isSome(provider) && provider.value.resume !== null
})

/** The command that continues after a session's end: it resumes the conversation, or starts a new one. */
export const continueCommand = (tag: Tag) =>
  Effect.map(hasConversation(tag), (has) => (has ? `leap resume --tag ${tag} --last` : `leap ${tag}`))

export const continueAdvice = (tag: Tag) =>
  Effect.map(hasConversation(tag), (has) =>
    has
      ? `'leap resume --tag ${tag} --last' goes on with its conversation, 'leap ${tag} --new' begins a new one`
      : startsAgain(tag)
  )
