import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { Duration, Effect, Layer } from "effect"
import { RpcClient, RpcSerialization } from "effect/rpc"
import { type ConnectOptions, NoHostError } from "../../services/ControlSocket.ts"
import { HostRpc } from "../../services/HostRpc.ts"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"

/** A connection to the host that listens on this path; it closes with the scope. */
export const connectTo = Effect.fnUntraced(function* (path: string, options?: ConnectOptions) {
  const protocol = RpcClient.layerProtocolSocket({
    retryTransientErrors: false,
    ...(options?.patient === true ? { pingTimeout: Duration.infinity } : {})
  }).pipe(Layer.provide([NodeSocket.layerNet({ path }), RpcSerialization.layerNdjson]))
  const context = yield* Layer.build(protocol).pipe(
    Effect.mapError((cause) => new NoHostError({ path, why: errorTextOf(cause) }))
  )
  return yield* Effect.provideContext(RpcClient.make(HostRpc), context)
})
