import * as http from "node:http"
import type { Socket } from "node:net"

export interface Answer {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly text: string
}

/** One request with exactly these headers. */
export const request = (
  port: number,
  path: string,
  { body, headers = {}, method = "GET" }: { method?: string; headers?: http.OutgoingHttpHeaders; body?: string } = {}
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const asked = http.request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (data: string) => (text += data))
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    asked.on("error", reject)
    asked.end(body)
  })

/** The header of a WebSocket's frame of a client's: a text of `length` bytes. */
export const frameHeader = (length: number, mask: Buffer): Buffer => {
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10)
  head[0] = 0x81
  if (length < 126) head[1] = 0x80 | length
  else if (length < 65_536) {
    head[1] = 0x80 | 126
    head.writeUInt16BE(length, 2)
  } else {
    head[1] = 0x80 | 127
    head.writeBigUInt64BE(BigInt(length), 2)
  }
  return Buffer.concat([head, mask])
}

/** A WebSocket by hand, which keeps to no rule that its user breaks. */
export interface RawSocket {
  readonly socket: Socket
  readonly send: (text: string) => void
  /** The texts so far. */
  readonly texts: ReadonlyArray<string>
  /** The code with which the server closed it; 1006 where it said none. */
  readonly closed: Promise<number>
  /** Why the server closed it; "" where it said nothing. */
  readonly why: () => string
}

/** Opens a WebSocket with these headers; the answer where it is refused. */
export const openSocket = (port: number, headers: http.OutgoingHttpHeaders): Promise<RawSocket | Answer> =>
  new Promise((resolve, reject) => {
    const asked = http.request({
      host: "127.0.0.1",
      port,
      path: "/socket",
      agent: false,
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        ...headers
      }
    })
    asked.on("error", reject)
    asked.on("response", (response) => {
      let text = ""
      response.setEncoding("utf8").on("data", (data: string) => (text += data))
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    asked.on("upgrade", (_, socket: Socket, head) => {
      const texts: Array<string> = []
      let rest = head
      let reason = ""
      let tell: (code: number) => void = () => {}
      const closed = new Promise<number>((done) => (tell = done))
      const read = () => {
        for (;;) {
          if (rest.length < 2) return
          const short = rest[1]! & 0x7f
          const from = short === 126 ? 4 : short === 127 ? 10 : 2
          if (rest.length < from) return
          const size = short === 126 ? rest.readUInt16BE(2) : short === 127 ? Number(rest.readBigUInt64BE(2)) : short
          if (rest.length < from + size) return
          const data = rest.subarray(from, from + size)
          const code = rest[0]! & 0x0f
          rest = rest.subarray(from + size)
          if (code === 1) texts.push(data.toString("utf8"))
          if (code === 8) reason = data.subarray(2).toString("utf8")
          if (code === 8) tell(size >= 2 ? data.readUInt16BE(0) : 1005)
        }
      }
      socket.on("data", (data) => {
        rest = Buffer.concat([rest, data])
        read()
      })
      socket.on("error", () => {})
      socket.on("close", () => tell(1006))
      read()
      const send = (text: string): void => {
        const bytes = Buffer.from(text)
        const mask = Buffer.alloc(4)
        socket.write(Buffer.concat([frameHeader(bytes.length, mask), bytes]))
      }
      resolve({ socket, send, texts, closed, why: () => reason })
    })
    asked.end()
  })
