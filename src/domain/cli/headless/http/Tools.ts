import { Option } from "effect"
import { fieldsOf, textOf } from "../../../words/reading/Fields.ts"
import { parseJson } from "../../../words/formats/Json.ts"
import { countAll } from "../tokens.ts"
import type { ChatTurn } from "./ChatTurn.ts"
import { callId, callsToSend, type ToolCall } from "./ToolCalls.ts"
import type { HttpAnswer } from "./HttpAttempt.ts"

/** A tool of an MCP server. */
export interface ServerTool {
  readonly server: string
  /** The server's own name of it. */
  readonly tool: string
  readonly description: string | null
  readonly parameters: unknown
}

/** What came of a call: the text for the model; `refused`: why it was not allowed; null: it was. */
export interface CallResult {
  readonly text: string
  readonly ok: boolean
  readonly refused: string | null
}

/** The most characters of a tool's name that servers of models take. */
const longestName = 64
/** The most characters of a result that are sent to the model; more would fill its context. */
const longestResult = 200_000

/** Tools by the names that the model calls them by: `mcp__server__tool`, as Claude Code names them. */
export const namedTools = <A extends ServerTool>(tools: ReadonlyArray<A>): ReadonlyMap<string, A> => {
  const named = new Map<string, A>()
  for (const one of tools) {
    const name = `mcp__${one.server}__${one.tool}`.replaceAll(/[^\w-]/g, "_").slice(0, longestName)
    let other = name
    for (let n = 2; named.has(other); n++) other = `${name.slice(0, longestName - 4)}_${n}`
    named.set(other, one)
  }
  return named
}

/** The request's parameter with these tools. */
export const toolsParameter = (named: ReadonlyMap<string, ServerTool>) => ({
  tools: [...named].map(([name, { description, parameters }]) => ({
    type: "function",
    function: { name, ...(description === null ? {} : { description }), parameters }
  }))
})

/** A call's arguments; null where they are no JSON object. */
export const argumentsOf = ({ arguments: text }: ToolCall): Readonly<Record<string, unknown>> | null => {
  if (text.trim() === "") return {}
  const value = Option.getOrNull(parseJson(text))
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null
}

/** Whether the option `allowedTools` has this tool: by its name, or by its server's (`mcp__server`). */
export const isAllowed = (allowed: ReadonlyArray<string>, name: string, { server }: ServerTool): boolean =>
  allowed.some((one) => one === name || one === `mcp__${server}`)

const partText = (part: unknown): string => {
  const { mimeType, resource, text, type, uri } = fieldsOf(part)
  if (type === "text") return textOf(text) ?? ""
  if (type === "resource")
    return textOf(fieldsOf(resource)["text"]) ?? `[${textOf(fieldsOf(resource)["uri"]) ?? "data"}]`
  if (type === "resource_link") return `[${textOf(uri) ?? "a link"}]`
  return `[${textOf(mimeType) ?? String(type)}, which is not handed on]`
}

/** What a server answers to a call, as a text for the model. */
export const resultText = (content: ReadonlyArray<unknown>, structured: unknown): string => {
  const text = content.map(partText).join("\n")
  const whole = text === "" && structured !== undefined ? JSON.stringify(structured) : text
  return whole.length <= longestResult
    ? whole
    : `${whole.slice(0, longestResult)}\n[cut: ${whole.length - longestResult} more characters]`
}

/** The turn's next request: the same, with the model's calls and what came of them. */
export const withResults = (
  turn: ChatTurn,
  answer: Pick<HttpAnswer, "calls" | "text">,
  results: ReadonlyArray<CallResult>
): ChatTurn => {
  const texts = results.map(({ text }) => text)
  const messages = [
    ...turn.messages.messages,
    { role: "assistant", content: answer.text === "" ? null : answer.text, tool_calls: callsToSend(answer.calls) },
    ...answer.calls.map((call, at) => ({ role: "tool", tool_call_id: callId(call), content: texts[at] ?? "" }))
  ]
  return {
    ...turn,
    messages: { messages, leftOut: [] },
    sentTokens: turn.sentTokens + countAll(turn.count, [answer.text, ...texts])
  }
}
