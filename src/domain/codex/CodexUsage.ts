import { countOf, fieldsOf, type Fields, textOf, textsOf, timeOf, windowOf } from "../usage/Fields.ts"
import { type Billed, noUsage, promptOf, sizeOf, type UsageFact, type UsageReader } from "../usage/UsageReader.ts"

/** Codex's own, where a rollout does not tell. */
const window = 256_000

const texts = new Set(["text", "Text"])

/** Codex counts what came from a cache, or went there, within the input. */
const billed = (usage: Fields): Billed => {
  const input = countOf(usage["input_tokens"])
  const cacheRead = Math.min(input, countOf(usage["cached_input_tokens"]))
  const cacheWrite = Math.min(input - cacheRead, countOf(usage["cache_write_input_tokens"]))
  const output = countOf(usage["output_tokens"])
  return {
    input: input - cacheRead - cacheWrite, cacheRead, cacheWrite, output,
    cacheWriteLong: 0, reasoning: Math.min(output, countOf(usage["reasoning_output_tokens"]))
  }
}

/** Counts after each reply; after a compaction one comes without a request, whose context is then the small new one. */
const tokenCount = (info: Fields): ReadonlyArray<UsageFact> => {
  const last = fieldsOf(info["last_token_usage"])
  const total = fieldsOf(info["total_token_usage"])
  const size = windowOf(info["model_context_window"])
  const request = billed(last)
  const all = billed(total)
  if (sizeOf(request) === 0 && sizeOf(all) === 0) return []
  return [
    { _tag: "Context", tokens: sizeOf(request) === 0 ? null : promptOf(request), window: size },
    sizeOf(all) === 0
      ? { _tag: "Billed", id: null, model: null, tokens: request, at: null }
      : { _tag: "Totals", tokens: all, last: sizeOf(request) === 0 ? null : request }
  ]
}

/** What Codex puts in front of the user's words by itself. */
const injected = /^<(?:environment_context|user_instructions|permissions)/

const said = (tag: "Prompt" | "Response", text: string, at: number | null): ReadonlyArray<UsageFact> => {
  const words = text.trim()
  return words === "" || tag === "Prompt" && injected.test(words) ? [] : [{ _tag: tag, text: tag === "Prompt" ? text : words, at }]
}

const event = (payload: Fields, at: number | null): ReadonlyArray<UsageFact> => {
  switch (payload["type"]) {
    case "token_count":
      return tokenCount(fieldsOf(payload["info"]))
    case "task_started": {
      const size = windowOf(payload["model_context_window"])
      return size === null ? [] : [{ _tag: "Context", tokens: null, window: size }]
    }
    case "item_completed": {
      const { content, type } = fieldsOf(payload["item"])
      const text = textsOf(content, texts).join("\n")
      return type === "UserMessage" ? said("Prompt", text, at) : type === "AgentMessage" ? said("Response", text, at) : []
    }
    case "user_message":
      return said("Prompt", textOf(payload["message"]) ?? "", at)
    case "agent_message":
      return said("Response", textOf(payload["message"]) ?? "", at)
    case "task_complete":
      return said("Response", textOf(payload["last_agent_message"]) ?? "", at)
    default:
      return []
  }
}

/** Codex: its rollout. */
export const codexUsage: UsageReader = {
  ...noUsage,
  record: (value) => {
    const { payload, timestamp, type } = fieldsOf(value)
    const fields = fieldsOf(payload)
    if (type === "turn_context") {
      const model = textOf(fields["model"])
      return model === null ? [] : [{ _tag: "Model", model }]
    }
    return type === "event_msg" ? event(fields, timeOf(timestamp)) : []
  },
  window: () => window
}
