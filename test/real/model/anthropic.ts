import { type Block, type Body, isWrapped, type Mouth, partsOf, textOf, type Wire } from "./FakeModel.ts"

interface Message {
  readonly role: string
  readonly content: unknown
}

const messages = (body: Body) => (body["messages"] ?? []) as ReadonlyArray<Message>

/** The CLI puts reminders and context of its own into the user's turn. */
const isOfTheCli = (text: string) =>
  (!/^\s*<pasted_content /.test(text) && isWrapped(text)) || text.startsWith("[Request interrupted by user")

/** Claude Code marks what came by a paste of several lines or of some length. */
const withoutPasteMark = (text: string) =>
  /^\s*<pasted_content id="(\w+)">\n([\s\S]*)\n<\/pasted_content id="\1">\s*$/.exec(text)?.[2] ?? text

const userTexts = (content: unknown) =>
  partsOf(content).flatMap(({ text, type }) =>
    type === "text" && typeof text === "string" && !isOfTheCli(text) ? [withoutPasteMark(text)] : []
  )

const toolResults = (content: unknown) =>
  partsOf(content).flatMap((part) => (part["type"] === "tool_result" ? [textOf(part["content"])] : []))

const usage = ({ bill: { fresh, read, written } }: Mouth, output: number) => ({
  input_tokens: fresh,
  cache_creation_input_tokens: written,
  cache_read_input_tokens: read,
  output_tokens: output
})

type Sent =
  | Extract<Block, { type: "text" }>
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown }

const sentBlocks = (blocks: ReadonlyArray<Block>, { id }: Mouth): ReadonlyArray<Sent> =>
  blocks.map((block) =>
    block.type === "text" ? block : { type: "tool_use", id: id("toolu"), name: block.name, input: block.input }
  )

const stopReason = (blocks: ReadonlyArray<Sent>) =>
  blocks.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn"

/** A client in auto mode asks the server to judge each tool call. */
const verdicts = (body: Body, blocks: ReadonlyArray<Sent>) => {
  if (body["safeguards"] === undefined) return {}
  const judged = blocks.flatMap((block) =>
    block.type === "tool_use" ? [[block.id, { type: "evaluated", outcome: "not_flagged" }] as const] : []
  )
  return {
    safeguard_results: [
      { type: "dangerous_tool_use", status: { type: "available", tool_uses: Object.fromEntries(judged) } }
    ]
  }
}

/** Older versions ask on their own, with all tools: to warm caches up, and what the user might say next. */
const isAside = (body: Body) => /(?:^|\n)(?:Warmup$|\[SUGGESTION MODE)/.test(textOf(messages(body).at(-1)?.content))

const sideAnswer = (body: Body) => {
  if (body["max_tokens"] === 1) return "#"
  const asked = `${textOf(body["system"])}\n${textOf(messages(body).at(-1)?.content)}`
  if (/isNewTopic/.test(asked)) return '{"isNewTopic":false,"title":null}'
  if (/title/i.test(asked)) return /json/i.test(asked) ? '{"title":"A test"}' : "A test"
  return "ok"
}

const envelope = (body: Body, mouth: Mouth) => ({
  id: mouth.id("msg"),
  type: "message",
  role: "assistant",
  model: body["model"],
  stop_sequence: null
})

const errorTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  404: "not_found_error",
  429: "rate_limit_error",
  529: "overloaded_error"
}

/** The Messages API. */
export const anthropic: Wire = {
  read: (method, path, body) => {
    if (method !== "POST" || !path.endsWith("/messages")) return null
    const newest = messages(body).at(-1)
    return {
      // a title or a quota probe carries no tools
      kind:
        ((body["tools"] as ReadonlyArray<unknown> | undefined)?.length ?? 0) > 0 && !isAside(body) ? "main" : "side",
      stream: body["stream"] === true,
      toolResults: newest?.role === "user" ? toolResults(newest.content) : [],
      conversation: messages(body)
        .filter(({ role }) => role === "user")
        .flatMap(({ content }) => userTexts(content)),
      sideAnswer: sideAnswer(body)
    }
  },
  other: (method, path) =>
    method === "POST" && path.endsWith("/messages/count_tokens") ? { status: 200, data: { input_tokens: 1000 } } : null,
  failure: (status, message) => ({
    type: "error",
    error: { type: errorTypes[status] ?? "invalid_request_error", message }
  }),
  stream: async (body, plain, mouth) => {
    const blocks = sentBlocks(plain, mouth)
    const send = (type: string, data: object) => mouth.event({ type, ...data }, type)
    send("message_start", {
      message: { ...envelope(body, mouth), content: [], stop_reason: null, usage: usage(mouth, 1) }
    })
    for (const [index, block] of blocks.entries()) {
      if (block.type === "text") {
        send("content_block_start", { index, content_block: { type: "text", text: "" } })
        await mouth.pieces(block, (text) => send("content_block_delta", { index, delta: { type: "text_delta", text } }))
      } else {
        send("content_block_start", {
          index,
          content_block: { type: "tool_use", id: block.id, name: block.name, input: {} }
        })
        send("content_block_delta", {
          index,
          delta: { type: "input_json_delta", partial_json: JSON.stringify(block.input) }
        })
      }
      send("content_block_stop", { index })
    }
    send("message_delta", {
      delta: { stop_reason: stopReason(blocks), stop_sequence: null, ...verdicts(body, blocks) },
      usage: usage(mouth, mouth.bill.output)
    })
    send("message_stop", {})
  },
  whole: (body, plain, mouth) => {
    const blocks = sentBlocks(plain, mouth)
    const content = blocks.map((block) => (block.type === "text" ? { type: "text", text: block.text } : block))
    return {
      ...envelope(body, mouth),
      content,
      stop_reason: stopReason(blocks),
      usage: usage(mouth, mouth.bill.output)
    }
  }
}
