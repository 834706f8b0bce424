import { Option } from "effect"
import { fieldsOf, textOf } from "../../../words/reading/Fields.ts"
import { parseJson } from "../../../words/formats/Json.ts"
import type { AgentEvent } from "../AgentEvent.ts"
import { appendText, maxAnswerLength, toolStart } from "../decoderState.ts"

/** A call of a tool, merged from its pieces. */
export interface ToolCall {
  readonly index: number
  readonly id: string | null
  readonly name: string
  /** JSON, as the model wrote it. */
  readonly arguments: string
}

/** More calls than a model makes; further ones are dropped. */
const mostCalls = 1_024

/** The place of a piece's call: the last with its index, or the last of all. A new id with a name begins a call. */
const placeOf = (calls: ReadonlyArray<ToolCall>, index: number | null, id: string | null, name: string): number => {
  const at = index === null ? calls.length - 1 : calls.findLastIndex((call) => call.index === index)
  const call = calls[at]
  const isOther =
    call !== undefined && name !== "" && call.name !== "" && id !== null && call.id !== null && call.id !== id
  return call === undefined || isOther ? calls.length : at
}

/** Merges pieces into the calls so far. The first name and id of a call count; its arguments are joined. */
export const mergeCalls = (calls: ReadonlyArray<ToolCall>, pieces: unknown): ReadonlyArray<ToolCall> => {
  if (!Array.isArray(pieces) || pieces.length === 0) return calls
  const merged = [...calls]
  for (const piece of pieces) {
    const fields = fieldsOf(piece)
    const called = fieldsOf(fields["function"])
    const index = Number.isInteger(fields["index"]) ? (fields["index"] as number) : null
    const id = textOf(fields["id"])
    const name = textOf(called["name"]) ?? ""
    const written = called["arguments"]
    const text =
      typeof written === "string" ? written : written === undefined || written === null ? "" : JSON.stringify(written)
    const at = placeOf(merged, index, id, name)
    const call = merged[at] ?? { index: index ?? merged.length, id: null, name: "", arguments: "" }
    if (at < mostCalls) {
      merged[at] = {
        index: call.index,
        id: call.id ?? id,
        name: call.name === "" ? name : call.name,
        arguments: appendText(call.arguments, text)
      }
    }
  }
  return merged.sort((a, b) => a.index - b.index)
}

const inputOf = (text: string): unknown => (text.trim() === "" ? {} : Option.getOrElse(parseJson(text), () => text))

/** A call as an event. Arguments that are not JSON stay a text, and a notice says so. */
export const callEvents = (call: ToolCall): ReadonlyArray<AgentEvent> => {
  const input = inputOf(call.arguments)
  const tool = toolStart({ id: call.id, tool: call.name, input, agent: null })
  if (input !== call.arguments) return [tool]
  const kept = call.arguments.length >= maxAnswerLength ? "; leap kept only their beginning" : ""
  return [tool, { _tag: "Notice", text: `the arguments of ${call.name} are not valid JSON${kept}` }]
}

/** The id by which a later request refers to a call. */
export const callId = ({ id, index }: ToolCall): string => id ?? `call_${index}`

/** Calls in the form for a later request. */
export const callsToSend = (calls: ReadonlyArray<ToolCall>): ReadonlyArray<unknown> =>
  calls.map((call) => ({
    id: callId(call),
    type: "function",
    function: { name: call.name, arguments: call.arguments }
  }))
