import { countOf, fieldsOf, type Fields, numberOf, textOf, windowOf } from "../usage/Fields.ts"
import { type Billed, noUsage, sizeOf, type UsageFact, type UsageReader } from "../usage/UsageReader.ts"

/** OpenCode counts each class for itself; what was thought is beside the output. */
const billed = (tokens: Fields): Billed => {
  const { read, write } = fieldsOf(tokens["cache"])
  const reasoning = countOf(tokens["reasoning"])
  return {
    input: countOf(tokens["input"]), cacheRead: countOf(read), cacheWrite: countOf(write), output: countOf(tokens["output"]) + reasoning,
    cacheWriteLong: 0, reasoning
  }
}

const modelOf = (provider: unknown, model: unknown): string | null => {
  const name = textOf(model)
  return name === null ? null : textOf(provider) === null ? name : `${textOf(provider)}/${name}`
}

/** A message of the assistant that is whole: the context is all of it, as OpenCode's own footer shows it. */
const message = (info: Fields, window: unknown): ReadonlyArray<UsageFact> => {
  const session = textOf(info["sessionID"])
  const tokens = billed(fieldsOf(info["tokens"]))
  if (session === null || info["role"] !== "assistant" || sizeOf(tokens) === 0) return []
  const model = modelOf(info["providerID"], info["modelID"])
  return [
    ...model === null ? [] : [{ _tag: "Model", model, session } as const],
    { _tag: "Context", tokens: sizeOf(tokens), window: windowOf(window), session },
    { _tag: "Last", tokens, session }
  ]
}

/** A session's sums, from its very beginning. Costs of 0 are those of a model that OpenCode has no price for. */
const sums = (info: Fields): ReadonlyArray<UsageFact> => {
  const session = textOf(info["id"])
  if (session === null) return []
  const usd = numberOf(info["cost"])
  const { id, providerID } = fieldsOf(info["model"])
  const model = modelOf(providerID, id)
  return [
    ...model === null ? [] : [{ _tag: "Model", model, session } as const],
    { _tag: "Totals", tokens: billed(fieldsOf(info["tokens"])), last: null, session },
    ...usd === null || usd <= 0 ? [] : [{ _tag: "Cost", usd, session } as const]
  ]
}

/** OpenCode: what its plugins are told. A subagent's session names its parent. */
export const opencodeUsage: UsageReader = {
  ...noUsage,
  hook: (event, payload) => {
    const { info: told, window } = fieldsOf(payload)
    const info = fieldsOf(told)
    const session = textOf(info["id"])
    switch (event) {
      case "session.created":
        return textOf(info["parentID"]) === null || session === null ? [] : [{ _tag: "Child", session }]
      case "message.updated":
        return message(info, window)
      case "session.updated":
        return [
          ...textOf(info["parentID"]) === null || session === null ? [] : [{ _tag: "Child", session } as const],
          ...sums(info)
        ]
      default:
        return []
    }
  }
}
