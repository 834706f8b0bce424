import { countOf, fieldsOf, type Fields, textOf, timeOf, windowOf } from "../../words/reading/Fields.ts"
import { type Tokens, tokensIn } from "../../cli/usage/Usage.ts"
import { modelFacts } from "../../cli/usage/modelFacts.ts"
import { noUsage, type UsageFact, type UsageReader } from "../../cli/usage/UsageReader.ts"

/** Cached tokens are part of the input. */
export const copilotTokens = (usage: Fields): Tokens =>
  tokensIn({
    input: usage["inputTokens"],
    cacheRead: usage["cacheReadTokens"],
    cacheWrite: usage["cacheWriteTokens"],
    output: usage["outputTokens"]
  })

/** The usage of one request. A subagent's is billed, but fills no context. */
const request = (record: Fields, data: Fields, isMain: boolean): ReadonlyArray<UsageFact> => {
  const usage = fieldsOf(data["usage"] ?? data)
  const prompt = countOf(usage["inputTokens"])
  const tokens = copilotTokens(usage)
  const model = textOf(usage["model"])
  const kind = usage["interactionType"]
  const conversation = isMain && (kind === undefined || kind === "conversation-agent")
  return [
    ...(model === null || !conversation ? [] : [{ _tag: "Model", model } as const]),
    ...(!conversation || prompt === 0
      ? []
      : [{ _tag: "Context", tokens: prompt, window: windowOf(usage["maxPromptTokens"]) } as const]),
    {
      _tag: "Billed",
      id: textOf(usage["apiCallId"]) ?? textOf(fieldsOf(usage["accounting"])["usageId"]),
      model,
      tokens: {
        ...tokens,
        cacheWriteLong: 0,
        reasoning: Math.min(tokens.output, countOf(usage["reasoningTokens"]))
      },
      at: timeOf(record["timestamp"])
    }
  ]
}

/** A compaction: usage records and the CLI's display leave out its request, which only its own record may count. */
const compaction = (record: Fields, data: Fields): ReadonlyArray<UsageFact> => {
  if (data["compactionTokensUsed"] === undefined)
    return [{ _tag: "Uncounted", why: "what a compaction used is not written down" }]
  const id = textOf(data["compactionAttemptId"])
  return request(record, { usage: data["compactionTokensUsed"] }, false).map((fact) =>
    fact._tag === "Billed" ? { ...fact, id, aside: true } : fact
  )
}

/** A record of `events.jsonl`. */
const record = (value: unknown): ReadonlyArray<UsageFact> => {
  const fields = fieldsOf(value)
  const data = fieldsOf(fields["data"])
  const isMain = textOf(fields["agentId"]) === null && textOf(data["parentToolCallId"]) === null
  const textFacts = (tag: "Prompt" | "Response"): ReadonlyArray<UsageFact> => {
    const text = textOf(data["content"])
    return text === null || !isMain
      ? []
      : [{ _tag: tag, text: tag === "Prompt" ? text : text.trim(), at: timeOf(fields["timestamp"]) }]
  }
  switch (fields["type"]) {
    case "session.usage_record": {
      // If a version does record a compaction, it is counted at the end.
      const kind = textOf(fieldsOf(data["usage"])["interactionType"]) ?? ""
      return kind.includes("compaction") ? [] : request(fields, data, isMain)
    }
    case "session.compaction_complete":
      return compaction(fields, data)
    case "user.message":
      // Text that the CLI writes in the user's name has another source.
      return textOf(data["source"]) === null || data["source"] === "user" ? textFacts("Prompt") : []
    case "assistant.message":
      return textFacts("Response")
    default:
      return []
  }
}

/** The payload of the status line: the context as the CLI displays it, and the model. */
const statusLine = (payload: unknown): ReadonlyArray<UsageFact> => {
  const fields = fieldsOf(payload)
  const nested = fields["context_window"]
  const context = nested === undefined ? fields : fieldsOf(nested)
  const window = windowOf(context["displayed_context_limit"]) ?? windowOf(context["context_window_size"])
  return [
    ...modelFacts(fields["model"]),
    ...(window === null
      ? []
      : [{ _tag: "Context", tokens: countOf(context["current_context_tokens"]), window } as const])
  ]
}

/** GitHub Copilot's usage, from its status line and its log of the session. */
export const copilotUsage: UsageReader = {
  ...noUsage,
  hook: (event, payload) => (event === "StatusLine" ? statusLine(payload) : []),
  record
}
