import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { Cause, Deferred, Effect, Layer, Option, Semaphore } from "effect"
import { RpcSchema, RpcServer } from "effect/rpc"
import * as Socket from "effect/socket/Socket"
import * as SocketServer from "effect/socket/SocketServer"
import type { Socket as NetSocket } from "node:net"
import type { Duplex } from "node:stream"
import { AttachChannel } from "../../services/AttachChannel.ts"
import { HostRpc } from "../../services/HostRpc.ts"
import { byteLink, nextPiece } from "./byteLink.ts"
import { plainCalls, writeText } from "./plainCalls.ts"

/** The most concurrent requests of one connection. While it has so many, no more is read from it. */
export const callLimit = 32
/** The most subscriptions of one connection; more are refused, because only the client ends them. */
export const subscriptionLimit = 32

const gone = () => new Socket.SocketError({ reason: new Socket.SocketCloseError({ code: 1006 }) })

/** Longer than any request: a longer line would be kept in memory until its end. */
export const longestLine = 16 << 20
/** The garbage of a connection to the RPC server, in bytes, in addition to that of its requests. */
const connectionCost = 64 << 10

/**
 * Counts a client's bytes, and ends its connection at a line beyond the limit. The pieces of a line are passed on as
 * one, because the line reader scans everything again with each piece, which would take a host seconds for a long line.
 */
const measured = (socket: Socket.Socket, heard: (bytes: number) => void): Socket.Socket => {
  heard(connectionCost)
  return Socket.make({
    writer: socket.writer,
    reader: Effect.map(socket.reader, (reader) => {
      let begun: Array<Uint8Array> = []
      let length = 0
      const pull: typeof reader.pull = Effect.flatMap(reader.pull, (pieces) => {
        const ended: Array<Uint8Array> = []
        for (const piece of pieces) {
          const bytes = typeof piece === "string" ? Buffer.from(piece) : piece
          heard(bytes.length)
          const end = bytes.lastIndexOf(0x0a) + 1
          if (end > 0) {
            ended.push(...begun, bytes.subarray(0, end))
            begun = []
            length = 0
          }
          if (end < bytes.length) begun.push(bytes.subarray(end))
          length += bytes.length - end
        }
        if (length > longestLine) return Effect.fail(gone())
        return ended.length === 0 ? pull : Effect.succeed([Buffer.concat(ended)] as const)
      })
      return { ...reader, pull }
    })
  })
}

/**
 * A client that leaves without reading its answers is no fault: its reading end reports a close, and writes to it are
 * dropped. Writes are sequential, so that they wait for the client in order.
 */
const tolerant = (socket: Socket.Socket, connection: Option.Option<Duplex>): Socket.Socket => {
  let released = false
  // A write to a closed socket would wait for an event that has already happened.
  const isClosed = () => released || (Option.isSome(connection) && !connection.value.writable)
  return Socket.make({
    reader: Effect.gen(function* () {
      const reader = yield* Effect.mapError(socket.reader, gone)
      yield* Effect.addFinalizer(() => Effect.sync(() => void (released = true)))
      return { ...reader, pull: Effect.mapError(reader.pull, gone) }
    }),
    writer: Effect.gen(function* () {
      const writer = yield* socket.writer
      const turn = yield* Semaphore.make(1)
      const unlessClosed = <E>(write: Effect.Effect<void, E>) =>
        turn.withPermits(1)(Effect.suspend(() => (isClosed() ? Effect.void : Effect.ignore(write))))
      return {
        write: (chunk) => unlessClosed(writer.write(chunk)),
        writeAll: (chunks) => unlessClosed(writer.writeAll(chunks))
      }
    })
  })
}

/** A connection's unanswered requests. */
interface Open {
  readonly calls: Set<string>
  readonly subscriptions: Set<string>
  waiting: Deferred.Deferred<void> | null
}

const isSubscription = (tag: string): boolean => {
  const rpc = HostRpc.requests.get(tag)
  return rpc !== undefined && RpcSchema.isStreamSchema(rpc.successSchema)
}

const refusal = (requestId: string | number) => ({
  _tag: "Exit" as const,
  requestId,
  exit: {
    _tag: "Failure" as const,
    cause: [
      { _tag: "Die" as const, defect: `more than ${subscriptionLimit} subscriptions on one connection are refused` }
    ]
  }
})

/**
 * Limits the concurrent requests of one connection. A request counts until the system's buffer has taken its answer. So
 * a client that reads no answers is soon not read either, and what it costs stays bounded.
 */
