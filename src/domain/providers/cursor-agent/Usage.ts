import { countOf, fieldsOf, numberOf, windowOf } from "../../words/reading/Fields.ts"
import { modelFacts } from "../../cli/usage/modelFacts.ts"
import { noUsage, type UsageFact, type UsageReader } from "../../cli/usage/UsageReader.ts"

/** The used tokens, from the best source: the parts of the last prompt, a number, a total, a share of the window. */
const usedOf = (context: Readonly<Record<string, unknown>>, window: number): number | null => {
  const current = context["current_usage"]
  if (typeof current === "object" && current !== null && !Array.isArray(current)) {
    const parts = fieldsOf(current)
    return (
      countOf(parts["input_tokens"]) +
      countOf(parts["cache_creation_input_tokens"]) +
      countOf(parts["cache_read_input_tokens"])
    )
  }
  if (numberOf(current) !== null) return countOf(current)
  if (numberOf(context["total_input_tokens"]) !== null) return countOf(context["total_input_tokens"])
  const share = numberOf(context["used_percentage"])
  return share === null ? null : Math.max(0, Math.round((share * window) / 100))
}

const statusLine = (payload: unknown): ReadonlyArray<UsageFact> => {
  const fields = fieldsOf(payload)
  const context = fieldsOf(fields["context_window"])
  const window = windowOf(context["context_window_size"])
  const used = window === null ? null : usedOf(context, window)
  return [
    ...modelFacts(fields["model"]),
    ...(used === null ? [] : [{ _tag: "Context", tokens: used, window } as const])
  ]
}

/** Cursor Agent's usage, from its status line alone: the format of its stored sessions is closed. */
export const cursorAgentUsage: UsageReader = {
  ...noUsage,
  hook: (event, payload) => (event === "StatusLine" ? statusLine(payload) : [])
}
