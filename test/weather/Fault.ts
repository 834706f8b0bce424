import type * as http from "node:http"
import type { Reply } from "../real/model/FakeModel.ts"

/** What is done to one request, by the endpoint that got it. */
export type Fault =
  | {
      readonly how: "status"
      readonly status: number
      readonly body: string | object
      readonly headers?: Readonly<Record<string, string>>
    }
  /** The connection is reset before the header of the reply. */
  | { readonly how: "reset" }
  /** It is closed without a reply. */
  | { readonly how: "hang-up" }
  /** A reply begins, and the connection is reset in the middle of it. */
  | { readonly how: "reset-in-body" }
  /** A reply begins, and the connection is closed in the middle of it. */
  | { readonly how: "cut-in-body" }
  /** A reply begins, and ends in good order without what ends a reply. */
  | { readonly how: "cut-clean" }
  /** A reply begins, and the connection is closed in the middle of one event of its stream. */
  | { readonly how: "cut-in-event" }
  /** The connection is reset in the middle of the header. */
  | { readonly how: "reset-in-header" }
  /** A reply whose header, or whose first byte behind the header, comes seconds later. */
  | { readonly how: "slow-header" | "slow-first-byte" }
  /** A reply begins, and nothing more comes until the connection is cut. */
  | { readonly how: "stall" }
  /** What comes is no HTTP. */
  | { readonly how: "garbage" }
  /** The raw events of a stream, each with its name or none; `whole` answers a request that wants no stream. */
  | {
      readonly how: "events"
      readonly events: ReadonlyArray<readonly [string | null, object]>
      readonly whole?: { readonly status: number; readonly body: object }
    }

const written = (response: http.ServerResponse, bytes: string) =>
  new Promise<void>((resolve) => response.write(bytes, () => resolve()))

const eventStream = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" }

const slowMs = 4_000

const begun = "This reply stops in the middle of a"

/** The reply that does it. */
export const replyOf = (fault: Fault): Reply => ({
  by: async (response, speak, stream) => {
    const { socket } = response
    switch (fault.how) {
      case "status": {
        const isText = typeof fault.body === "string"
        const type = isText ? "text/html" : "application/json"
        response.writeHead(fault.status, { "content-type": type, "request-id": "req_fake", ...fault.headers })
        response.end(isText ? fault.body : JSON.stringify(fault.body))
        return
      }
      case "reset":
        socket?.resetAndDestroy()
        return
      case "hang-up":
        socket?.destroy()
        return
      case "garbage":
        socket?.end("SSH-2.0-OpenSSH_9.6\r\n")
        return
      case "reset-in-header":
        socket?.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-str", () => socket.resetAndDestroy())
        return
      case "slow-header":
      case "slow-first-byte":
        if (fault.how === "slow-first-byte") response.writeHead(200, eventStream).flushHeaders()
        await new Promise((resolve) => setTimeout(resolve, slowMs))
        await speak([{ type: "text", text: "This took its time." }])
        response.end()
        return
      case "stall":
      case "cut-in-event":
        response.writeHead(200, eventStream)
        await written(response, `data: {"type":"response.cre`)
        if (fault.how === "cut-in-event") socket?.destroy()
        return
      case "events":
        if (!stream && fault.whole !== undefined) {
          response.writeHead(fault.whole.status, { "content-type": "application/json", "request-id": "req_fake" })
          response.end(JSON.stringify(fault.whole.body))
          return
        }
        response.writeHead(200, eventStream)
        for (const [name, data] of fault.events)
          await written(response, `${name === null ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
        response.end()
        return
      case "reset-in-body":
      case "cut-in-body":
      case "cut-clean": {
        let stop = () => {}
        const stopped = new Promise<void>((resolve) => (stop = resolve))
        // what is said goes on until the connection is gone
        void speak([{ type: "text", text: begun, until: new Promise(() => {}) }]).then(stop, stop)
        await new Promise((resolve) => setTimeout(resolve, 200))
        if (fault.how === "reset-in-body") socket?.resetAndDestroy()
        else if (fault.how === "cut-in-body") socket?.destroy()
        else {
          await written(response, "\n\n")
          socket?.write("0\r\n\r\n")
          socket?.end()
        }
        await stopped
      }
    }
  }
})
