import { countOf, fieldsOf, type Fields, textOf, textsOf, timeOf, windowOf } from "../../words/reading/Fields.ts"
import {
  type Billed,
  noUsage,
  promptOf,
  type SessionParts,
  sizeOf,
  type UsageFact,
  type UsageReader
} from "../../cli/usage/UsageReader.ts"
import { type Tokens, tokensIn } from "../../cli/usage/Usage.ts"

/** Codex's default window, for a rollout that does not report it. */
const window = 256_000

const texts = new Set(["text", "Text"])

/** Codex's input tokens include those read from and written to a cache. */
export const codexTokens = (usage: Fields): Tokens =>
  tokensIn({
    input: usage["input_tokens"],
    cacheRead: usage["cached_input_tokens"],
    cacheWrite: usage["cache_write_input_tokens"],
    output: usage["output_tokens"]
  })

const billed = (usage: Fields): Billed => {
  const tokens = codexTokens(usage)
  return {
    ...tokens,
    cacheWriteLong: 0,
    reasoning: Math.min(tokens.output, countOf(usage["reasoning_output_tokens"]))
  }
}

/** The counts after each response. The count after a compaction is of no request: it is the new, smaller context. */
const tokenCount = (info: Fields, at: number | null): ReadonlyArray<UsageFact> => {
  const last = fieldsOf(info["last_token_usage"])
  const total = fieldsOf(info["total_token_usage"])
  const size = windowOf(info["model_context_window"])
  const request = billed(last)
  const all = billed(total)
  if (sizeOf(request) === 0 && sizeOf(all) === 0) return []
  return [
    { _tag: "Context", tokens: sizeOf(request) === 0 ? null : promptOf(request), window: size },
    sizeOf(all) === 0
      ? { _tag: "Billed", id: null, model: null, tokens: request, at }
      : { _tag: "Totals", tokens: all, last: sizeOf(request) === 0 ? null : request, at }
  ]
}

/** Text that Codex writes before the user's. */
const injected = /^<(?:environment_context|user_instructions|permissions)/

const textFacts = (tag: "Prompt" | "Response", text: string, at: number | null): ReadonlyArray<UsageFact> => {
  const trimmed = text.trim()
  return trimmed === "" || (tag === "Prompt" && injected.test(trimmed))
    ? []
    : [{ _tag: tag, text: tag === "Prompt" ? text : trimmed, at }]
}

const event = (payload: Fields, at: number | null): ReadonlyArray<UsageFact> => {
  switch (payload["type"]) {
    case "token_count":
      return tokenCount(fieldsOf(payload["info"]), at)
    case "task_started": {
      const size = windowOf(payload["model_context_window"])
      return size === null ? [] : [{ _tag: "Context", tokens: null, window: size }]
    }
    case "item_completed": {
      const { content, type } = fieldsOf(payload["item"])
      const text = textsOf(content, texts).join("\n")
      return type === "UserMessage"
        ? textFacts("Prompt", text, at)
        : type === "AgentMessage"
          ? textFacts("Response", text, at)
          : []
    }
    case "user_message":
      return textFacts("Prompt", textOf(payload["message"]) ?? "", at)
    case "agent_message":
      return textFacts("Response", textOf(payload["message"]) ?? "", at)
    case "task_complete":
      return textFacts("Response", textOf(payload["last_agent_message"]) ?? "", at)
    default:
      return []
  }
}

const spawns = ({ arguments: given, input, name, type }: Fields): boolean =>
  (type === "function_call" || type === "custom_tool_call") &&
  [name, given, input].some((text) => typeof text === "string" && /(?:^|\W|collaboration|_)spawn_agent\b/.test(text))

const agentNames = /\btask_name["']?\s*:\s*["'`]([\w-]+)/g

/** Called agents have rollouts of their own, with their names. */
const agentFacts = ({ arguments: given, input }: Fields): ReadonlyArray<UsageFact> => {
  const names = [given, input].flatMap((text) =>
    [...(textOf(text) ?? "").matchAll(agentNames)].map(([, name]) => name!)
  )
  return names.length === 0
    ? [{ _tag: "Uncounted", why: "what its agents used is in their own rollouts" }]
    : names.map((id) => ({ _tag: "Part", id }))
}

/** The date directories from the day of `first` to the day after `now`: at most the last eight. */
const daysFrom = (sessions: string, first: number, now: number): ReadonlyArray<string> => {
  const day = 86_400_000
  const count = Math.max(0, Math.min(8, Math.floor((now - first) / day) + 2))
  return Array.from({ length: count }, (_, back) => new Date(Math.max(first, now + day) - back * day)).map(
    (date) => `${sessions}/${date.toISOString().slice(0, 10).replaceAll("-", "/")}`
  )
}

const dayDirectory = /^(.*)\/(\d{4})\/(\d{2})\/(\d{2})\/(rollout-[^/]*)$/

/** Rollouts of a day are in one directory, and are named after their start time. */
const rolloutsOfAgents = (path: string, first: unknown): SessionParts | null => {
  const own = textOf(fieldsOf(fieldsOf(first)["payload"])["id"])
  const found = dayDirectory.exec(path)
  if (own === null || found === null) return null
  const [, sessions = "", year, month, day, name = ""] = found
  const from = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  const ownDay = path.slice(0, path.lastIndexOf("/"))
  return {
    directories: (now) => [...new Set([ownDay, ...daysFrom(sessions, from, now)])],
    mayBe: (other) => other.slice(other.lastIndexOf("/") + 1) > name,
    idOf: (record) => {
      const meta = fieldsOf(fieldsOf(record)["payload"])
      const spawned = fieldsOf(fieldsOf(fieldsOf(meta["source"])["subagent"])["thread_spawn"])
      const isOurs = meta["session_id"] === own || spawned["parent_thread_id"] === own
      if (!isOurs || meta["id"] === own || meta["source"] === undefined) return null
      return (textOf(spawned["agent_path"]) ?? "").split("/").at(-1) ?? ""
    }
  }
}

export const codexUsage: UsageReader = {
  ...noUsage,
  record: (value) => {
    const { payload, timestamp, type } = fieldsOf(value)
    const fields = fieldsOf(payload)
    if (type === "turn_context") {
      const model = textOf(fields["model"])
      return model === null ? [] : [{ _tag: "Model", model }]
    }
    if (type === "response_item" && spawns(fields)) return agentFacts(fields)
    return type === "event_msg" ? event(fields, timeOf(timestamp)) : []
  },
  parts: rolloutsOfAgents,
  window: () => window
}
