import { Effect, Option, Schema } from "effect"
import { unreachedText } from "../../domain/words/session/hostUnreached.ts"
import { hostTrouble } from "../../domain/words/wording/hostTrouble.ts"
import { shortId } from "../../domain/words/session/Message.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import type { ConnectOptions, HostClient } from "../../services/ControlSocket.ts"
import { connectTo, lastStatus, type UnreachedHostError, unlessStopped, whileHostLives, withHost } from "./client.ts"
import { continueAdvice } from "./continueCommand.ts"
import { outsider } from "../../domain/engine/queue/AgentMessageHeader.ts"

export class LostAnswerError extends Schema.TaggedError<LostAnswerError>()("LostAnswerError", {
  tag: Schema.String,
  id: Schema.String,
  trouble: Schema.String,
  /** The message is in the queue's log. If false, the host may still write it. */
  stored: Schema.Boolean
}) {
  override get message() {
    const { id, stored, tag, trouble } = this
    return stored
      ? `message ${shortId(id)} was queued and is on disk, and nobody sends it: ${trouble}`
      : `message ${shortId(id)} may have been queued: ${trouble}; 'leap queue ${tag}' shows it if so; ` +
          `'leap send ${tag} --id ${id} …' sends it again, never twice`
  }
}

export class NotQueuedError extends Schema.TaggedError<NotQueuedError>()("NotQueuedError", { why: Schema.String }) {
  override get message() {
    return `not queued: ${this.why}`
  }
}

export const isInDoubt = ({ _tag }: { readonly _tag: string }): boolean =>
  _tag === "LostAnswerError" || _tag === "HeldByEndError"

/** The host accepted a message and ended before it replied. */
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

/** A host queues a message within milliseconds, or within seconds on a busy disk. */
const timeout = "15 seconds"

/** A connection for sending a message. A connection error becomes a `NotQueuedError`. */
export const connectToSend = (tag: Tag, options?: ConnectOptions) =>
  connectTo(tag, options).pipe(
    Effect.catchTags({
      UnreachedHostError: ({ message, stopped, unreached }) =>
        new NotQueuedError({ why: stopped ? unreachedText(unreached) : message }),
      TimeoutError: () => new NotQueuedError({ why: hostTrouble }),
      RpcClientError: () => new NotQueuedError({ why: hostTrouble })
    })
  )

/** The host's reply; none if the host died, hangs or left. A refusal stays an error. */
const answered = (tag: Tag, client: HostClient, message: Parameters<HostClient["Send"]>[0]) =>
  unlessStopped(tag, client.Send(message)).pipe(
    whileHostLives,
    Effect.timeoutOption(timeout),
    Effect.map(Option.flatten)
  )

const isStored = (tag: Tag, id: string) =>
  Effect.map(lastStatus(tag), (last) => Option.isSome(last) && last.value.queue.some((stored) => stored.id === id))

/**
 * Queues a message under the caller's id. If the reply is lost it sends once more, since a host ignores a known id.
 * Returns the connection on which it was queued: the given one, or its replacement.
 */
export const sendMessage = Effect.fn("sendMessage")(function* (
  tag: Tag,
  client: HostClient,
  message: Parameters<HostClient["Send"]>[0] & { readonly id: string }
) {
  const { id } = message
  const silent = `the host of '${tag}' did not answer`
  const lost = (trouble = silent) =>
    Effect.flatMap(isStored(tag, id), (stored) => new LostAnswerError({ tag, id, trouble, stored }))
  const stopped = ({ unreached }: UnreachedHostError) => lost(unreachedText(unreached))
  const first = yield* Effect.catchTag(answered(tag, client, message), "UnreachedHostError", stopped)
  if (Option.isSome(first)) return { client, id: first.value.id }
  const next = yield* connectTo(tag).pipe(
    Effect.catchTag(
      "NoSessionError",
      Effect.fnUntraced(function* (error) {
        if (!(yield* isStored(tag, id))) return yield* error
        return yield* new HeldByEndError({ tag, id, advice: yield* continueAdvice(tag) })
      })
    ),
    Effect.catchTags({
      ProtocolMismatchError: () => lost(),
      TimeoutError: () => lost(),
      RpcClientError: () => lost(),
      UnreachedHostError: stopped
    })
  )
  const second = yield* Effect.catchTag(answered(tag, next, message), "UnreachedHostError", stopped)
  return Option.isSome(second) ? { client: next, id: second.value.id } : yield* lost()
})

/** Queues an agent's message, with permission of the host of `from`; null: an agent outside, which needs none. */
export const sendAgentMessage = Effect.fn("sendAgentMessage")(function* (
  from: Tag | null,
  to: Tag,
  { id, text }: { readonly id: string; readonly text: string }
) {
  const client = yield* connectToSend(to)
  const hops = from === null ? 1 : (yield* withHost(from, (own) => own.Post({ to }))).hops
  const message = { id, text, images: [], front: false, force: false, from: from ?? outsider, hops }
  const sent = yield* sendMessage(to, client, message)
  const { queue, recent } = yield* sent.client.Queue()
  const receipt = [...queue, ...recent].find((message) => message.id === sent.id)
  return { id: sent.id, hops, status: receipt?.status ?? ("queued" as const), why: receipt?.why ?? null }
})
