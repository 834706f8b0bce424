import { Effect } from "effect"
import * as http from "node:http"
import { listening } from "./listening.ts"

/** A request as it came. */
export interface Received {
  readonly url: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
  readonly bytes: Buffer
}

interface Answer {
  readonly status: number
  readonly headers?: http.OutgoingHttpHeaders
  readonly body?: string
}

/** A receiver on this machine that keeps what it is sent; null: it answers nothing. */
export const httpReceiver = Effect.fnUntraced(function* (answer: (count: number) => Answer | null) {
  const requests: Array<Received> = []
  const server = http.createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (data: Buffer) => parts.push(data))
    request.on("end", () => {
      const bytes = Buffer.concat(parts)
      requests.push({ url: request.url ?? "", headers: request.headers, body: bytes.toString("utf8"), bytes })
      const given = answer(requests.length)
      if (given !== null) response.writeHead(given.status, given.headers).end(given.body ?? "SECRET")
    })
  })
  return { requests, url: `http://127.0.0.1:${yield* listening(server)}` }
})
