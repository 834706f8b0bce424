import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Scope } from "effect"
import * as http from "node:http"
import type * as net from "node:net"
import { frameMost } from "../../domain/surfaces/web/Frames.ts"
import { ListenError } from "../../services/WebListener.ts"

/** A browser opens six connections for files, and one for each open page. */
const connectionsMost = 200
/** The most time that connections may take for their last bytes when the server ends. */
const farewell = "200 millis"

export const listen = Effect.fnUntraced(function* (port: number) {
  const sockets = new Set<net.Socket>()
  const node = http.createServer({
    headersTimeout: 5000,
    requestTimeout: 10_000,
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: 5000,
    maxHeaderSize: 8192
  })
  node.maxConnections = connectionsMost
  node.on("connection", (socket: net.Socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  })
  // The server has its own scope: closing it waits for all WebSockets, whose users must be told to end before.
  const life = yield* Scope.make()
  yield* Effect.addFinalizer((exit) =>
    Effect.gen(function* () {
      for (const socket of sockets) socket.destroySoon()
      // A browser that does not read its last frame must not delay anybody.
      if (sockets.size > 0) yield* Effect.sleep(farewell)
      for (const socket of sockets) socket.destroy()
      yield* Scope.close(life, exit)
    })
  )
  const server = yield* NodeHttpServer.make(() => node, {
    host: "127.0.0.1",
    port,
    disablePreemptiveShutdown: true,
    websocket: { maxPayload: frameMost, perMessageDeflate: false }
  }).pipe(
    Scope.provide(life),
    Effect.mapError(({ cause }) => {
      const { code, message } = cause as NodeJS.ErrnoException
      return new ListenError({ port, why: message, taken: code === "EADDRINUSE" })
    })
  )
  return { server, port: (node.address() as net.AddressInfo).port }
})
