import { Effect, type Exit, Schema } from "effect"
import { Rpc, RpcClientError, RpcSerialization } from "effect/rpc"
import { HostRpc } from "../../services/HostRpc.ts"

/** Reads the exit of a call by its schemas, as the RPC client does. */
export const readExit = (name: string, exit: unknown): Effect.Effect<unknown, unknown> => {
  const codec = RpcSerialization.ndjson.codecFor(Rpc.exitSchema(HostRpc.requests.get(name) as Rpc.Any))
  const read = Schema.decodeUnknownEffect(codec) as (
    exit: unknown
  ) => Effect.Effect<Exit.Exit<unknown, unknown>, Schema.SchemaError>
  return Effect.flatten(Effect.orDie(read(exit)))
}

/** The error of a call whose connection broke, or whose host was silent for too long. */
export const lostConnection = (path: string): RpcClientError.RpcClientError =>
  new RpcClientError.RpcClientError({
    reason: new RpcClientError.RpcClientDefect({
      message: `the connection to the host on ${path} was lost`,
      cause: undefined
    })
  })
