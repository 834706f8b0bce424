import { Result } from "effect"
import { countOf, fieldsOf, type Fields, numberOf, textOf } from "../../usage/Fields.ts"
import type { Tokens } from "../../usage/Usage.ts"
import type { AgentCli } from "../AgentCli.ts"
import type { AgentEvent } from "../AgentEvent.ts"
import { problemFrom } from "../Problem.ts"
import { addTokens, asked, type Built, command, failed, flag, type Heard, more, noTokens, notice, nothingHeard, type Step, tell } from "./heard.ts"
import { outputOf, previewOf } from "./preview.ts"

interface State extends Heard {
  readonly resumed: boolean
  /** Messages that come in pieces, by id, with what has come of each: its text, and whether a thought. */
  readonly streams: Readonly<Record<string, { readonly text: string; readonly thought: boolean }>>
  /** Subagents by the tool call that began them. */
  readonly agents: Readonly<Record<string, string>>
  /** What was refused already, by tool call. */
  readonly refused: ReadonlyArray<string>
  readonly started: boolean
}

const build: AgentCli<State>["command"] = (call): Built =>
  Result.map(asked(call), (it) =>
    command({
      args: [
        "-p", ...flag("--model", it.model), "--output-format", "stream-json", "--verbose", "--include-partial-messages",
        ...flag("-r", call.sessionId), ...call.fork && call.sessionId !== null ? ["--fork-session"] : [],
        ...flag("--system-prompt", it.systemPrompt),
        ...flag("--allowedTools", it.allowed.length === 0 ? null : it.allowed.join(",")),
        ...flag("--disallowedTools", it.denied.length === 0 ? null : it.denied.join(",")),
        ...it.skip ? ["--dangerously-skip-permissions"] : [],
        ...flag("--max-turns", it.maxTurns),
        ...flag("--effort", it.effort)
      ],
      stdin: call.prompt,
      // one of its own sessions that leap runs in is not this one's parent
      env: { CLAUDECODE: null, CLAUDE_CODE_ENTRYPOINT: null, CLAUDE_CODE_SSE_PORT: null },
      ignored: it.ignored
    }))

/** Tokens by the names of the API, or by those of the CLI's own sums. */
const apiTokens = (usage: Fields): Tokens => ({
  input: countOf(usage["input_tokens"]), cacheRead: countOf(usage["cache_read_input_tokens"]),
  cacheWrite: countOf(usage["cache_creation_input_tokens"]), output: countOf(usage["output_tokens"])
})
const modelTokens = (usage: Fields): Tokens => ({
  input: countOf(usage["inputTokens"]), cacheRead: countOf(usage["cacheReadInputTokens"]),
  cacheWrite: countOf(usage["cacheCreationInputTokens"]), output: countOf(usage["outputTokens"])
})

/**
 * What this result has used since the one before it. `total_cost_usd` and `modelUsage` are the whole session's, those of
 * former runs included, and `usage` leaves out subagents.
 */
const used = (state: State, line: Fields): Pick<State, "tokens" | "usd"> => {
  const since = line["model_usage_since_last_result"]
  const before = state.tokens ?? noTokens
  if (typeof since === "object" && since !== null) {
    const models = Object.values(fieldsOf(since)).map(fieldsOf)
    return {
      tokens: models.map(modelTokens).reduce(addTokens, before),
      usd: models.reduce((sum, model) => sum + Math.max(0, numberOf(model["costUSD"]) ?? 0), state.usd ?? 0)
    }
  }
  const usage = line["usage"]
  return {
    tokens: typeof usage === "object" && usage !== null ? addTokens(before, apiTokens(fieldsOf(usage))) : state.tokens,
    // the sum of a resumed session has its former runs in it
    usd: state.resumed ? null : numberOf(line["total_cost_usd"]) ?? state.usd
  }
}

const answerOf = (result: unknown): string | null => typeof result === "string" ? result : typeof result === "number" ? String(result) : null

