import { countOf, fieldsOf, type Fields, numberOf, textOf, windowOf } from "../../words/reading/Fields.ts"
import type { Tokens } from "../../cli/usage/Usage.ts"
import { type Billed, noUsage, sizeOf, type UsageFact, type UsageReader } from "../../cli/usage/UsageReader.ts"

/** OpenCode's token classes do not overlap; thoughts are counted separately from the output. */
export const opencodeTokens = (tokens: Fields): Tokens => {
  const { read, write } = fieldsOf(tokens["cache"])
  return {
    input: countOf(tokens["input"]),
    cacheRead: countOf(read),
    cacheWrite: countOf(write),
    output: countOf(tokens["output"]) + countOf(tokens["reasoning"])
  }
}

const billed = (tokens: Fields): Billed => ({
  ...opencodeTokens(tokens),
  cacheWriteLong: 0,
  reasoning: countOf(tokens["reasoning"])
})

const modelOf = (provider: unknown, model: unknown): string | null => {
  const name = textOf(model)
  return name === null ? null : textOf(provider) === null ? name : `${textOf(provider)}/${name}`
}

/** A finished message of the assistant. All its tokens count for the context, as in OpenCode's own footer. */
const message = (info: Fields, window: unknown): ReadonlyArray<UsageFact> => {
  const session = textOf(info["sessionID"])
  const tokens = billed(fieldsOf(info["tokens"]))
  if (session === null || info["role"] !== "assistant" || sizeOf(tokens) === 0) return []
  const model = modelOf(info["providerID"], info["modelID"])
  return [
    ...(model === null ? [] : [{ _tag: "Model", model, session } as const]),
    { _tag: "Context", tokens: sizeOf(tokens), window: windowOf(window), session },
    { _tag: "Last", tokens, session }
  ]
}

/** A session's totals. OpenCode reports a cost of 0 for a model whose price it does not know. */
const sums = (info: Fields): ReadonlyArray<UsageFact> => {
  const session = textOf(info["id"])
  if (session === null) return []
  const usd = numberOf(info["cost"])
  const { id, providerID } = fieldsOf(info["model"])
  const model = modelOf(providerID, id)
  return [
    ...(model === null ? [] : [{ _tag: "Model", model, session } as const]),
    { _tag: "Totals", tokens: billed(fieldsOf(info["tokens"])), last: null, session },
    ...(usd === null || usd <= 0 ? [] : [{ _tag: "Cost", usd, own: true, session } as const])
  ]
}

/** OpenCode's usage, from its plugin events. A subagent's session names its parent. */
export const opencodeUsage: UsageReader = {
  ...noUsage,
  hook: (event, payload) => {
    const { info: rawInfo, window } = fieldsOf(payload)
    const info = fieldsOf(rawInfo)
    const session = textOf(info["id"])
    switch (event) {
      case "session.created":
        return textOf(info["parentID"]) === null || session === null ? [] : [{ _tag: "Child", session }]
      case "message.updated":
        return message(info, window)
      case "session.updated":
        return [
          ...(textOf(info["parentID"]) === null || session === null ? [] : [{ _tag: "Child", session } as const]),
          ...sums(info)
        ]
      default:
        return []
    }
  }
}
