import { Struct } from "effect"
import { oneLine } from "../../words/text/printable.ts"
import type { AgentEvent, EventOf } from "./AgentEvent.ts"
import type { AgentResult } from "./AgentResult.ts"
import type { RunSoFar } from "./RunSoFar.ts"
import { table } from "../../words/wording/StateLine.ts"

/** An event as one line for people; null: no line. Text deltas are left out. */
export const progressOf = (event: AgentEvent): string | null => {
  switch (event._tag) {
    case "Started":
      return event.model === null ? null : `· ${oneLine(event.model)}`
    case "ToolStarted":
      return `· ${event.agent === null ? "" : `${oneLine(event.agent, 30)}: `}${toolLine(event)}`
    case "ToolEnded":
      return event.ok ? null : `  failed: ${oneLine(event.output)}`
    case "Refused":
      return `! ${oneLine(event.tool, 40)} was refused: ${oneLine(event.why, 200)}`
    case "Retrying":
      return retryLine(event)
    case "Notice":
      return `! ${oneLine(event.text, 200)}`
    case "Text":
      return event.agent === null && !event.delta ? `  ${oneLine(event.text)}` : null
    default:
      return null
  }
}

const toolLine = ({ preview, tool }: EventOf<"ToolStarted">): string =>
  `${oneLine(tool, 40)}${preview === "" ? "" : ` ${oneLine(preview)}`}`

const retryLine = ({ attempt, inMs, of, problem }: EventOf<"Retrying">): string => {
  const count = `${attempt}${of === null ? "" : ` of ${of}`}`
  const wait = inMs === null ? "" : `, again in ${Math.ceil(inMs / 1_000)} s`
  return `! attempt ${count} failed${wait}: ${oneLine(problem.message, 200)}`
}

export const usageOf = ({ cost, tokens }: AgentResult): string => {
  const about = (estimated: boolean) => (estimated ? "about " : "")
  const price = cost === null ? "" : `, ${about(cost.estimated)}$${cost.usd.toFixed(4)}`
  return `· ${about(tokens.estimated)}${tokens.total} tokens${price}`
}

export const failureDocument = (error: Error & { readonly _tag?: string }, exitCode: number) => {
  const { _tag: tag = "Error", message } = error
  const own = Object.assign({}, error, { exitCode })
  const others = Struct.omit(own, ["_tag", "exitCode", "message", "name", "stack", "cause"])
  return { schema: 1, error: { tag, exitCode, message, ...others } }
}

/** An interrupted run as a document: by a signal (see the exit code), or because its reader went away. */
export const interruptedDocument = ({ sessionId, text }: RunSoFar) => ({
  schema: 1,
  error: { tag: "Interrupted", message: "it was interrupted", sessionId, text }
})

export interface FanOutRow {
  readonly provider: string
  readonly exitCode: number
  readonly ms: number
  readonly tokens: AgentResult["tokens"] | null
  readonly cost: AgentResult["cost"]
  readonly text: string
}

const about = (isEstimated: boolean, text: string): string => `${isEstimated ? "~" : ""}${text}`

export const fanOutTable = (rows: ReadonlyArray<FanOutRow>, columns: number): string => {
  const cells = [
    ["PROVIDER", "EXIT", "TIME", "TOKENS", "COST", "ANSWER"],
    ...rows.map(({ cost, exitCode, ms, provider, text, tokens }) => [
      provider,
      String(exitCode),
      `${(ms / 1_000).toFixed(1)} s`,
      tokens === null ? "-" : about(tokens.estimated, String(tokens.total)),
      cost === null ? "-" : about(cost.estimated, `$${cost.usd.toFixed(4)}`),
      text
    ])
  ]
  const widths = cells[0]?.slice(0, -1).map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0))) ?? []
  const left = Math.max(20, columns - widths.reduce((sum, width) => sum + width + 2, 0))
  return table(cells.map((row) => [...row.slice(0, -1), oneLine(row.at(-1) ?? "", left)]))
}
