import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { gunzipSync, zstdDecompressSync } from "node:zlib"

/** One block of a scripted reply. `until`: text goes on in small pieces until this settles, then the block ends. */
export type Block = { readonly type: "text"; readonly text: string; readonly until?: Promise<unknown> } | ToolBlock

export interface ToolBlock {
  readonly type: "tool"
  readonly name: string
  readonly input: unknown
  readonly freeform?: boolean
  /** The group of tools that it belongs to, where the API knows such groups. */
  readonly namespace?: string
  /** What is called where the request does not offer the tool: versions differ. */
  readonly instead?: ToolBlock
}

/** What the model says to one request of the main conversation; or the failure it answers with. */
export type Reply =
  | { readonly blocks: ReadonlyArray<Block> }
  | {
      readonly failure: {
        readonly status: number
        readonly message: string
        readonly headers?: Readonly<Record<string, string>>
      }
    }
  | {
      /**
       * The reply is written by this, byte by byte if it likes. `speak`: streams blocks as the model would; `stream`:
       * that is what was asked for.
       */
      readonly by: (
        response: http.ServerResponse,
        speak: (blocks: ReadonlyArray<Block>) => Promise<void>,
        stream: boolean
      ) => Promise<void>
      /** It is an answer of the model's all the same. */
      readonly answers?: true
    }

/** The tokens of one request. */
export interface Bill {
  readonly fresh: number
  readonly read: number
  readonly written: number
  readonly output: number
}

export const totalOf = ({ fresh, output, read, written }: Bill) => fresh + read + written + output

const usualBill: Bill = { fresh: 200, read: 700, written: 300, output: 20 }

/** What the endpoint saw of one request, by its own clock (milliseconds since the epoch). */
export interface Exchange {
  readonly number: number
  /** `main`: the conversation itself. `side`: a title, a quota probe and the like. */
  readonly kind: "main" | "side"
  readonly arrivedAt: number
  /** When the first byte of the reply went out, and when the reply had ended. */
  startedAt: number | null
  endedAt: number | null
  /** The client hung up before the reply had ended. */
  aborted: boolean
  /** What it got is a failure, or no reply of the model's. */
  failed?: true
  /** It got the model's wish for a tool: the turn goes on. */
  goesOn?: true
  /** Text of tool results in the newest user message. */
  readonly toolResults: ReadonlyArray<string>
  /** What the user has said in the whole conversation so far, oldest first, without what the CLI adds on its own. */
  readonly conversation: ReadonlyArray<string>
  /** Pictures in the whole conversation so far. */
  readonly images: number
  /** What it is told to have used. */
  readonly bill: Bill
}

/** One request for a reply, as a wire format tells it. */
export interface Asked {
  readonly kind: "main" | "side"
  readonly stream: boolean
  readonly toolResults: ReadonlyArray<string>
  readonly conversation: ReadonlyArray<string>
  /** The answer to a side request. */
  readonly sideAnswer: string
}

/** Where a reply goes: server-sent events, or one document. */
export interface Mouth {
  readonly event: (data: unknown, name?: string) => void
  readonly json: (status: number, data: unknown) => void
  /** The text of a block piece by piece, with its pauses; ends at once when the client hangs up. */
  readonly pieces: (block: Extract<Block, { type: "text" }>, say: (piece: string) => void) => Promise<void>
  readonly id: (prefix: string) => string
  /** Raw text of the event stream. */
  readonly raw: (text: string) => void
  readonly bill: Bill
}

/** A model API: how its requests are read and its replies are written. */
export interface Wire {
  /** What was asked; null where the request is for something else. */
  readonly read: (method: string, path: string, body: Body) => Asked | null
  readonly other: (
    method: string,
    path: string,
    body: Body
  ) => { readonly status: number; readonly data: unknown } | null
  readonly stream: (body: Body, blocks: ReadonlyArray<Block>, mouth: Mouth) => Promise<void>
  readonly whole: (body: Body, blocks: ReadonlyArray<Block>, mouth: Mouth) => unknown
  readonly failure: (status: number, message: string) => unknown
}

export type Body = Readonly<Record<string, unknown>>

export const say = (text: string): Reply => ({ blocks: [{ type: "text", text }] })