const result = (state: State, line: Fields): Step<State> => {
  const heard: State = {
    ...state, ...used(state, line),
    turns: (state.turns ?? 0) + countOf(line["num_turns"]),
    stopReason: line["terminal_reason"] === "max_turns" ? "max_turns" : textOf(line["stop_reason"]) ?? state.stopReason,
    complete: true,
    streams: {}
  }
  const tokens: ReadonlyArray<AgentEvent> = heard.tokens === null ? [] : [{ _tag: "Used", tokens: heard.tokens }]
  const [denied, refusals] = denials(heard, line["permission_denials"])
  const errors = Array.isArray(line["errors"]) ? line["errors"].filter((error) => typeof error === "string") : []
  const answer = answerOf(line["result"])
  if (line["is_error"] === true || typeof line["subtype"] === "string" && line["subtype"].startsWith("error")) {
    // the text of such a result is the failure, not something the model said
    const message = textOf(errors.join("; ")) ?? textOf(answer) ?? `the turn ended with ${textOf(line["subtype"]) ?? "an error"}`
    const [after, events] = failed(denied, { message, status: numberOf(line["api_error_status"]), code: textOf(line["api_error_type"]) })
    return [{ ...after, message: after.message === answer ? "" : after.message }, [...refusals, ...tokens, ...events]]
  }
  const text = answer ?? heard.message
  return [{ ...denied, problem: null, answers: [...denied.answers, text], message: "" }, [...refusals, ...tokens, { _tag: "Answered", text }]]
}

const denials = (state: State, list: unknown): Step<State> => {
  if (!Array.isArray(list)) return [state, []]
  const fresh = list.map(fieldsOf).filter((denial) => !state.refused.includes(textOf(denial["tool_use_id"]) ?? ""))
  return [
    { ...state, refused: [...state.refused, ...fresh.flatMap((denial) => textOf(denial["tool_use_id"]) ?? [])] },
    fresh.map((denial) => ({ _tag: "Refused", tool: textOf(denial["tool_name"]) ?? "unknown", why: textOf(denial["message"]) ?? "it was not allowed" }))
  ]
}

const system = (state: State, line: Fields): Step<State> => {
  switch (line["subtype"]) {
    case "init": {
      const sessionId = textOf(line["session_id"]) ?? state.sessionId
      const model = textOf(line["model"]) ?? state.model
      return state.started
        ? [{ ...state, sessionId, model, complete: false }, []]
        : [{ ...state, sessionId, model, started: true }, [{ _tag: "Started", sessionId, model }]]
    }
    case "api_retry": {
      const problem = problemFrom({ message: textOf(line["error"]) ?? "the request failed", status: numberOf(line["error_status"]) })
      const attempt = countOf(line["attempt"])
      return [state, [{ _tag: "Retrying", attempt, of: countOf(line["max_retries"]) || null, inMs: numberOf(line["retry_delay_ms"]), problem }]]
    }
    case "permission_denied":
      return denials(state, [line])
    case "task_started": {
      const id = textOf(line["tool_use_id"])
      const name = textOf(line["subagent_type"])
      return [id === null || name === null ? state : { ...state, agents: { ...state.agents, [id]: name } }, []]
    }
    default:
      return [state, []]
  }
}

/** Whose line it is: null for the main conversation. */
const speaker = (state: State, line: Fields): string | null => {
  const parent = textOf(line["parent_tool_use_id"])
  return parent === null ? null : textOf(line["subagent_type"]) ?? state.agents[parent] ?? parent
}

const block = (state: State, part: Fields, agent: string | null, id: string | null): Step<State> => {
  switch (part["type"]) {
    case "text": {
      const text = part["text"]
      if (typeof text !== "string" || text === "") return [state, []]
      return [agent === null ? { ...state, message: state.message === "" ? text : more(more(state.message, "\n\n"), text) } : state, [{ _tag: "Text", text, delta: false, message: id, agent }]]
    }
    case "thinking": {
      const text = part["thinking"]
      return [state, typeof text === "string" && text !== "" ? [{ _tag: "Thought", text, delta: false, agent }] : []]
    }
    case "tool_use":
    case "server_tool_use":
      return tool(state, part, agent)
    default:
      return [state, []]
  }
}

const tool = (state: State, part: Fields, agent: string | null): Step<State> => {
  const input = part["input"]
  const id = textOf(part["id"])
  const kind = textOf(fieldsOf(input)["subagent_type"])
  return [
    id !== null && kind !== null ? { ...state, agents: { ...state.agents, [id]: kind } } : state,
    [{ _tag: "ToolStarted", id, tool: textOf(part["name"]) ?? "unknown", preview: previewOf(input), input, agent }]
  ]
}

