import type { AgentResult } from "./AgentResult.ts"
import { maxAnswerLength } from "./decoderState.ts"

/** Why an answer is missing or incomplete; null: it is complete. */
export const incompleteness = ({
  refused,
  stopReason,
  text
}: Pick<AgentResult, "refused" | "stopReason" | "text">): string | null => {
  const reason = stopReason ?? ""
  const isEmpty = text.trim() === ""
  if (text.length >= maxAnswerLength)
    return `the answer is longer than ${maxAnswerLength >> 20} Mi characters; the rest is discarded`
  if (reason === "max_tokens") return `the answer was cut off at the limit of its length`
  if (reason === "refusal") return `the answer was ${isEmpty ? "withheld" : "refused, or cut off"} by the provider`
  if (reason === "loop") return `the answer was cut off by the CLI, which believes that the model repeats itself`
  if (isEmpty && refused.length > 0)
    return `there is no answer: ${[...new Set(refused.map(({ tool }) => tool))].join(", ")} was refused`
  if (reason === "tool_use") return `the model called tools that nobody runs${isEmpty ? ", and gave no answer" : ""}`
  return isEmpty ? "the answer is empty" : null
}
