import { Effect } from "effect"
import type { Call, Done } from "../../domain/surfaces/operations/calls.ts"
import { operations } from "../../domain/surfaces/operations/operations.ts"
import { changesText } from "../../domain/places/worktrees/Changes.ts"
import { whyText } from "../../domain/surfaces/operations/whyText.ts"
import { aboutOf, namesMessage } from "../../domain/surfaces/operations/namesMessage.ts"
import type { QueuedMessage } from "../../domain/words/session/Message.ts"
import type { RefusedError } from "../../services/HostProtocol.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import type { RpcClientError } from "effect/rpc/RpcClientError"

/** How long a call may take, on every surface: longer than a dialog's keys or a delivery before an interrupt. */
export const callPatience = "45 seconds"

/** The same for a call that ends a session: its CLI may take its time to leave. */
export const stopPatience = "60 seconds"

/** A call that was carried out; `about`: the message that it named, as it was before. */
export interface CallDone {
  readonly done: Done
  readonly about: QueuedMessage | undefined
  /** The text that it gives, where there is one. */
  readonly text: string | null
}

/** The text that a call gives: what it was asked to tell, or what it took out of the CLI's box; null for none. */
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
      // in doubt it may be out: better twice in sight than nowhere
      return done.result.outcome === "left" ? null : done.call.text
    default:
      return null
  }
})

/** A client's procedures as one function: the compiler does not follow which result belongs to which call. */
type AnyCall = (payload?: object) => Effect.Effect<Done["result"], RefusedError | RpcClientError>

/** The message that a word of the user's in a call means. One that cannot be told from here is the host's to refuse. */
const messageOf = Effect.fnUntraced(function* (client: HostClient, call: Call) {
  return namesMessage(call) ? aboutOf(call, (yield* client.Queue()).queue) : undefined
})

/** Asks a session's host for an operation, whatever surface wants it. */
export const callHost = Effect.fn("callHost")(function* (client: HostClient, call: Call) {
  const about = yield* messageOf(client, call)
  const { _tag, ...given } = call
  const payload = "payload" in operations[_tag] ? { ...given, ...(about === undefined ? {} : { id: about.id }) } : null
  const ask = client[_tag] as AnyCall
  const result = yield* payload === null ? ask() : ask(payload)
  const done = { _tag, call, result } as Done
  return { done, about, text: yield* textOf(client, done) } satisfies CallDone
})
