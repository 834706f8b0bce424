import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { Effect, Layer } from "effect"
import { RpcSerialization, RpcServer } from "effect/rpc"
import * as SocketServer from "effect/socket/SocketServer"
import * as fs from "node:fs/promises"
import { ControlSocketError } from "../../services/ControlSocket.ts"
import { HostRpc } from "../../services/HostRpc.ts"
import * as controlProtocol from "./controlProtocol.ts"
import { errorTextOf } from "../../domain/reading/Fields.ts"

/** Serves the session on this path until the scope ends. A socket there that nobody serves is replaced. */
export const serveAt = Effect.fnUntraced(function* (path: string) {
  const failed = (cause: unknown) => new ControlSocketError({ path, why: errorTextOf(cause) })
  yield* Effect.tryPromise({ try: () => fs.rm(path, { force: true }), catch: failed })
  const formerMask = process.umask(0o177)
  const server = yield* NodeSocketServer.make({ path }).pipe(
    Effect.mapError((error) => failed(error.reason.cause ?? error)),
    Effect.ensuring(Effect.sync(() => process.umask(formerMask)))
  )
  yield* Effect.tryPromise({ try: () => fs.chmod(path, 0o600), catch: failed })
  yield* Layer.build(
    RpcServer.layer(HostRpc, { disableTracing: true, disableFatalDefects: true }).pipe(
      Layer.provide(controlProtocol.layer),
      Layer.provide([Layer.succeed(SocketServer.SocketServer, server), RpcSerialization.layerNdjson])
    )
  )
})
