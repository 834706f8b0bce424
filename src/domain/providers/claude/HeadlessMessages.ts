import { countOf, fieldsOf, type Fields, numberOf, textOf } from "../../words/reading/Fields.ts"
import * as Decode from "../../cli/headless/decoderState.ts"
import { addTokens, noTokens } from "../../cli/headless/tokens.ts"
import { sizeOf } from "../../cli/usage/UsageReader.ts"
import { claudeTokens } from "./Usage.ts"
import type { State } from "./HeadlessState.ts"

/** The name of the subagent that wrote a line; null for the main conversation. */
const agentOf = (state: State, line: Fields): string | null => {
  const parent = textOf(line["parent_tool_use_id"])
  return parent === null ? null : (textOf(line["subagent_type"]) ?? state.agents[parent] ?? parent)
}

const block = (state: State, part: Fields, agent: string | null, id: string | null): Decode.Step<State> => {
  switch (part["type"]) {
    case "text": {
      const text = part["text"]
      if (typeof text !== "string" || text === "") return [state, []]
      return [
        agent === null
          ? {
              ...state,
              spoken: true,
              message: state.message === "" ? text : Decode.appendText(Decode.appendText(state.message, "\n\n"), text)
            }
          : state,
        [{ _tag: "Text", text, delta: false, message: id, agent }]
      ]
    }
    case "thinking":
      return [state, Decode.thought(part["thinking"], false, agent)]
    case "tool_use":
    case "server_tool_use":
      return tool(state, part, agent)
    default:
      return [state, []]
  }
}

const tool = (state: State, part: Fields, agent: string | null): Decode.Step<State> => {
  const input = part["input"]
  const id = textOf(part["id"])
  const kind = textOf(fieldsOf(input)["subagent_type"])
  const agents = id === null || kind === null ? state.agents : { ...state.agents, [id]: kind }
  const spoken = agent !== null && state.spoken
  return Decode.toolStarted({ ...state, agents, spoken }, { id, tool: textOf(part["name"]) ?? "unknown", input, agent })
}

const requested = (
  state: State,
  usage: Fields,
  stopReason: string | null,
  agent: string | null
): Decode.Step<State> => {
  const tokens = claudeTokens(usage)
  if (sizeOf(tokens) === 0) return [state, []]
  const reasoning = numberOf(fieldsOf(usage["output_tokens_details"])["thinking_tokens"])
  const sum = addTokens(state.requested, tokens)
  return [
    { ...state, requested: sum },
    [
      { _tag: "RequestEnded", tokens, reasoning, stopReason, agent },
      ...Decode.used(addTokens(state.tokens ?? noTokens, sum), state.reasoning)
    ]
  ]
}

/** A complete message of the model. */
export const assistant = (state: State, line: Fields): Decode.Step<State> => {
  const message = fieldsOf(line["message"])
  const agent = agentOf(state, line)
  const id = textOf(message["id"])
  const content = message["content"]
  const parts =
    typeof content === "string"
      ? [{ type: "text", text: content }]
      : Array.isArray(content)
        ? content.map(fieldsOf)
        : []
  // The CLI wrote this message instead of the model; the result line reports the same failure.
  if (message["model"] === "<synthetic>" && textOf(line["error"]) !== null) return [state, []]
  const streamed = id === null ? undefined : state.streams[id]
  const [counted, told] =
    agent === null || id === null || streamed !== undefined || state.countedMessages.includes(id)
      ? [state, []]
      : requested(
          { ...state, countedMessages: [...state.countedMessages, id] },
          fieldsOf(message["usage"]),
          textOf(message["stop_reason"]),
          agent
        )
  const hasText = (streamed?.text ?? "") !== ""
  const isFirst = agent === null && !hasText && id !== null && parts.some((part) => part["type"] === "text")
  // The other parts were streamed already.
  const unseen = parts.filter(
    ({ type }) => !(type === "text" && hasText) && !(type === "thinking" && streamed?.thought === true)
  )
  const [next, events] = Decode.inEach(isFirst ? { ...counted, message: "" } : counted, unseen, (next, part) =>
    block(next, part, agent, id)
  )
  return [next, [...told, ...events]]
}

