import {
  type Block,
  type Body,
  isWrapped,
  type Mouth,
  partsOf,
  textOf,
  totalOf,
  unwrapped,
  type Wire
} from "./FakeModel.ts"

type Item = Readonly<Record<string, unknown>>

const isTitle = (text: string) => /^(?:Generate a (?:concise|short)|Summarize this)|title/i.test(text.slice(0, 200))

const users = (items: ReadonlyArray<Item>) => items.filter(({ role }) => role === "user")

const conversation = (items: ReadonlyArray<Item>) =>
  users(items).flatMap(({ content }) =>
    partsOf(content).flatMap(({ text }) => {
      const said = typeof text === "string" ? unwrapped(text) : ""
      return said === "" || isWrapped(said) || said.startsWith("# AGENTS.md") ? [] : [said]
    })
  )

const models = (method: string, path: string) =>
  method === "GET" && path.endsWith("/models")
    ? {
        status: 200,
        data: { object: "list", data: [{ id: "lab-large", object: "model", created: 1_700_000_000, owned_by: "lab" }] }
      }
    : null

const failure = (status: number, message: string) => ({
  error: { type: status === 429 ? "rate_limit_exceeded" : "invalid_request_error", code: null, message, param: null }
})

const args = (block: Extract<Block, { type: "tool" }>) =>
  typeof block.input === "string" ? block.input : JSON.stringify(block.input)

// ---- Responses

const inputItems = (body: Body): ReadonlyArray<Item> => {
  const { input } = body
  return typeof input === "string"
    ? [{ type: "message", role: "user", content: input }]
    : Array.isArray(input)
      ? (input as ReadonlyArray<Item>)
      : []
}

const responsesUsage = ({ bill }: Mouth) => ({
  input_tokens: bill.fresh + bill.read + bill.written,
  input_tokens_details: { cached_tokens: bill.read },
  output_tokens: bill.output,
  output_tokens_details: { reasoning_tokens: Math.min(5, bill.output) },
  total_tokens: totalOf(bill)
})

const toolCall = (block: Extract<Block, { type: "tool" }>, { id }: Mouth) => {
  const free = block.freeform === true
  return {
    id: id(free ? "ctc" : "fc"),
    type: free ? "custom_tool_call" : "function_call",
    status: "in_progress",
    call_id: id("call"),
    name: block.name,
    ...(block.namespace === undefined ? {} : { namespace: block.namespace }),
    [free ? "input" : "arguments"]: ""
  }
}

const envelope = (body: Body, { id }: Mouth) => ({
  id: id("resp"),
  object: "response",
  created_at: 1_700_000_000,
  status: "in_progress",
  model: body["model"],
  output: [],
  parallel_tool_calls: true,
  tools: [],
  error: null,
  usage: null
})

