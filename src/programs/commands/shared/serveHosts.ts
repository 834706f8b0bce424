import { Effect, Fiber, Layer, Option } from "effect"
import { RpcSerialization, RpcServer } from "effect/rpc"
import { Output } from "../../../services/Output.ts"
import { greeting } from "../../../services/RemoteHosts.ts"
import { RemoteRpc } from "../../../services/RemoteRpc.ts"
import { layer as sessionFeed, SessionFeed } from "../../client/SessionFeed.ts"
import { screenOf } from "../../client/statuses.ts"
import { callSession } from "../../sessions/callSession.ts"
import { compare, perform } from "./listActions.ts"
import { tagged } from "./manage.ts"

const handlers = RemoteRpc.toLayer(
  Effect.gen(function* () {
    const feed = yield* SessionFeed
    return RemoteRpc.of({
      Feed: () => feed.events,
      Perform: ({ command }) => perform(command),
      Compare: ({ against, tag }) => compare(tag, against),
      Screen: ({ tag }) =>
        tagged(tag).pipe(
          Effect.flatMap(screenOf),
          Effect.option,
          Effect.map((screen) => (Option.isSome(screen) ? screen.value.text : null))
        ),
      Seen: ({ tag }) => Effect.ignore(Effect.flatMap(tagged(tag), (tag) => callSession(tag, { _tag: "Seen" })))
    })
  })
)

const server = RpcServer.layer(RemoteRpc).pipe(
  Layer.provide(handlers),
  Layer.provide(sessionFeed),
  Layer.provide(RpcServer.layerProtocolStdio),
  Layer.provide(RpcSerialization.layerNdjson)
)

/** Serves this machine's sessions to a leap at the other end of the standard streams, until either of them ends. */
export const serveHosts = Effect.gen(function* () {
  yield* (yield* Output).line(greeting)
  // the protocol interrupts the fiber that made it when the input has ended
  yield* Fiber.await(yield* Effect.forkChild(Layer.launch(server)))
})
