import { Effect } from "effect"
import type { Call, Done } from "../../domain/surfaces/operations/calls.ts"
import { operations } from "../../domain/surfaces/operations/operations.ts"
import { changesText } from "../../domain/store/worktrees/changesText.ts"
import { whyText } from "../../domain/surfaces/operations/whyText.ts"
import { aboutOf, namesMessage } from "../../domain/surfaces/operations/namesMessage.ts"
import type { QueuedMessage } from "../../domain/words/session/Message.ts"
import type { RefusedError } from "../../services/HostProtocol.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import type { RpcClientError } from "effect/rpc/RpcClientError"

/** The time limit of a call on every surface. It exceeds the time for a dialog's keys and a delivery. */
export const callTimeout = "45 seconds"

export const stopTimeout = "60 seconds"

/** A finished call. `about`: the message that it named, as it was before. */
export interface CallDone {
  readonly done: Done
  readonly about: QueuedMessage | undefined
  readonly text: string | null
}

/** The text that a call returns: its report, a screen, an answer, or the draft in the CLI's box; null for none. */
const textOf = Effect.fnUntraced(function* (client: HostClient, done: Done) {
  switch (done._tag) {
    case "Why":
      return whyText(done.result, yield* client.Status())
    case "Changes":
      return changesText(done.result)
    case "Draft":
    case "Screen":
    case "Response":
      return done.result.text
    case "TakeDraft":
      // in doubt the draft may be out of the box; showing it twice is better than losing it
      return done.result.outcome === "left" ? null : done.call.text
    default:
      return null
  }
})

/** A client's procedures as one function, because the compiler cannot match a result with its call. */
type AnyCall = (payload?: object) => Effect.Effect<Done["result"], RefusedError | RpcClientError>

/** The message that the user's word in a call means. The host refuses an unknown one. */
const messageOf = Effect.fnUntraced(function* (client: HostClient, call: Call) {
  return namesMessage(call) ? aboutOf(call, (yield* client.Queue()).queue) : undefined
})

/** Calls an operation of a session's host, for any surface. */
export const callHost = Effect.fn("callHost")(function* (client: HostClient, call: Call) {
  const about = yield* messageOf(client, call)
  const { _tag, ...given } = call
  const payload = "payload" in operations[_tag] ? { ...given, ...(about === undefined ? {} : { id: about.id }) } : null
  const ask = client[_tag] as AnyCall
  const result = yield* payload === null ? ask() : ask(payload)
  const done = { _tag, call, result } as Done
  return { done, about, text: yield* textOf(client, done) } satisfies CallDone
})
