import { fieldsOf, itemsOf, momentOf, nonEmptyOf, timeOf } from "../../words/reading/Fields.ts"
import { problemOf } from "../../words/problems/ProblemText.ts"
import type { Signal } from "../../words/session/Signal.ts"

/** The notice that the CLI prints and records when a request has finally failed; retries are not reported. */
const apiError = /^\[API Error: ([\s\S]*?)\]?$/
/** The notice of an incomplete reply. Other errors belong to commands, and end no turn. */
const replyError = /^(?:(?:The )?model (?:stream|response|returned)|Invalid stream)\b/i
/** A reply that was stopped, mostly by a filter. A reply that is only cut at its length limit counts as a reply. */
const stopped = /^⚠\ufe0f?\s+Response stopped (?:due to|for|because) (.*)/u
/** Reasons for a stop that name no filter. All others do. */
const withoutFilter = /^(?:malformed|unexpected|other|no image)/
const cancelled = /^Request cancelled\.$/

/**
 * Translates a chat file's record: failures and interrupts, which no hook reports, texts that hooks garble, and the
 * tools that ran. Total.
 */
export const readTranscript = (record: unknown): ReadonlyArray<Signal> => {
  const { content, timestamp, toolCalls, type } = fieldsOf(record)
  if (typeof content !== "string") return []
  if (type === "error") {
    const said = content.trim()
    const quoted = apiError.exec(said)?.[1] ?? (replyError.test(said) ? said : null)
    if (quoted === null) return []
    const message = messageOf(quoted)
    return [{ _tag: "TurnFailed", problem: problemOf(quoted, message), message, ...momentOf(timestamp) }]
  }
  if (type === "gemini")
    return [...toolsIn(toolCalls), ...(content.trim() === "" ? [] : [{ _tag: "Responded", text: content } as const])]
  const reason = type === "info" ? stopped.exec(content.trim())?.[1] : undefined
  if (reason !== undefined) {
    const message = `the response was stopped: ${reason}`
    const problem = withoutFilter.test(reason) ? problemOf(message) : problemOf("content_filter", message)
    return [{ _tag: "TurnFailed", problem, message, ...momentOf(timestamp) }]
  }
  const at = type === "info" && cancelled.test(content.trim()) ? timeOf(timestamp) : null
  return at === null ? [] : [{ _tag: "Interrupted", at }]
}

/** The tools that ran within a reply; the reply is recorded again after them. */
const toolsIn = (calls: unknown): ReadonlyArray<Signal> =>
  itemsOf(calls)
    .map(fieldsOf)
    .flatMap(({ name, status, timestamp }) => {
      const [tool, at] = [nonEmptyOf(name), timeOf(timestamp)]
      return tool === null || at === null
        ? []
        : [{ _tag: "ToolRan", tool, id: null, at, ok: status === "success" } as const]
    })

const messageOf = (text: string): string => {
  const quoted = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]
  const plain = quoted === undefined ? text : quoted.replaceAll(/\\(?:n|r|t)/g, " ").replaceAll(/\\(["\\/])/g, "$1")
  return plain.trim() === "" ? "a request to the model failed" : plain.trim()
}
