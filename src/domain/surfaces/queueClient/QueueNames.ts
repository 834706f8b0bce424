import { Result } from "effect"
import { messageNamed, type NamedMessage } from "../../engine/queue/MessageName.ts"
import type { QueuedMessage } from "../../words/session/Message.ts"
import { isFailed } from "../../words/session/failedMessage.ts"
import { type ClientState, failed, waiting } from "./ClientState.ts"

const orWhy = (named: NamedMessage<QueuedMessage>): Result.Result<QueuedMessage, string> =>
  "message" in named ? Result.succeed(named.message) : Result.fail(named.refusal.why)

/** The waiting message that a word means, or why there is none. */
export const waitingNamed = (state: ClientState, name: string): Result.Result<QueuedMessage, string> =>
  orWhy(messageNamed(waiting(state), name))

/** The same of all that are shown, those that are given up too. */
export const seenNamed = (state: ClientState, name: string): Result.Result<QueuedMessage, string> =>
  orWhy(messageNamed([...failed(state), ...waiting(state).filter((message) => !isFailed(message))], name))

/**
 * The same where the user sees which message it is before anything happens to it: there a number is its place among
 * those that wait.
 */
export const waitingShown = (state: ClientState, name: string): Result.Result<QueuedMessage, string> => {
  const standing = /^[1-9]\d{0,2}$/.test(name) ? waiting(state)[Number(name) - 1] : undefined
  return standing === undefined ? waitingNamed(state, name) : Result.succeed(standing)
}