/** The block, or what stands for it where the request offers another tool. */
const offered = (body: Body, block: Block): Block => {
  const tools = Array.isArray(body["tools"]) ? (body["tools"] as ReadonlyArray<{ readonly name?: unknown }>) : []
  return block.type === "tool" && block.instead !== undefined && !tools.some(({ name }) => name === block.name)
    ? block.instead
    : block
}

const eventStream = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" }

const noReply: Reply = { failure: { status: 400, message: "the test has no reply for this request" } }

/** A model API on loopback that says what the test tells it to, piece by piece, and writes down what it saw. */
export class FakeModel {
  readonly exchanges: Array<Exchange> = []
  /** All that it was sent, as it came: with what a CLI adds to a prompt. */
  heard = ""
  private readonly replies: Array<Reply> = []
  private readonly server = http.createServer((request, response) => {
    this.serve(request, response).catch((error: unknown) => {
      this.failure = error
      response.destroy()
    })
  })
  private readonly wire: Wire
  private changed: Array<() => void> = []
  private ids = 0
  /** The tools that the last request of the main conversation offers, as its API writes them. */
  tools: ReadonlyArray<unknown> = []
  /** What the requests of the main conversation cost, each by its place in it. */
  bills: (place: number) => Bill = () => usualBill
  /** The reply to what none was scripted for. */
  otherwise: Reply = noReply
  /** What went wrong inside the endpoint; null in a sound run. */
  failure: unknown = null

