import { oneLine } from "../StateLine.ts"
import type { AgentEvent } from "./AgentEvent.ts"
import type { AgentResult } from "./AgentResult.ts"

/** A line for people on what is going on, or null where there is nothing to say. Text is shown when it is the answer. */
export const progressOf = (event: AgentEvent): string | null => {
  switch (event._tag) {
    case "Started":
      return event.model === null ? null : `· ${oneLine(event.model)}`
    case "ToolStarted":
      return `· ${event.agent === null ? "" : `${oneLine(event.agent, 30)}: `}${oneLine(event.tool, 40)}${event.preview === "" ? "" : ` ${oneLine(event.preview)}`}`
    case "ToolEnded":
      return event.ok ? null : `  failed: ${oneLine(event.output)}`
    case "Refused":
      return `! ${oneLine(event.tool, 40)} was refused: ${oneLine(event.why, 200)}`
    case "Retrying":
      return `! attempt ${event.attempt}${event.of === null ? "" : ` of ${event.of}`} failed${event.inMs === null ? "" : `, again in ${Math.ceil(event.inMs / 1_000)} s`}: ${oneLine(event.problem.message, 200)}`
    case "Notice":
      return `! ${oneLine(event.text, 200)}`
    case "Text":
      return event.agent === null && !event.delta ? `  ${oneLine(event.text)}` : null
    default:
      return null
  }
}

/** What a run used, for people. */
export const usageOf = ({ cost, tokens }: AgentResult): string =>
  `· ${tokens.estimated ? "about " : ""}${tokens.total} tokens${cost === null ? "" : `, ${cost.estimated ? "about " : ""}$${cost.usd.toFixed(4)}`}`

/** A command that failed, as a document. What had come before it failed is in it. */
export const failureDocument = (error: Error & { readonly _tag?: string; readonly exitCode?: number }) => {
  const { _tag = "Error", exitCode = 1, message, name: _, stack: _stack, cause: _cause, ...others } = Object.assign({}, error, { message: error.message, _tag: error._tag, exitCode: error.exitCode })
  return { schema: 1, error: { tag: _tag, exitCode, message, ...others } }
}

/** A run that was interrupted, as a document: a signal, which the exit code tells, or a reader that went away. */
export const interruptedDocument = ({ sessionId, text }: { readonly sessionId: string | null; readonly text: string }) =>
  ({ schema: 1, error: { tag: "Interrupted", message: "it was interrupted", sessionId, text } })
