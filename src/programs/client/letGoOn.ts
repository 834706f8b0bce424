import { Effect } from "effect"
import type { HostClient } from "../../services/ControlSocket.ts"

/**
 * Lets go what waits because of failed turns: those messages go out again, and with them what is held behind them;
 * where none of them is there any more, what is held. Gives how many messages it was asked for.
 */
export const letGoOn = Effect.fnUntraced(function* (client: Pick<HostClient, "QueueRetry" | "QueueRelease">) {
  const { retried } = yield* client.QueueRetry({ id: null })
  return retried > 0 ? retried : (yield* client.QueueRelease({ id: null })).released
})