/** The Responses API. */
export const responses: Wire = {
  read: (method, path, body) => {
    if (method !== "POST" || !path.endsWith("/responses")) return null
    const items = inputItems(body)
    // Codex hands newer models their tools as an item of the input
    const tools =
      ((body["tools"] as ReadonlyArray<unknown> | undefined)?.length ?? 0) > 0 ||
      items.some(({ type }) => type === "additional_tools")
    const said = textOf(users(items).at(-1)?.["content"])
    const from = items.findLastIndex(({ role }) => role === "user" || role === "assistant")
    return {
      kind: tools && !isTitle(said) ? "main" : "side",
      stream: body["stream"] === true,
      toolResults: items.slice(from + 1).flatMap(({ output }) => (output === undefined ? [] : [textOf(output)])),
      conversation: conversation(items),
      sideAnswer: "A test"
    }
  },
  other: (method, path) => models(method, path),
  failure,
  stream: async (body, blocks, mouth) => {
    let sequence = 0
    const send = (type: string, data: object) => mouth.event({ type, sequence_number: sequence++, ...data }, type)
    const response = envelope(body, mouth)
    send("response.created", { response })
    send("response.in_progress", { response })
    const output: Array<object> = []
    for (const [output_index, block] of blocks.entries()) {
      if (block.type === "text") {
        const item = { id: mouth.id("msg"), type: "message", status: "in_progress", role: "assistant", content: [] }
        const at = { item_id: item.id, output_index, content_index: 0 }
        send("response.output_item.added", { output_index, item })
        send("response.content_part.added", { ...at, part: { type: "output_text", text: "", annotations: [] } })
        let text = ""
        await mouth.pieces(block, (delta) => {
          text += delta
          send("response.output_text.delta", { ...at, delta })
        })
        const part = { type: "output_text", text, annotations: [] }
        send("response.output_text.done", { ...at, text })
        send("response.content_part.done", { ...at, part })
        const done = { ...item, status: "completed", content: [part] }
        send("response.output_item.done", { output_index, item: done })
        output.push(done)
      } else {
        const item = toolCall(block, mouth)
        const field = block.freeform === true ? "input" : "arguments"
        const kind = block.freeform === true ? "custom_tool_call_input" : "function_call_arguments"
        send("response.output_item.added", { output_index, item })
        send(`response.${kind}.delta`, { item_id: item.id, output_index, delta: args(block) })
        send(`response.${kind}.done`, { item_id: item.id, output_index, [field]: args(block) })
        const done = { ...item, status: "completed", [field]: args(block) }
        send("response.output_item.done", { output_index, item: done })
        output.push(done)
      }
    }
    send("response.completed", { response: { ...response, status: "completed", output, usage: responsesUsage(mouth) } })
  },
  whole: (body, blocks, mouth) => ({
    ...envelope(body, mouth),
    status: "completed",
    output: blocks.flatMap((block) =>
      block.type === "text"
        ? [
            {
              type: "message",
              id: mouth.id("msg"),
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: block.text, annotations: [] }]
            }
          ]
        : []
    ),
    usage: responsesUsage(mouth)
  })
}

// ---- Chat Completions

const chatItems = (body: Body) => (body["messages"] ?? []) as ReadonlyArray<Item>
const chatUsage = ({ bill }: Mouth) => ({
  prompt_tokens: bill.fresh + bill.read + bill.written,
  prompt_tokens_details: { cached_tokens: bill.read },
  completion_tokens: bill.output,
  total_tokens: totalOf(bill)
})

/** The Chat Completions API. */
export const chatCompletions: Wire = {
  read: (method, path, body) => {
    if (method !== "POST" || !path.endsWith("/chat/completions")) return null
    const items = chatItems(body)
    const from = items.findLastIndex(({ role }) => role !== "tool")
    return {
      kind: ((body["tools"] as ReadonlyArray<unknown> | undefined)?.length ?? 0) > 0 ? "main" : "side",
      stream: body["stream"] === true,
      toolResults: items.slice(from + 1).map(({ content }) => textOf(content)),
      conversation: conversation(items),
      sideAnswer: "A test"
    }
  },
  other: (method, path) => models(method, path),
  failure,
  stream: async (body, blocks, mouth) => {
    const id = mouth.id("chatcmpl")
    const chunk = (choices: ReadonlyArray<unknown>, more: object = {}) =>
      mouth.event({
        id,
        object: "chat.completion.chunk",
        created: 1_700_000_000,
        model: body["model"],
        choices,
        ...more
      })
    const send = (delta: object, finish_reason: string | null = null) => chunk([{ index: 0, delta, finish_reason }])
    send({ role: "assistant", content: "" })
    let calls = 0
    for (const block of blocks) {
      if (block.type === "text") await mouth.pieces(block, (content) => send({ content }))
      else {
        const index = calls++
        send({
          tool_calls: [{ index, id: mouth.id("call"), type: "function", function: { name: block.name, arguments: "" } }]
        })
        send({ tool_calls: [{ index, function: { arguments: args(block) } }] })
      }
    }
    send({}, calls > 0 ? "tool_calls" : "stop")
    chunk([], { usage: chatUsage(mouth) })
    mouth.raw("data: [DONE]\n\n")
  },
  whole: (body, blocks, mouth) => ({
    id: mouth.id("chatcmpl"),
    object: "chat.completion",
    created: 1_700_000_000,
    model: body["model"],
    choices: [
      {
        index: 0,
        finish_reason: "stop",
        message: {
          role: "assistant",
          content: blocks.map((block) => (block.type === "text" ? block.text : "")).join("")
        }
      }
    ],
    usage: chatUsage(mouth)
  })
}
