import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { Effect, Exit, Fiber, Layer, Scope } from "effect"
import { RpcSerialization, RpcServer } from "effect/rpc"
import * as SocketServer from "effect/socket/SocketServer"
import * as fs from "node:fs/promises"
import { dirname } from "node:path"
import { ControlSocketError, type ServedSocket } from "../../services/ControlSocket.ts"
import { HostRpc } from "../../services/HostRpc.ts"
import * as controlProtocol from "./controlProtocol.ts"
import { errorCodeOf, errorTextOf } from "../../domain/words/reading/Fields.ts"
import { noSockets } from "../../domain/words/wording/noSockets.ts"

type Server = SocketServer.SocketServer["Service"]
type Serve = (server: Server) => Effect.Effect<never, SocketServer.SocketServerError>

const identityAt = (path: string): Promise<string | null> =>
  fs.lstat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev}:${ino}`,
    () => null
  )

interface Binding {
  readonly server: Server
  /** The identity of the file at the path while clients reach this socket. */
  readonly file: string | null
  readonly scope: Scope.Closeable
  /** Takes no more connections. Node then deletes any file at the path. */
  readonly retire: Effect.Effect<void>
  connections: number
}

/** Binds the path, replacing what is there, until its scope ends. */
const bind = Effect.fnUntraced(function* (path: string) {
  const failed = (cause: unknown) => new ControlSocketError({ path, why: errorTextOf(cause) })
  const unbound = (cause: unknown) => {
    const advice = noSockets(errorCodeOf(cause), dirname(path))
    return advice === null ? failed(cause) : failed(`${errorTextOf(cause)} (${advice})`)
  }
  const scope = yield* Scope.make()
  const listening = new AbortController()
  return yield* Effect.gen(function* () {
    yield* Effect.tryPromise({
      try: () => fs.rm(path, { force: true }),
      catch: (cause) => failed(/EISDIR$/.test(errorCodeOf(cause)) ? "something else is in its place: remove it" : cause)
    })
    const listen = NodeSocketServer.make({ path, signal: listening.signal }).pipe(
      Scope.provide(scope),
      Effect.mapError((error) => unbound(error.reason.cause ?? error)),
      Effect.forkChild({ startImmediately: true })
    )
    // The umask belongs to the whole process, so it is restored before other code here can create files or a process.
    const formerMask = process.umask(0o177)
    const fiber = yield* Effect.ensuring(
      listen,
      Effect.sync(() => process.umask(formerMask))
    )
    const server = yield* Fiber.join(fiber)
    yield* Effect.tryPromise({ try: () => fs.chmod(path, 0o600), catch: failed })
    const file = yield* Effect.promise(() => identityAt(path))
    const retire = Effect.sync(() => listening.abort())
    return { server, file, scope, retire, connections: 0 } satisfies Binding
  }).pipe(Effect.onError(() => Scope.close(scope, Exit.void)))
})

/** Serves the session on this path until the scope ends. A socket there that nobody serves is replaced. */
export const serveAt = Effect.fnUntraced(function* (path: string, heard: (bytes: number) => void = () => {}) {
  const whole = yield* Effect.scope
  /** Only the last one listens; the earlier ones only keep their connections. */
  const bindings = new Set<Binding>()
  let current: Binding = yield* bind(path)
  bindings.add(current)
  yield* Scope.addFinalizer(
    whole,
    Effect.suspend(() => Effect.forEach(bindings, ({ scope }) => Scope.close(scope, Exit.void), { discard: true }))
  )
  let serve: Serve | null = null
  const over = (binding: Binding) =>
    Effect.suspend(() => {
      if (binding === current || binding.connections > 0 || !bindings.delete(binding)) return Effect.void
      // A connection cannot close the scope that contains it.
      return Effect.asVoid(Effect.forkIn(Scope.close(binding.scope, Exit.void), whole))
    })
  const begin = (binding: Binding) =>
    serve === null ? Effect.void : Effect.forkIn(serve(binding.server), binding.scope)

  const server = SocketServer.SocketServer.of({
    address: current.server.address,
    run: (handler) =>
      Effect.gen(function* () {
        const context = yield* Effect.context<never>()
        serve = (server) => {
          const binding = [...bindings].find((one) => one.server === server)
          const counted = (socket: Parameters<typeof handler>[0]) => {
            if (binding === undefined) return Effect.void
            binding.connections++
            return Effect.ensuring(
              handler(socket),
              Effect.suspend(() => {
                binding.connections--
                return over(binding)
              })
            )
          }
          return Effect.provideContext(server.run(counted), context as never)
        }
        yield* begin(current)
        return yield* Effect.never
      })
  })
  yield* Layer.build(
    RpcServer.layer(HostRpc, { disableTracing: true, disableFatalDefects: true }).pipe(
      Layer.provide(controlProtocol.layerOf(heard)),
      Layer.provide([Layer.succeed(SocketServer.SocketServer, server), RpcSerialization.layerNdjson])
    )
  )
  return {
    isReachable: Effect.promise(() => identityAt(path)).pipe(
      Effect.map((file) => file !== null && file === current.file)
    ),
    bindAgain: Effect.gen(function* () {
      const former = current
      // First, because it deletes the file at the path.
      yield* former.retire
      current = yield* bind(path)
      bindings.add(current)
      yield* begin(current)
      yield* over(former)
    })
  } satisfies ServedSocket
})
