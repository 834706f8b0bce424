import { Effect, Option, Schema } from "effect"
import { shortId } from "../../domain/words/session/Message.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import { connectTo, lastStatus, whileHostLives } from "./client.ts"
import { goOnAdvice } from "./goOn.ts"

/** Nobody said whether a message was queued, and it cannot be seen from here. */
export class LostAnswerError extends Schema.TaggedError<LostAnswerError>()("LostAnswerError", {
  tag: Schema.String,
  id: Schema.String
}) {
  override get message() {
    return (
      `message ${shortId(this.id)} may have been queued: the host of '${this.tag}' did not answer; ` +
      `'leap queue ${this.tag}' shows it if so; 'leap send ${this.tag} --id ${this.id} …' sends it again, never twice`
    )
  }
}

/** The host took a message and ended before it said so. */
export class HeldByEndError extends Schema.TaggedError<HeldByEndError>()("HeldByEndError", {
  tag: Schema.String,
  id: Schema.String,
  advice: Schema.String
}) {
  override get message() {
    return (
      `message ${shortId(this.id)} was queued, but the session's host ended and it is held ` +
      `('leap queue ${this.tag}' shows it): ${this.advice}`
    )
  }
}

export interface Sent {
  /** The connection on which it was queued: the given one, or the one that took its place. */
  readonly client: HostClient
  readonly id: string
}

/** A host queues a message within milliseconds, on a disk that is busy within seconds. */
const patience = "15 seconds"

/** What an answer is: none where the host died, hangs or left meanwhile; what it refuses is refused. */
const answered = (client: HostClient, message: Parameters<HostClient["Send"]>[0]) =>
  client.Send(message).pipe(whileHostLives, Effect.timeoutOption(patience), Effect.map(Option.flatten))

/** The queue's log tells after a host's end: a message is in it before its host says so. */
const afterItsEnd = Effect.fnUntraced(function* (tag: Tag, id: string) {
  const last = yield* lastStatus(tag)
  if (Option.isNone(last) || !last.value.queue.some((stored) => stored.id === id)) return null
  return new HeldByEndError({ tag, id, advice: yield* goOnAdvice(tag) })
})

/**
 * Queues a message under an id that the caller has made. Where the answer is lost it is sent once more: a host takes no
 * id twice. Fails with what is known of the message where that does not help either.
 */
export const sendMessage = Effect.fn("sendMessage")(function* (
  tag: Tag,
  client: HostClient,
  message: Parameters<HostClient["Send"]>[0] & { readonly id: string }
) {
  const first = yield* answered(client, message)
  if (Option.isSome(first)) return { client, id: first.value.id } satisfies Sent
  const { id } = message
  const lost = () => new LostAnswerError({ tag, id })
  const next = yield* connectTo(tag).pipe(
    Effect.catchTag("NoSessionError", (error) =>
      Effect.flatMap(afterItsEnd(tag, id), (held) => Effect.fail(held ?? error))
    ),
    Effect.catchTags({
      ProtocolMismatchError: lost,
      TimeoutError: lost,
      RpcClientError: lost,
      UnreachedHostError: lost
    })
  )
  const second = yield* answered(next, message)
  return Option.isSome(second) ? ({ client: next, id: second.value.id } satisfies Sent) : yield* lost()
})
