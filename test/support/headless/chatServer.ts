import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"

/** A request as the server got it. */
export interface ChatRequest {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: Record<string, unknown>
  /** When the client has hung up, or all was sent. */
  readonly closed: Promise<void>
}

export type Reply = (response: ServerResponse, request: ChatRequest) => void

export interface ChatServer {
  readonly url: string
  readonly requests: Array<ChatRequest>
}

/**
 * An HTTP server on the loopback interface that answers the first request with the first reply and so on, the last one
 * over and over.
 */
export const chatServer = (...replies: ReadonlyArray<Reply>) =>
  Effect.acquireRelease(
    Effect.callback<ChatServer & { readonly stop: () => void }>((resume) => {
      const requests: Array<ChatRequest> = []
      const sockets = new Set<Socket>()
      const server = createServer((message, response) => {
        const pieces: Array<Buffer> = []
        const closed = new Promise<void>((resolve) => response.on("close", resolve))
        response.on("error", () => undefined)
        message.on("data", (piece: Buffer) => pieces.push(piece))
        message.on("end", () => {
          const request = {
            path: message.url ?? "",
            headers: message.headers,
            body: JSON.parse(Buffer.concat(pieces).toString() || "{}") as Record<string, unknown>,
            closed
          }
          requests.push(request)
          replies[Math.min(requests.length, replies.length) - 1]?.(response, request)
        })
      })
      server.on("connection", (socket) => {
        sockets.add(socket)
        socket.on("close", () => sockets.delete(socket))
      })
      server.listen(0, "127.0.0.1", () => {
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
            requests,
            stop: () => {
              server.close()
              for (const socket of sockets) socket.destroy()
            }
          })
        )
      })
    }),
    ({ stop }) => Effect.sync(stop)
  )

export const chunk = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "m-1", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

export const usage = (prompt: number, completion: number, more: object = {}): string =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "m-1", choices: [], usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...more } })}\n\n`

/** A stream that says these pieces. */
export const stream = (...texts: ReadonlyArray<string>): string =>
  [
    chunk({ role: "assistant", content: "" }),
    ...texts.map((content) => chunk({ content })),
    chunk({}, "stop"),
    usage(10, 8),
    "data: [DONE]\n\n"
  ].join("")

/** A whole answer, not streamed. */
export const whole = (message: unknown, more: object = {}): string =>
  JSON.stringify({
    id: "w1",
    object: "chat.completion",
    model: "m-1",
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage: { prompt_tokens: 10, completion_tokens: 8, total_tokens: 18 },
    ...more
  })

export const send =
  (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, headers)
    response.end(body)
  }

export const sendStream = (...texts: ReadonlyArray<string>): Reply =>
  send(200, stream(...texts), { "content-type": "text/event-stream" })
