import { Effect } from "effect"
import { createHash } from "node:crypto"
import * as http from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { listening } from "../processes/listening.ts"

/** One call of the Web API's. */
export interface SlackCall {
  readonly method: string
  readonly authorization: string
  readonly form: Readonly<Record<string, string>>
}

/** What is answered to a call beside `ok: true`. */
export interface SlackAnswer {
  readonly status?: number
  readonly headers?: http.OutgoingHttpHeaders
  readonly body?: object
}

const frame = (text: string, opcode = 1): Buffer => {
  const data = Buffer.from(text)
  const head = data.length < 126 ? Buffer.from([0x80 | opcode, data.length]) : Buffer.alloc(4)
  if (data.length >= 126) {
    head[0] = 0x80 | opcode
    head[1] = 126
    head.writeUInt16BE(data.length, 2)
  }
  return Buffer.concat([head, data])
}

/** Reads the frames of a client, which are masked, and none of them long. */
const readFrames = (socket: Socket, head: Buffer, take: (opcode: number, text: string) => void): void => {
  let rest = head
  const read = (data: Buffer): void => {
    rest = Buffer.concat([rest, data])
    for (;;) {
      if (rest.length < 6) return
      const short = rest[1]! & 0x7f
      const start = short === 126 ? 8 : 6
      if (rest.length < start) return
      const length = short === 126 ? rest.readUInt16BE(2) : short
      if (rest.length < start + length) return
      const mask = rest.subarray(start - 4, start)
      const data = Buffer.from(rest.subarray(start, start + length).map((byte, i) => byte ^ mask[i % 4]!))
      take(rest[0]! & 0x0f, data.toString())
      rest = rest.subarray(start + length)
    }
  }
  socket.on("data", read)
  read(Buffer.alloc(0))
}

/**
 * Slack on this machine: the methods of its Web API that leap calls, and Socket Mode. `answer` gives what a call is
 * answered beside a plain success; null hangs up.
 */
export const serveSlack = Effect.fn("serveSlack")(function* (
  answer: (call: SlackCall) => SlackAnswer | null = () => ({})
) {
  const calls: Array<SlackCall> = []
  const acknowledged: Array<string> = []
  const sockets = new Set<Socket>()
  let connections = 0
  let messages = 0
  const server = http.createServer((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (data: string) => (text += data))
    request.on("end", () => {
      const call: SlackCall = {
        method: (request.url ?? "").replace(/^\/api\//, ""),
        authorization: request.headers.authorization ?? "",
        form: Object.fromEntries(new URLSearchParams(text))
      }
      calls.push(call)
      const given = answer(call)
      if (given === null) return void request.socket.destroy()
      const { port } = server.address() as AddressInfo
      const usual =
        call.method === "apps.connections.open"
          ? { url: `ws://127.0.0.1:${port}/link` }
          : call.method === "chat.postMessage"
            ? { ts: `${1_700_000_000 + ++messages}.000100` }
            : {}
      response.writeHead(given.status ?? 200, { "content-type": "application/json", ...given.headers })
      response.end(JSON.stringify({ ok: true, ...usual, ...given.body }))
    })
  })
  server.on("upgrade", (request, socket: Socket, head: Buffer) => {
    const key = request.headers["sec-websocket-key"] ?? ""
    const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64")
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`
    )
    connections++
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    socket.on("error", () => sockets.delete(socket))
    readFrames(socket, head, (opcode, text) => {
      if (opcode === 9) socket.write(frame(text, 10))
      else if (opcode === 8) socket.end(frame("\u0003\u00e8", 8).subarray(0, 2))
      else if (opcode === 1) acknowledged.push((JSON.parse(text) as { envelope_id: string }).envelope_id)
    })
    socket.write(frame(JSON.stringify({ type: "hello", num_connections: 1 })))
  })
  const port = yield* listening(server)
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
    })
  )
  const write = (message: object): void => {
    for (const socket of sockets) socket.write(frame(JSON.stringify(message)))
  }
  return {
    url: `http://127.0.0.1:${port}/api/`,
    calls,
    of: (method: string) => calls.filter((call) => call.method === method),
    /** Envelopes that were acknowledged, by their ids. */
    acknowledged,
    connections: () => connections,
    /** Tells all who listen something, in an envelope. */
    send: (id: string, type: string, payload: unknown) =>
      write({ envelope_id: id, type, payload, accepts_response_payload: false }),
    /** Asks those who listen to connect again, as Slack does now and then. */
    refresh: () => write({ type: "disconnect", reason: "refresh_requested" }),
    /** Breaks all connections. */
    cut: () => {
      for (const socket of sockets) socket.destroy()
    }
  }
})
