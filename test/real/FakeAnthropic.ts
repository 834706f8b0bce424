import * as http from "node:http"
import type { AddressInfo } from "node:net"

/** One block of a scripted reply. `until`: text goes on in small pieces until this settles, then the block ends. */
export type Block =
  | { readonly type: "text"; readonly text: string; readonly until?: Promise<unknown> }
  | { readonly type: "tool_use"; readonly name: string; readonly input: unknown }

/** What the model says to one request of the main conversation. */
export interface Reply {
  readonly blocks: ReadonlyArray<Block>
}

/** What the endpoint saw of one request, by its own clock (milliseconds since the epoch). */
export interface Exchange {
  readonly number: number
  /** `main`: the conversation itself. `side`: a title, a quota probe and the like, which carry no tools. */
  readonly kind: "main" | "side"
  readonly arrivedAt: number
  /** When the first byte of the reply went out, and when the reply had ended. */
  startedAt: number | null
  endedAt: number | null
  /** The client hung up before the reply had ended. */
  aborted: boolean
  /** Text of tool results in the newest user message. */
  readonly toolResults: ReadonlyArray<string>
  /** What the user has said in the whole conversation so far, oldest first, without what the CLI adds on its own. */
  readonly conversation: ReadonlyArray<string>
}

interface RequestBody {
  readonly model?: string
  readonly stream?: boolean
  readonly max_tokens?: number
  readonly system?: unknown
  readonly tools?: ReadonlyArray<unknown>
  readonly safeguards?: unknown
  readonly messages?: ReadonlyArray<{ readonly role: string; readonly content: unknown }>
}

export const say = (text: string): Reply => ({ blocks: [{ type: "text", text }] })

const partsOf = (content: unknown): ReadonlyArray<Record<string, unknown>> =>
  typeof content === "string" ? [{ type: "text", text: content }] : Array.isArray(content) ? content : []

const textOf = (content: unknown): string => partsOf(content).map((part) => typeof part["text"] === "string" ? part["text"] : "").join("\n")

