import { countOf, fieldsOf, type Fields, textOf, textsOf, timeOf } from "../../words/reading/Fields.ts"
import { tokensIn } from "../../cli/usage/Usage.ts"
import { noUsage, type UsageFact, type UsageReader } from "../../cli/usage/UsageReader.ts"

const window = 1_048_576

/** Parts of a prompt have a text and no type; results of tools have no text. */
const parts = new Set([undefined])

const responseFacts = (message: Fields, again: boolean): ReadonlyArray<UsageFact> => {
  const tokens = fieldsOf(message["tokens"])
  const prompt = countOf(tokens["input"])
  const reasoning = countOf(tokens["thoughts"])
  const model = textOf(message["model"])
  const at = timeOf(message["timestamp"])
  const text = textOf(message["content"])
  const output = countOf(tokens["output"]) + reasoning
  return [
    ...(text === null ? [] : [{ _tag: "Response", text: text.trim(), at } as const]),
    ...(model === null ? [] : [{ _tag: "Model", model } as const]),
    ...(prompt === 0 ? [] : [{ _tag: "Context", tokens: prompt, window: null } as const]),
    {
      _tag: "Billed",
      id: textOf(message["id"]),
      model,
      tokens: { ...tokensIn({ input: prompt, cacheRead: tokens["cached"], output }), cacheWriteLong: 0, reasoning },
      at,
      ...(again ? { again } : {})
    }
  ]
}

const promptFacts = (message: Fields): ReadonlyArray<UsageFact> => {
  const text = textsOf(message["content"], parts).join("").trim()
  return text === "" || text.startsWith("<session_context>")
    ? []
    : [{ _tag: "Prompt", text, at: timeOf(message["timestamp"]) }]
}

const message = (value: unknown, again: boolean): ReadonlyArray<UsageFact> => {
  const fields = fieldsOf(value)
  return fields["type"] === "gemini"
    ? responseFacts(fields, again)
    : fields["type"] === "user"
      ? promptFacts(fields)
      : []
}

/** The CLI itself writes these words as the answer to the summary that replaces a conversation. */
const summaryTaken = "Got it. Thanks for the additional context!"

/** The conversation was compressed; the requests for this are recorded nowhere. */
const compression = (messages: ReadonlyArray<unknown>): ReadonlyArray<UsageFact> => {
  const isSummary = (value: unknown) => {
    const { content, type } = fieldsOf(value)
    return type === "gemini" && (content === summaryTaken || textsOf(content, parts).join("") === summaryTaken)
  }
  return messages.some(isSummary) ? [{ _tag: "Uncounted", why: "what a compression used is not written down" }] : []
}

/** Gemini CLI's usage, from its chat file. A grown message is recorded again; `$set` replaces the whole list. */
export const geminiUsage: UsageReader = {
  ...noUsage,
  record: (value) => {
    const set = fieldsOf(value)["$set"]
    const messages = fieldsOf(set)["messages"]
    return Array.isArray(messages)
      ? [...messages.flatMap((item) => message(item, true)), ...compression(messages)]
      : message(value, false)
  },
  // The transcripts of subagents are in a directory that is named after the session.
  parts: (path, first) => {
    const id = textOf(fieldsOf(first)["sessionId"])
    if (id === null || /[/\\]|^\.+$/.test(id)) return null
    const directory = `${path.slice(0, path.lastIndexOf("/"))}/${id}`
    return { directories: () => [directory] }
  },
  window: ({ listed }) => listed ?? window
}
