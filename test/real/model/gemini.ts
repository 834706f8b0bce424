import { type Block, type Body, isWrapped, type Mouth, totalOf, type Wire } from "./FakeModel.ts"

interface Part {
  readonly text?: string
  readonly functionResponse?: { readonly response?: unknown }
}
interface Content {
  readonly role?: string
  readonly parts?: ReadonlyArray<Part>
}

const contents = (body: Body) => (Array.isArray(body["contents"]) ? body["contents"] : []) as ReadonlyArray<Content>
const texts = ({ parts }: Content) => (parts ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]))

const usageMetadata = ({ bill }: Mouth) => ({
  promptTokenCount: bill.fresh + bill.read + bill.written,
  cachedContentTokenCount: bill.read,
  candidatesTokenCount: bill.output,
  totalTokenCount: totalOf(bill)
})

type Schema = Readonly<Record<string, unknown>>

/** The plainest value that a response schema allows. */
const fill = (schema: Schema | undefined): unknown => {
  const options = schema?.["enum"]
  if (Array.isArray(options)) return options[0]
  switch (typeof schema?.["type"] === "string" ? schema["type"].toLowerCase() : "object") {
    case "object":
      return Object.fromEntries(
        Object.entries((schema?.["properties"] ?? {}) as Readonly<Record<string, Schema>>).map(([key, value]) => [
          key,
          fill(value)
        ])
      )
    case "array":
      return []
    case "boolean":
      return false
    case "number":
    case "integer":
      return 0
    default:
      return "ok"
  }
}

const sideAnswer = (body: Body): string => {
  const config = body["generationConfig"] as Readonly<Record<string, Schema>> | undefined
  const schema = config?.["responseSchema"] ?? config?.["responseJsonSchema"]
  if (schema === undefined) return "A test"
  const filled = fill(schema) as Record<string, unknown>
  if ("next_speaker" in filled) filled["next_speaker"] = "user"
  if ("model_choice" in filled) filled["model_choice"] = "flash"
  return JSON.stringify(filled)
}

const partOf = (block: Block, { id }: Mouth) =>
  block.type === "text"
    ? { text: block.text }
    : { functionCall: { id: id("call"), name: block.name, args: block.input }, thoughtSignature: "ZmFrZQ==" }

/** The Gemini API. */
export const gemini: Wire = {
  read: (method, path, body) => {
    const streams = path.endsWith(":streamGenerateContent")
    if (method !== "POST" || (!streams && !path.endsWith(":generateContent"))) return null
    const asked = contents(body)
    const newest = asked.at(-1)
    return {
      kind: (
        (body["tools"] as ReadonlyArray<{ readonly functionDeclarations?: ReadonlyArray<unknown> }> | undefined) ?? []
      ).some(({ functionDeclarations }) => functionDeclarations !== undefined)
        ? "main"
        : "side",
      stream: streams,
      toolResults: (newest?.parts ?? []).flatMap(({ functionResponse }) =>
        functionResponse === undefined ? [] : [JSON.stringify(functionResponse.response)]
      ),
      conversation: asked
        .filter(({ role }) => role === "user")
        .flatMap(texts)
        .filter((text) => !isWrapped(text)),
      sideAnswer: sideAnswer(body)
    }
  },
  other: (method, path) => {
    if (path.endsWith(":countTokens")) return { status: 200, data: { totalTokens: 1000 } }
    if (path.endsWith(":embedContent")) return { status: 200, data: { embedding: { values: [0.1, 0.2] } } }
    return method === "GET" && path.endsWith("/models")
      ? {
          status: 200,
          data: {
            models: [
              {
                name: "models/gemini-2.5-pro",
                inputTokenLimit: 1_048_576,
                outputTokenLimit: 65_536,
                supportedGenerationMethods: ["generateContent"]
              }
            ]
          }
        }
      : null
  },
  failure: (status, message) => ({
    error: {
      code: status,
      message,
      status: status === 429 ? "RESOURCE_EXHAUSTED" : status === 401 ? "UNAUTHENTICATED" : "INVALID_ARGUMENT"
    }
  }),
  stream: async (_, blocks, mouth) => {
    const send = (parts: ReadonlyArray<unknown>, more: object = {}) =>
      mouth.event({
        candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
        usageMetadata: usageMetadata(mouth),
        modelVersion: "fake",
        responseId: "fake"
      })
    for (const block of blocks) {
      if (block.type === "text") await mouth.pieces(block, (text) => send([{ text }]))
      else send([partOf(block, mouth)])
    }
    send([{ text: "" }], { finishReason: "STOP" })
  },
  whole: (_, blocks, mouth) => ({
    candidates: [
      { content: { role: "model", parts: blocks.map((block) => partOf(block, mouth)) }, finishReason: "STOP", index: 0 }
    ],
    usageMetadata: usageMetadata(mouth),
    modelVersion: "fake",
    responseId: "fake"
  })
}