  constructor(wire: Wire) {
    this.wire = wire
    // A client that would rather have a web socket falls back to plain HTTP.
    this.server.on("upgrade", (_, socket) =>
      socket.end("HTTP/1.1 426 Upgrade Required\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
    )
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  /** The replies to the next requests of the main conversation, in order. */
  script(...replies: ReadonlyArray<Reply>): void {
    this.replies.push(...replies)
  }

  get main(): ReadonlyArray<Exchange> {
    return this.exchanges.filter(({ kind }) => kind === "main")
  }

  /** Replies that were scripted and not yet asked for. */
  get unspoken(): number {
    return this.replies.length
  }

  /** What was scripted and not asked for is not said. */
  forget(): void {
    this.replies.length = 0
  }

  /** Waits until what it saw satisfies `holds`. */
  async until(what: string, holds: (main: ReadonlyArray<Exchange>) => boolean, withinMs = 60_000): Promise<void> {
    const deadline = Date.now() + withinMs
    while (!holds(this.main)) {
      const left = deadline - Date.now()
      if (left <= 0)
        throw new Error(
          `the endpoint waited ${withinMs} ms in vain: ${what}; it saw ${JSON.stringify(this.main, null, 1)}`
        )
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.changed.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  private tell() {
    for (const wake of this.changed.splice(0)) wake()
  }

  private async serve(request: http.IncomingMessage, response: http.ServerResponse) {
    const pieces: Array<Buffer> = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const path = (request.url ?? "").split("?")[0] ?? ""
    const method = request.method ?? "GET"
    const body = bodyOf(Buffer.concat(pieces), request.headers["content-encoding"])
    this.heard += JSON.stringify(body)
    const asked = this.wire.read(method, path, body)
    if (asked !== null) return this.answer(asked, body, response)
    if (method === "HEAD" || path === "/") return response.writeHead(200).end()
    const other = this.wire.other(method, path, body)
    return other === null
      ? this.json(response, 404, this.wire.failure(404, `${path} is not served here`))
      : this.json(response, other.status, other.data)
  }

  private async answer(asked: Asked, body: Body, response: http.ServerResponse) {
    const exchange: Exchange = {
      number: this.exchanges.length + 1,
      kind: asked.kind,
      arrivedAt: Date.now(),
      startedAt: null,
      endedAt: null,
      aborted: false,
      toolResults: asked.toolResults,
      conversation: asked.conversation,
      images: imagesIn(body),
      bill: asked.kind === "main" ? this.bills(this.main.length) : usualBill
    }
    this.exchanges.push(exchange)
    if (asked.kind === "main" && Array.isArray(body["tools"])) this.tools = body["tools"]
    response.on("close", () => {
      exchange.aborted = !response.writableFinished
      exchange.endedAt ??= Date.now()
      this.tell()
    })
    const reply = asked.kind === "side" ? say(asked.sideAnswer) : (this.replies.shift() ?? this.otherwise)
    this.tell()
    if ("blocks" in reply ? false : !("answers" in reply)) exchange.failed = true
    if ("blocks" in reply && reply.blocks.some(({ type }) => type === "tool")) exchange.goesOn = true
    if ("failure" in reply) {
      const { headers, message, status } = reply.failure
      return this.json(response, status, this.wire.failure(status, message), headers)
    }
    exchange.startedAt = Date.now()
    const mouth = this.mouth(response, exchange.bill)
    if ("by" in reply) {
      const speak = (blocks: ReadonlyArray<Block>) => {
        if (!response.headersSent) response.writeHead(200, eventStream)
        return this.wire.stream(body, blocks, mouth)
      }
      await reply.by(response, speak, asked.stream)
      return this.tell()
    }
    const blocks = reply.blocks.map((block) => offered(body, block))
    if (asked.stream) {
      response.writeHead(200, { ...eventStream, "request-id": this.id("req") })
      await this.wire.stream(body, blocks, mouth)
      if (!response.destroyed) await new Promise<void>((resolve) => response.end(resolve))
    } else this.json(response, 200, this.wire.whole(body, blocks, mouth))
    if (!exchange.aborted) exchange.endedAt ??= Date.now()
    this.tell()
  }

  private mouth(response: http.ServerResponse, bill: Bill): Mouth {
    return {
      bill,
      id: (prefix) => this.id(prefix),
      json: (status, data) => this.json(response, status, data),
      raw: (text) => void (response.destroyed || response.write(text)),
      event: (data, name) =>
        void (
          response.destroyed ||
          response.write(`${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`)
        ),
      pieces: async (block, speak) => {
        for (const piece of block.text.match(/[\s\S]{1,16}/gu) ?? []) {
          speak(piece)
          await pause(15, response)
        }
        let open = block.until !== undefined
        void block.until?.then(() => (open = false))
        for (let piece = 1; open && !response.destroyed; piece++) {
          speak(` (${piece})`)
          await pause(50, response)
        }
      }
    }
  }

  private json(
    response: http.ServerResponse,
    status: number,
    data: unknown,
    headers: Readonly<Record<string, string>> = {}
  ) {
    response
      .writeHead(status, { "content-type": "application/json", "request-id": this.id("req"), ...headers })
      .end(JSON.stringify(data))
  }

  private id(prefix: string) {
    return `${prefix}_fake${String(++this.ids).padStart(8, "0")}`
  }
}

/** A picture, as any of the wire formats has it. */
const isImage = (part: Body): boolean =>
  part["type"] === "image" ||
  part["type"] === "input_image" ||
  part["type"] === "image_url" ||
  typeof part["inlineData"] === "object"

const imagesIn = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0
  if (!Array.isArray(value) && isImage(value as Body)) return 1
  return Object.values(value).reduce<number>((count, part) => count + imagesIn(part), 0)
}

const bodyOf = (bytes: Buffer, encoding: string | undefined): Body => {
  const plain = encoding === "gzip" ? gunzipSync(bytes) : encoding === "zstd" ? zstdDecompressSync(bytes) : bytes
  return plain.length === 0 ? {} : (JSON.parse(plain.toString("utf8")) as Body)
}

/** Waits, and ends at once when the client hangs up. */
const pause = (ms: number, response: http.ServerResponse) =>
  response.destroyed ? Promise.resolve() : new Promise<void>((resolve) => setTimeout(resolve, ms))

/** The parts of a message's content, whether it is one text or a list. */
export const partsOf = (content: unknown): ReadonlyArray<Record<string, unknown>> =>
  typeof content === "string"
    ? [{ type: "text", text: content }]
    : Array.isArray(content)
      ? (content as ReadonlyArray<Record<string, unknown>>)
      : []

/** All text of a message's content. */
export const textOf = (content: unknown): string =>
  partsOf(content)
    .map((part) => (typeof part["text"] === "string" ? part["text"] : ""))
    .join("\n")

/** What a CLI adds to the user's turn on its own, each wrapped in a tag of its own. */
export const isWrapped = (text: string) => /^\s*<[a-z][\w-]*[\s>]/i.test(text)

/** What the user has said in a text before which a CLI put such elements of its own. */
export const unwrapped = (text: string) => text.replace(/^\s*(?:<([a-z][\w-]*)(?:\s[^>]*)?>.*?<\/\1>\s*)+/is, "")