const noStream: State["streams"][string] = { text: "", thought: false, usage: {} }

const withStream = (state: State, id: string, stream: State["streams"][string]): State => ({
  ...state,
  streams: { ...state.streams, [id]: stream }
})

const usageIn = (holder: unknown): Fields => fieldsOf(fieldsOf(holder)["usage"])

/** A part of a message, as streamed with `--include-partial-messages`. */
export const streamed = (state: State, line: Fields): Decode.Step<State> => {
  const event = fieldsOf(line["event"])
  const agent = agentOf(state, line)
  const id = textOf(line["api_message_id"]) ?? textOf(fieldsOf(event["message"])["id"])
  const before = id === null ? undefined : state.streams[id]
  const delta = fieldsOf(event["delta"])
  switch (event["type"]) {
    case "message_start":
      return [
        id === null ? state : withStream(state, id, { ...noStream, usage: usageIn(event["message"]) }),
        [{ _tag: "RequestStarted", model: textOf(fieldsOf(event["message"])["model"]), agent }]
      ]
    case "message_delta":
      return requested(state, { ...before?.usage, ...usageIn(event) }, textOf(delta["stop_reason"]), agent)
    case "message_stop": {
      if (id === null) return [state, []]
      const { [id]: _, ...streams } = state.streams
      return [{ ...state, streams }, []]
    }
    case "content_block_start":
      // A second block of text in one message begins a new paragraph.
      return fieldsOf(event["content_block"])["type"] === "text" && (before?.text ?? "") !== ""
        ? textDelta(state, id, agent, "\n\n")
        : [state, []]
    case "content_block_delta": {
      const { text, thinking } = delta
      if (delta["type"] === "text_delta" && typeof text === "string" && text !== "")
        return textDelta(state, id, agent, text)
      if (delta["type"] !== "thinking_delta" || typeof thinking !== "string" || thinking === "") return [state, []]
      return [
        id === null ? state : withStream(state, id, { ...(before ?? noStream), thought: true }),
        [{ _tag: "Thought", text: thinking, delta: true, agent }]
      ]
    }
    default:
      return [state, []]
  }
}

const textDelta = (state: State, id: string | null, agent: string | null, text: string): Decode.Step<State> => {
  const before = id === null ? undefined : state.streams[id]
  const after = Decode.appendText(before?.text ?? (id === null ? state.message : ""), text)
  const next = id === null ? state : withStream(state, id, { ...(before ?? noStream), text: after })
  return [
    agent === null ? { ...next, message: after, spoken: true } : next,
    [{ _tag: "Text", text, delta: true, message: id, agent }]
  ]
}

/** The hunks of an edit as a unified diff; null where there are none. */
const diffOf = (result: unknown): string | null => {
  const { filePath, structuredPatch } = fieldsOf(result)
  if (!Array.isArray(structuredPatch) || structuredPatch.length === 0) return null
  const hunks = structuredPatch.map(fieldsOf).map(({ lines, newLines, newStart, oldLines, oldStart }) => {
    const changed = Array.isArray(lines) ? lines.filter((one) => typeof one === "string").join("\n") : ""
    return `@@ -${countOf(oldStart)},${countOf(oldLines)} +${countOf(newStart)},${countOf(newLines)} @@\n${changed}`
  })
  return [`--- ${textOf(filePath) ?? ""}`, `+++ ${textOf(filePath) ?? ""}`, ...hunks, ""].join("\n")
}

/** The results of tools. */
export const user = (state: State, line: Fields): Decode.Step<State> => {
  const content = fieldsOf(line["message"])["content"]
  const agent = agentOf(state, line)
  if (!Array.isArray(content)) return [state, []]
  const results = content.map(fieldsOf).filter(({ type }) => type === "tool_result")
  return Decode.inEach(state, results, (next, part) =>
    Decode.toolEnded(next, {
      id: textOf(part["tool_use_id"]),
      ok: part["is_error"] !== true,
      result: part["content"],
      diff: diffOf(line["tool_use_result"]),
      agent
    })
  )
}
