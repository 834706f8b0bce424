import { countOf, fieldsOf, type Fields, textOf, timeOf, windowOf } from "../usage/Fields.ts"
import { noUsage, type UsageFact, type UsageReader } from "../usage/UsageReader.ts"

/** What one request used, tokens from and to a cache within the input. A subagent's is paid for too, but fills no context here. */
const request = (record: Fields, data: Fields, own: boolean): ReadonlyArray<UsageFact> => {
  const usage = fieldsOf(data["usage"] ?? data)
  const prompt = countOf(usage["inputTokens"])
  const cacheRead = Math.min(prompt, countOf(usage["cacheReadTokens"]))
  const cacheWrite = Math.min(prompt - cacheRead, countOf(usage["cacheWriteTokens"]))
  const output = countOf(usage["outputTokens"])
  const model = textOf(usage["model"])
  const kind = usage["interactionType"]
  const conversation = own && (kind === undefined || kind === "conversation-agent")
  return [
    ...model === null || !conversation ? [] : [{ _tag: "Model", model } as const],
    ...!conversation || prompt === 0 ? [] : [{ _tag: "Context", tokens: prompt, window: windowOf(usage["maxPromptTokens"]) } as const],
    {
      _tag: "Billed",
      id: textOf(usage["apiCallId"]) ?? textOf(fieldsOf(usage["accounting"])["usageId"]),
      model,
      tokens: {
        input: prompt - cacheRead - cacheWrite, cacheRead, cacheWrite, output,
        cacheWriteLong: 0, reasoning: Math.min(output, countOf(usage["reasoningTokens"]))
      },
      at: timeOf(record["timestamp"])
    }
  ]
}

/** A record of `events.jsonl`. */
const record = (value: unknown): ReadonlyArray<UsageFact> => {
  const fields = fieldsOf(value)
  const data = fieldsOf(fields["data"])
  const own = textOf(fields["agentId"]) === null && textOf(data["parentToolCallId"]) === null
  const said = (tag: "Prompt" | "Response"): ReadonlyArray<UsageFact> => {
    const text = textOf(data["content"])
    return text === null || !own ? [] : [{ _tag: tag, text: tag === "Prompt" ? text : text.trim(), at: timeOf(fields["timestamp"]) }]
  }
  switch (fields["type"]) {
    case "session.usage_record":
      return request(fields, data, own)
    case "user.message":
      // what the CLI says in the user's place names its source
      return textOf(data["source"]) === null || data["source"] === "user" ? said("Prompt") : []
    case "assistant.message":
      return said("Response")
    default:
      return []
  }
}

/** What the status line is told: the context as the CLI shows it, and the model. */
const statusLine = (payload: unknown): ReadonlyArray<UsageFact> => {
  const fields = fieldsOf(payload)
  const nested = fields["context_window"]
  const context = nested === undefined ? fields : fieldsOf(nested)
  const window = windowOf(context["displayed_context_limit"]) ?? windowOf(context["context_window_size"])
  const named = fields["model"]
  // the id prices a model; the name on display has its effort in it
  const model = textOf(named) ?? textOf(fieldsOf(named)["id"]) ?? textOf(fieldsOf(named)["display_name"])
  return [
    ...model === null ? [] : [{ _tag: "Model", model } as const],
    ...window === null ? [] : [{ _tag: "Context", tokens: countOf(context["current_context_tokens"]), window } as const]
  ]
}

/** GitHub Copilot: its status line, and its log of the session. */
export const copilotUsage: UsageReader = {
  ...noUsage,
  hook: (event, payload) => event === "StatusLine" ? statusLine(payload) : [],
  record
}
