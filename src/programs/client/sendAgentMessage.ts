import { Effect } from "effect"
import { outsider } from "../../domain/engine/queue/AgentMessageHeader.ts"
import type { Tag } from "../../domain/words/session/Tag.ts"
import type { HostClient } from "../../services/ControlSocket.ts"
import { RefusedError } from "../../services/HostProtocol.ts"
import { connectTo } from "./client.ts"
import { connectToSend, sendMessage } from "./sendMessage.ts"

/** A host that takes what agents do for what it is; an older one would take it for the user's. */
const forAgents = Effect.fnUntraced(function* (tag: Tag, client: HostClient) {
  const { can = [] } = yield* client.Hello()
  return can.includes("post")
    ? client
    : yield* RefusedError.because(
        "refused",
        `session '${tag}' is run by an older leap, which cannot tell an agent from its user: the user must restart it`
      )
})

/** A connection to it. */
export const connectForAgent = Effect.fn("connectForAgent")(function* (tag: Tag) {
  return yield* forAgents(tag, yield* connectTo(tag))
})

/** Queues an agent's message. The host of `from` (null: none) is asked for leave. Says whether it waits. */
export const sendAgentMessage = Effect.fn("sendAgentMessage")(function* (
  from: Tag | null,
  to: Tag,
  { id, text }: { readonly id: string; readonly text: string }
) {
  const client = yield* forAgents(to, yield* connectToSend(to))
  const hops =
    from === null ? 1 : (yield* Effect.scoped(Effect.flatMap(connectForAgent(from), (own) => own.Post({ to })))).hops
  const message = { id, text, images: [], front: false, force: false, from: from ?? outsider, hops }
  const sent = yield* sendMessage(to, client, message)
  const { queue, recent } = yield* sent.client.Queue()
  const receipt = [...queue, ...recent].find((message) => message.id === sent.id)
  return { id: sent.id, hops, status: receipt?.status ?? ("queued" as const), why: receipt?.why ?? null }
})
