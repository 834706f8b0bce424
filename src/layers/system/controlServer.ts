import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { Effect, Fiber, Layer } from "effect"
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
  const listen = NodeSocketServer.make({ path }).pipe(
    Effect.mapError((error) => failed(error.reason.cause ?? error)),
    Effect.forkChild({ startImmediately: true })
  )
  // The mask is the whole process's: it is back before anything else runs here, which may create files or a process.
  const formerMask = process.umask(0o177)
  const listening = yield* Effect.ensuring(
    listen,
    Effect.sync(() => process.umask(formerMask))
  )
  const server = yield* Fiber.join(listening)
  yield* Effect.tryPromise({ try: () => fs.chmod(path, 0o600), catch: failed })
  yield* Layer.build(
    RpcServer.layer(HostRpc, { disableTracing: true, disableFatalDefects: true }).pipe(
      Layer.provide(controlProtocol.layer),
      Layer.provide([Layer.succeed(SocketServer.SocketServer, server), RpcSerialization.layerNdjson])
    )
  )
})
