import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { Duration, Effect, Layer } from "effect"
import { RpcClient, RpcSerialization, RpcServer } from "effect/rpc"
import * as SocketServer from "effect/socket/SocketServer"
import * as fs from "node:fs/promises"
import * as net from "node:net"
import { dirname } from "node:path"
import { HostRpc } from "../../services/HostRpc.ts"
import { byteLink } from "./byteLink.ts"
import * as controlProtocol from "./controlProtocol.ts"
import { type ConnectOptions, ControlSocket, ControlSocketError, NoHostError } from "../../services/ControlSocket.ts"

const reasonOf = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** Succeeds when a process listens; fails with the reason otherwise. Takes at most two seconds. */
const probe = (path: string): Effect.Effect<void, NoHostError> =>
  Effect.callback<void, NoHostError>((resume) => {
    const socket = net.connect({ path })
    socket.once("connect", () => {
      socket.destroy()
      resume(Effect.void)
    })
    socket.once("error", (cause: NodeJS.ErrnoException) => {
      const reason =
        cause.code === "ENOENT"
          ? "there is none"
          : cause.code === "ECONNREFUSED"
            ? "it was left behind by a host that died"
            : cause.message
      // a listener whose queue of connections is full
      resume(new NoHostError({ path, why: reason, ...(cause.code === "EAGAIN" ? { alive: true } : {}) }))
    })
    return Effect.sync(() => socket.destroy())
  }).pipe(
    Effect.timeoutOrElse({
      duration: "2 seconds",
      orElse: () => new NoHostError({ path, why: "it does not answer", alive: true })
    })
  )

const serve = Effect.fn("ControlSocket.serve")(function* (path: string) {
  const failed = (cause: unknown) => new ControlSocketError({ path, why: reasonOf(cause) })
  // The caller holds the session's lock, so no process can be listening; this is checked all the same before anything
  // is deleted.
  const taken = yield* Effect.match(probe(path), { onSuccess: () => true, onFailure: () => false })
  if (taken) {
    return yield* failed("another process listens on it")
  }
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

/** A socket in a directory of another user cannot be trusted, whatever answers on it. */
const isOwn = (path: string) =>
  Effect.promise(() =>
    fs.lstat(dirname(path)).then(
      (stat) => process.getuid === undefined || stat.uid === process.getuid(),
      () => true
    )
  )

const connect = Effect.fnUntraced(function* (path: string, options?: ConnectOptions) {
  if (!(yield* isOwn(path))) return yield* new NoHostError({ path, why: "its directory belongs to another user" })
  yield* probe(path)
  const protocol = RpcClient.layerProtocolSocket({
    retryTransientErrors: false,
    ...(options?.patient === true ? { pingTimeout: Duration.infinity } : {})
  }).pipe(Layer.provide([NodeSocket.layerNet({ path }), RpcSerialization.layerNdjson]))
  const context = yield* Layer.build(protocol).pipe(
    Effect.mapError((cause) => new NoHostError({ path, why: reasonOf(cause) }))
  )
  return yield* Effect.provideContext(RpcClient.make(HostRpc), context)
})

/** How long a host may take to read what was sent last. */
const closePatience = "200 millis"

const attach = Effect.fnUntraced(function* (path: string) {
  if (!(yield* isOwn(path))) return yield* new NoHostError({ path, why: "its directory belongs to another user" })
  const socket = yield* Effect.acquireRelease(
    Effect.callback<net.Socket, NoHostError>((resume) => {
      const socket = net.connect({ path })
      socket.once("connect", () => resume(Effect.succeed(socket)))
      socket.on("error", (cause) => resume(Effect.fail(new NoHostError({ path, why: reasonOf(cause) }))))
      return Effect.sync(() => socket.destroy())
    }).pipe(
      Effect.timeoutOrElse({
        duration: "2 seconds",
        orElse: () => Effect.fail(new NoHostError({ path, why: "it does not answer", alive: true }))
      })
    ),
    // What was sent goes out first, and the host is told at once: this process may be stopped in the next moment. But a
    // host that takes nothing keeps nobody.
    (socket) =>
      Effect.callback<void>((resume) => {
        if (socket.closed) return resume(Effect.void)
        socket.once("close", () => resume(Effect.void))
        socket.destroySoon()
      }).pipe(Effect.timeoutOption(closePatience), Effect.andThen(Effect.sync(() => socket.destroy())))
  )
  return byteLink(socket)
})

/** Sockets of the file system, one for each session. */
export const layer: Layer.Layer<ControlSocket> = Layer.succeed(ControlSocket, { serve, connect, attach })
