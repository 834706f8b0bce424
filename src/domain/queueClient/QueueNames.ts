import { Result } from "effect"
import { messageNamed } from "../queue/MessageName.ts"
import type { QueuedMessage } from "../session/Message.ts"
import { isFailed } from "../session/failedMessage.ts"
import { type ClientState, failed, waiting } from "./ClientState.ts"

/** The waiting message that a word means, or why there is none. */
export const waitingNamed = (state: ClientState, name: string): Result.Result<QueuedMessage, string> =>
  Result.mapError(messageNamed(waiting(state), name), ({ why }) => why)

/** The same of all that are shown, those that are given up too. */
export const seenNamed = (state: ClientState, name: string): Result.Result<QueuedMessage, string> => {
  const found = messageNamed([...failed(state), ...waiting(state).filter((message) => !isFailed(message))], name)
  return Result.mapError(found, ({ why }) => why)
}

/**
 * The same where the user sees which message it is before anything happens to it: there a number is its place among
 * those that wait.
 */
export const waitingShown = (state: ClientState, name: string): Result.Result<QueuedMessage, string> => {
  const standing = /^[1-9]\d{0,2}$/.test(name) ? waiting(state)[Number(name) - 1] : undefined
  return standing === undefined ? waitingNamed(state, name) : Result.succeed(standing)
}