/** The CLI puts reminders and context of its own into the user's turn, each wrapped in a tag of its own. */
const isOfTheCli = (text: string) => /^\s*(<(system-reminder|local-command|command-name|task-notification)|\[Request interrupted by user)/.test(text)

/** Claude Code marks what came by a paste of several lines or of some length. */
const withoutPasteMark = (text: string) => /^\s*<pasted_content id="(\w+)">\n([\s\S]*)\n<\/pasted_content id="\1">\s*$/.exec(text)?.[2] ?? text

const userTexts = (content: unknown) =>
  partsOf(content).flatMap(({ text, type }) => type === "text" && typeof text === "string" && !isOfTheCli(text) ? [withoutPasteMark(text)] : [])

const toolResults = (content: unknown) =>
  partsOf(content).flatMap((part) => part["type"] === "tool_result" ? [textOf(part["content"])] : [])

/** A Messages API on loopback that says what the test tells it to, piece by piece, and writes down what it saw. */
export class FakeAnthropic {
  readonly exchanges: Array<Exchange> = []
  private readonly replies: Array<Reply> = []
  private readonly server = http.createServer((request, response) => {
    this.serve(request, response).catch((error: unknown) => {
      this.failure = error
      response.destroy()
    })
  })
  private changed: Array<() => void> = []
  private ids = 0
  /** What went wrong inside the endpoint; null in a sound run. */
  failure: unknown = null

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

  /** Waits until what it saw satisfies `holds`. */
  async until(what: string, holds: (main: ReadonlyArray<Exchange>) => boolean, withinMs = 60_000): Promise<void> {
    const deadline = Date.now() + withinMs
    while (!holds(this.main)) {
      const left = deadline - Date.now()
      if (left <= 0) throw new Error(`the endpoint waited ${withinMs} ms in vain: ${what}; it saw ${JSON.stringify(this.main, null, 1)}`)
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
    if (request.method === "POST" && path.endsWith("/messages/count_tokens")) return this.json(response, 200, { input_tokens: 1000 })
    if (request.method === "POST" && path.endsWith("/messages")) {
      return this.message(JSON.parse(Buffer.concat(pieces).toString("utf8")) as RequestBody, response)
    }
    if (request.method === "HEAD" || path === "/") return response.writeHead(200).end()
    return this.json(response, 404, { type: "error", error: { type: "not_found_error", message: `${path} is not served here` } })
  }

  private async message(body: RequestBody, response: http.ServerResponse) {
    const newest = body.messages?.at(-1)
    const kind = (body.tools?.length ?? 0) > 0 ? "main" : "side"
    const exchange: Exchange = {
      number: this.exchanges.length + 1,
      kind,
      arrivedAt: Date.now(),
      startedAt: null,
      endedAt: null,
      aborted: false,
      toolResults: newest?.role === "user" ? toolResults(newest.content) : [],
      conversation: (body.messages ?? []).filter(({ role }) => role === "user").flatMap(({ content }) => userTexts(content))
    }
    this.exchanges.push(exchange)
    response.on("close", () => {
      exchange.aborted = !response.writableFinished
      exchange.endedAt ??= Date.now()
      this.tell()
    })
    const reply = kind === "side" ? say(sideAnswer(body)) : this.replies.shift()
    this.tell()
    if (reply === undefined) {
      return this.json(response, 400, { type: "error", error: { type: "invalid_request_error", message: "the test has no reply for this request" } })
    }
    exchange.startedAt = Date.now()
    const blocks = reply.blocks.map((block) => block.type === "text" ? block : { ...block, id: this.id("toolu") })
    if (body.stream === true) await this.stream(body, blocks, response)
    else this.whole(body, blocks, response)
    if (!exchange.aborted) exchange.endedAt ??= Date.now()
    this.tell()
  }

  private async stream(body: RequestBody, blocks: ReadonlyArray<Sent>, response: http.ServerResponse) {
    const send = (type: string, data: object) => void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache", "request-id": this.id("req") })
    send("message_start", { message: { ...this.envelope(body), content: [], stop_reason: null, usage: usage(1) } })
    for (const [index, block] of blocks.entries()) {
      if (block.type === "text") {
        const delta = (text: string) => send("content_block_delta", { index, delta: { type: "text_delta", text } })
        send("content_block_start", { index, content_block: { type: "text", text: "" } })
        for (const piece of block.text.match(/[\s\S]{1,16}/gu) ?? []) {
          delta(piece)
          await pause(15, response)
        }
        let open = block.until !== undefined
        void block.until?.then(() => (open = false))
        for (let piece = 1; open && !response.destroyed; piece++) {
          delta(` (${piece})`)
          await pause(50, response)
        }
      } else {
        send("content_block_start", { index, content_block: { type: "tool_use", id: block.id, name: block.name, input: {} } })
        send("content_block_delta", { index, delta: { type: "input_json_delta", partial_json: JSON.stringify(block.input) } })
      }
      send("content_block_stop", { index })
      if (response.destroyed) return
    }
    send("message_delta", { delta: { stop_reason: stopReason(blocks), stop_sequence: null, ...verdicts(body, blocks) }, usage: usage(20) })
    send("message_stop", {})
    await new Promise<void>((resolve) => response.end(resolve))
  }

  private whole(body: RequestBody, blocks: ReadonlyArray<Sent>, response: http.ServerResponse) {
    const content = blocks.map((block) => block.type === "text" ? { type: "text", text: block.text } : block)
    this.json(response, 200, { ...this.envelope(body), content, stop_reason: stopReason(blocks), usage: usage(20) })
  }

  private envelope(body: RequestBody) {
    return { id: this.id("msg"), type: "message", role: "assistant", model: body.model, stop_sequence: null }
  }

  private json(response: http.ServerResponse, status: number, data: unknown) {
    response.writeHead(status, { "content-type": "application/json", "request-id": this.id("req") }).end(JSON.stringify(data))
  }

  private id(prefix: string) {
    return `${prefix}_fake${String(++this.ids).padStart(8, "0")}`
  }
}

type Sent = Extract<Block, { type: "text" }> | Extract<Block, { type: "tool_use" }> & { readonly id: string }

const usage = (output: number) => ({ input_tokens: 1200, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: output })

const stopReason = (blocks: ReadonlyArray<Block>) => blocks.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn"

/** Waits, and ends at once when the client hangs up. */
const pause = (ms: number, response: http.ServerResponse) =>
  response.destroyed ? Promise.resolve() : new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A client in auto mode asks the server to judge each tool call. */
const verdicts = (body: RequestBody, blocks: ReadonlyArray<Sent>) => {
  if (body.safeguards === undefined) return {}
  const judged = blocks.flatMap((block) => block.type === "tool_use" ? [[block.id, { type: "evaluated", outcome: "not_flagged" }] as const] : [])
  return { safeguard_results: [{ type: "dangerous_tool_use", status: { type: "available", tool_uses: Object.fromEntries(judged) } }] }
}

const sideAnswer = (body: RequestBody) => {
  if (body.max_tokens === 1) return "#"
  const asked = `${textOf(body.system)}\n${textOf(body.messages?.at(-1)?.content)}`
  if (/isNewTopic/.test(asked)) return "{\"isNewTopic\":false,\"title\":null}"
  if (/title/i.test(asked)) return /json/i.test(asked) ? "{\"title\":\"A test\"}" : "A test"
  return "ok"
}