const bounded = (protocol: RpcServer.Protocol["Service"]): RpcServer.Protocol["Service"] => {
  const clients = new Map<number, Open>()
  const openOf = Effect.fnUntraced(function* (clientId: number) {
    const known = clients.get(clientId)
    if (known !== undefined) return known
    const connected = yield* protocol.clientIds
    for (const id of clients.keys()) if (!connected.has(id)) clients.delete(id)
    const open: Open = { calls: new Set(), subscriptions: new Set(), waiting: null }
    clients.set(clientId, open)
    return open
  })
  const answered = (clientId: number, requestId: string | number | null) =>
    Effect.suspend(() => {
      const open = clients.get(clientId)
      if (open === undefined) return Effect.void
      if (requestId === null) {
        open.calls.clear()
        open.subscriptions.clear()
      } else {
        open.calls.delete(String(requestId))
        open.subscriptions.delete(String(requestId))
      }
      const { waiting } = open
      open.waiting = null
      return waiting === null ? Effect.void : Effect.asVoid(Deferred.succeed(waiting, undefined))
    })
  return RpcServer.Protocol.of({
    ...protocol,
    run: (handle) =>
      protocol.run(
        Effect.fnUntraced(function* (clientId, message) {
          if (message._tag !== "Request") return yield* handle(clientId, message)
          const open = yield* openOf(clientId)
          if (isSubscription(message.tag)) {
            if (open.subscriptions.size >= subscriptionLimit) return yield* protocol.send(clientId, refusal(message.id))
            open.subscriptions.add(String(message.id))
          } else {
            // One fiber reads the connection: while it waits here, nothing more is read.
            while (open.calls.size >= callLimit) {
              open.waiting ??= yield* Deferred.make<void>()
              yield* Deferred.await(open.waiting)
            }
            open.calls.add(String(message.id))
          }
          // Every request gets an answer, even one that wants none: only an answer ends its count.
          const { discard: _, isNotification: __, ...request } = message
          yield* handle(clientId, request)
        })
      ),
    send: (clientId, response, transferables) => {
      const sent = protocol.send(clientId, response, transferables)
      if (response._tag === "Exit") return Effect.ensuring(sent, answered(clientId, response.requestId))
      return response._tag === "Defect" || response._tag === "ClientProtocolError"
        ? Effect.ensuring(sent, answered(clientId, null))
        : sent
    }
  })
}

/** The limit, in milliseconds, for a viewer to read the last bytes. */
const flushMs = 2_000

/** Serves a connection that is an attach channel, then flushes and closes it. */
const serveChannel = (channel: AttachChannel["Service"], connection: NetSocket) =>
  Effect.ensuring(
    channel.serve(byteLink(connection)),
    Effect.sync(() => {
      connection.destroySoon()
      setTimeout(() => connection.destroy(), flushMs).unref()
    })
  )

/**
 * The protocol of a control socket over a server: limited for each connection, robust against vanishing clients.
 * Connections that begin with a zero byte are attach channels. Plain calls at a connection's beginning are answered
 * without the RPC server.
 */
export const layerOf = (heard: (bytes: number) => void) =>
  Layer.effect(
    RpcServer.Protocol,
    Effect.gen(function* () {
      const server = yield* SocketServer.SocketServer
      const channel = yield* AttachChannel
      const answerTo = yield* plainCalls
      const protocol = yield* RpcServer.makeProtocolSocketServer.pipe(
        Effect.provideService(
          SocketServer.SocketServer,
          SocketServer.SocketServer.of({
            ...server,
            // A request that comes while the host ends interrupts its connection. That is no fault.
            run: (handler) =>
              server.run((socket) =>
                Effect.gen(function* () {
                  const connection = yield* Effect.serviceOption(NodeSocket.NetSocket)
                  // The RPC server does not own the connection yet, so an interruption must destroy it here.
                  const orDestroy = <A>(socket: NetSocket, effect: Effect.Effect<A>) =>
                    Effect.onInterrupt(effect, () => Effect.sync(() => socket.destroy()))
                  for (let isFirst = true; Option.isSome(connection); isFirst = false) {
                    const { value } = connection
                    const piece = yield* orDestroy(value, nextPiece(value))
                    if (piece === null) return void value.destroy()
                    const answer = answerTo(piece)
                    if (answer === null) {
                      value.unshift(piece)
                      if (isFirst && piece[0] === 0) return yield* serveChannel(channel, value)
                      break
                    }
                    yield* orDestroy(
                      value,
                      Effect.flatMap(answer, (text) => writeText(value, text))
                    )
                  }
                  return yield* Effect.asVoid(handler(measured(tolerant(socket, connection), heard)))
                }).pipe(Effect.catchCauseIf(Cause.hasInterruptsOnly, () => Effect.void))
              )
          })
        )
      )
      return bounded(protocol)
    })
  )
