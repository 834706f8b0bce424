import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as net from "node:net"
import { dirname } from "node:path"
import { type ConnectOptions, ControlSocket, ControlSocketError, NoHostError } from "../../services/ControlSocket.ts"
import { byteLink } from "./byteLink.ts"
import { errorTextOf } from "../../domain/words/reading/Fields.ts"
import { tryOr } from "../../domain/words/reading/tryOr.ts"

const isOther = (path: string): boolean => tryOr(() => !fs.statSync(path).isSocket(), false)

/** Why nobody accepted the connection. Only the session's lock shows whether a host lives all the same. */
const reasonOf = (path: string, cause: NodeJS.ErrnoException): string => {
  if (cause.code === "ENOENT") return "there is none"
  if (isOther(path)) return "something else is in its place"
  return cause.code === "ECONNREFUSED" ? "nobody listens on it" : errorTextOf(cause)
}

/**
 * Fails after two seconds without a connection. The wait has two parts: if this process itself was stopped for so long,
 * events that came meanwhile are handled before the second part.
 */
const withinTime = (path: string, connecting: Effect.Effect<net.Socket, NoHostError>) =>
  Effect.raceFirst(
    connecting,
    Effect.sleep("1900 millis").pipe(
      Effect.andThen(Effect.sleep("100 millis")),
      Effect.andThen(new NoHostError({ path, why: "it does not answer", alive: true }))
    )
  )

/** A connection, which the caller ends; fails with the reason where no process listens. */
const open = (path: string): Effect.Effect<net.Socket, NoHostError> =>
  withinTime(
    path,
    Effect.callback((resume) => {
      const socket = net.connect({ path })
      socket.once("connect", () => resume(Effect.succeed(socket)))
      // once connected, errors are handled by its owner
      socket.on("error", (cause: NodeJS.ErrnoException) => {
        const why = reasonOf(path, cause)
        // a listener whose queue of connections is full
        resume(new NoHostError({ path, why, ...(cause.code === "EAGAIN" ? { alive: true } : {}) }))
      })
      return Effect.sync(() => socket.destroy())
    })
  )

/** Succeeds when a process listens. */
const probe = (path: string): Effect.Effect<void, NoHostError> =>
  Effect.map(open(path), (socket) => void socket.destroy())

/** Serving and calling are loaded on demand: most commands do neither, and both are large. */
const serve = (path: string, heard?: (bytes: number) => void) =>
  Effect.gen(function* () {
    // The caller holds the session's lock, so no process can be listening; this is checked all the same before anything
    // is deleted.
    const taken = yield* Effect.match(probe(path), { onSuccess: () => true, onFailure: () => false })
    if (taken) return yield* new ControlSocketError({ path, why: "another process listens on it" })
    const { serveAt } = yield* Effect.promise(() => import("./controlServer.ts"))
    return yield* serveAt(path, heard)
  }).pipe(Effect.withSpan("ControlSocket.serve"))

/** A socket in a directory of another user cannot be trusted, whatever answers on it. */
const isOwn = (path: string): boolean =>
  tryOr(() => process.getuid === undefined || fs.lstatSync(dirname(path)).uid === process.getuid(), true)

/** The RPC client for all operations; it opens a connection of its own. */
const wholeClient = Effect.fnUntraced(function* (path: string, options?: ConnectOptions) {
  const { connectTo } = yield* Effect.promise(() => import("./controlClient.ts"))
  return yield* connectTo(path, options)
})

const connect = Effect.fnUntraced(function* (path: string, options?: ConnectOptions) {
  if (!isOwn(path)) return yield* new NoHostError({ path, why: "its directory belongs to another user" })
  // a patient client follows a stream
  if (options?.patient === true) {
    yield* probe(path)
    return yield* wholeClient(path, options)
  }
  const socket = yield* Effect.acquireRelease(open(path), (socket) => Effect.sync(() => void socket.destroy()), {
    interruptible: true
  })
  const { hostClient } = yield* Effect.promise(() => import("./hostClient.ts"))
  return yield* hostClient(path, socket, wholeClient(path))
})

/** The most time that a host may take to read the last bytes. */
const closeTimeout = "200 millis"

const attach = Effect.fnUntraced(function* (path: string) {
  if (!isOwn(path)) return yield* new NoHostError({ path, why: "its directory belongs to another user" })
  const socket = yield* Effect.acquireRelease(
    open(path),
    // The last bytes are written first, and the host is told immediately, because this process may be stopped in the
    // next moment. A host that reads nothing must not keep the client waiting.
    (socket) =>
      Effect.callback<void>((resume) => {
        if (socket.closed) return resume(Effect.void)
        socket.once("close", () => resume(Effect.void))
        socket.destroySoon()
      }).pipe(Effect.timeoutOption(closeTimeout), Effect.andThen(Effect.sync(() => socket.destroy())))
  )
  return byteLink(socket)
})

/** Sockets of the file system, one for each session. */
export const layer: Layer.Layer<ControlSocket> = Layer.succeed(ControlSocket, { serve, connect, attach })
