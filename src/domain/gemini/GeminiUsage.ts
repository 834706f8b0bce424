import { countOf, fieldsOf, type Fields, textOf, textsOf, timeOf } from "../usage/Fields.ts"
import { noUsage, type UsageFact, type UsageReader } from "../usage/UsageReader.ts"

const window = 1_048_576

/** Parts of a prompt have a text and no type; the results of tools have none. */
const parts = new Set([undefined])

const answer = (message: Fields, again: boolean): ReadonlyArray<UsageFact> => {
  const tokens = fieldsOf(message["tokens"])
  const prompt = countOf(tokens["input"])
  const cacheRead = Math.min(prompt, countOf(tokens["cached"]))
  const reasoning = countOf(tokens["thoughts"])
  const model = textOf(message["model"])
  const at = timeOf(message["timestamp"])
  const text = textOf(message["content"])
  const output = countOf(tokens["output"]) + reasoning
  return [
    ...text === null ? [] : [{ _tag: "Response", text: text.trim(), at } as const],
    ...model === null ? [] : [{ _tag: "Model", model } as const],
    ...prompt === 0 ? [] : [{ _tag: "Context", tokens: prompt, window: null } as const],
    {
      _tag: "Billed",
      id: textOf(message["id"]),
      model,
      tokens: { input: prompt - cacheRead, cacheRead, cacheWrite: 0, output, cacheWriteLong: 0, reasoning },
      at,
      ...again ? { again } : {}
    }
  ]
}

const asked = (message: Fields): ReadonlyArray<UsageFact> => {
  const text = textsOf(message["content"], parts).join("").trim()
  return text === "" || text.startsWith("<session_context>") ? [] : [{ _tag: "Prompt", text, at: timeOf(message["timestamp"]) }]
}

const message = (value: unknown, again: boolean): ReadonlyArray<UsageFact> => {
  const fields = fieldsOf(value)
  return fields["type"] === "gemini" ? answer(fields, again) : fields["type"] === "user" ? asked(fields) : []
}

/** Gemini CLI: its chat file. A record of a message may come again when it has grown; `$set` puts the whole list anew. */
export const geminiUsage: UsageReader = {
  ...noUsage,
  record: (value) => {
    const set = fieldsOf(value)["$set"]
    const messages = fieldsOf(set)["messages"]
    return Array.isArray(messages) ? messages.flatMap((one) => message(one, true)) : message(value, false)
  },
  window: ({ listed }) => listed ?? window
}