const assistant = (state: State, line: Fields): Step<State> => {
  const message = fieldsOf(line["message"])
  const agent = speaker(state, line)
  const id = textOf(message["id"])
  const content = message["content"]
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : Array.isArray(content) ? content.map(fieldsOf) : []
  // what the CLI says in the model's place; a failure comes again with the result
  if (message["model"] === "<synthetic>" && textOf(line["error"]) !== null) return [state, []]
  const streamed = id === null ? undefined : state.streams[id]
  const events: Array<AgentEvent> = []
  let now = state
  if (agent === null && (streamed?.text ?? "") === "" && id !== null && parts.some((part) => part["type"] === "text")) now = { ...now, message: "" }
  for (const part of parts) {
    // pieces of it were told as they came
    if (part["type"] === "text" && (streamed?.text ?? "") !== "" || part["type"] === "thinking" && streamed?.thought === true) continue
    const [next, told] = block(now, part, agent, id)
    now = next
    events.push(...told)
  }
  return [now, events]
}

/** Pieces of messages, with `--include-partial-messages`. */
const streamed = (state: State, line: Fields): Step<State> => {
  const event = fieldsOf(line["event"])
  const agent = speaker(state, line)
  const id = textOf(line["api_message_id"]) ?? textOf(fieldsOf(event["message"])["id"])
  const before = id === null ? undefined : state.streams[id]
  const delta = fieldsOf(event["delta"])
  switch (event["type"]) {
    case "message_start":
      return [id === null ? state : { ...state, streams: { ...state.streams, [id]: { text: "", thought: false } } }, []]
    case "message_stop": {
      if (id === null) return [state, []]
      const { [id]: _, ...streams } = state.streams
      return [{ ...state, streams }, []]
    }
    case "content_block_start":
      // a second block of text in one message is a paragraph of its own
      return fieldsOf(event["content_block"])["type"] === "text" && (before?.text ?? "") !== "" ? piece(state, id, agent, "\n\n") : [state, []]
    case "content_block_delta": {
      const { text, thinking } = delta
      if (delta["type"] === "text_delta" && typeof text === "string" && text !== "") return piece(state, id, agent, text)
      if (delta["type"] !== "thinking_delta" || typeof thinking !== "string" || thinking === "") return [state, []]
      return [
        id === null ? state : { ...state, streams: { ...state.streams, [id]: { text: before?.text ?? "", thought: true } } },
        [{ _tag: "Thought", text: thinking, delta: true, agent }]
      ]
    }
    default:
      return [state, []]
  }
}

const piece = (state: State, id: string | null, agent: string | null, text: string): Step<State> => {
  const before = id === null ? undefined : state.streams[id]
  const after = more(before?.text ?? (id === null ? state.message : ""), text)
  return [
    {
      ...state,
      streams: id === null ? state.streams : { ...state.streams, [id]: { text: after, thought: before?.thought ?? false } },
      message: agent === null ? after : state.message
    },
    [{ _tag: "Text", text, delta: true, message: id, agent }]
  ]
}

const user = (state: State, line: Fields): Step<State> => {
  const content = fieldsOf(line["message"])["content"]
  const agent = speaker(state, line)
  return [state, !Array.isArray(content) ? [] : content.map(fieldsOf).flatMap((part): ReadonlyArray<AgentEvent> =>
    part["type"] === "tool_result"
      ? [{ _tag: "ToolEnded", id: textOf(part["tool_use_id"]), tool: null, ok: part["is_error"] !== true, output: outputOf(part["content"]), agent }]
      : []
  )]
}

/** Claude Code. A run may bring several results: work in the background goes on after the first. */
export const claude: AgentCli<State> = {
  id: "claude",
  displayName: "Claude Code",
  binary: "claude",
  installHint: "install it with: npm install -g @anthropic-ai/claude-code",
  bound: false,
  command: build,
  start: (call) => ({ ...nothingHeard, resumed: call.sessionId !== null, streams: {}, agents: {}, refused: [], started: false }),
  read: (state, value) => {
    const line = fieldsOf(value)
    if (typeof line["type"] !== "string") return [state, notice(value)]
    const heard = state.sessionId === null ? { ...state, sessionId: textOf(line["session_id"]) } : state
    switch (line["type"]) {
      case "system":
        return system(heard, line)
      case "assistant":
        return assistant(heard, line)
      case "user":
        return user(heard, line)
      case "stream_event":
        return streamed(heard, line)
      case "result":
        return result({ ...heard, sessionId: textOf(line["session_id"]) ?? heard.sessionId }, line)
      default:
        return [heard, []]
    }
  },
  end: (state, { code, stderr }) => tell(state, {
    problem: code !== null && code !== 0 && stderr.trim() !== "" && state.answers.length === 0 && !state.complete ? problemFrom({ message: stderr.trim() }) : null
  })
}
