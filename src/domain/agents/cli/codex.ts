import { Result } from "effect"
import { countOf, fieldsOf, type Fields, numberOf, textOf } from "../../usage/Fields.ts"
import type { Tokens } from "../../usage/Usage.ts"
import type { AgentCli } from "../AgentCli.ts"
import type { AgentEvent } from "../AgentEvent.ts"
import { problemFrom } from "../Problem.ts"
import { asked, type Built, command, complaintIn, failed, flag, given, type Heard, more, notice, nothingHeard, noTokens, since, type Step, tell, withSystem } from "./heard.ts"
import { outputOf, previewOf } from "./preview.ts"

interface State extends Heard {
  /** The whole thread's tokens before this run: 0 for a fresh one, null where that is not known. */
  readonly before: Tokens | null
  readonly counted: Tokens | null
  /** Tool calls that were told as begun, and have not ended. */
  readonly begun: ReadonlyArray<string>
  /** The last failure that it may yet get over. */
  readonly trouble: string | null
}

const build: AgentCli<State>["command"] = (call): Built =>
  Result.map(asked(call), (it) =>
    command({
      args: [
        "exec", "--json", "--skip-git-repo-check", ...flag("--model", it.model),
        ...it.skip ? ["--dangerously-bypass-approvals-and-sandbox"] : [],
        ...it.effort === null ? [] : ["-c", `model_reasoning_effort=${JSON.stringify(it.effort)}`],
        ...call.sessionId === null ? [] : [call.fork ? "fork" : "resume", call.sessionId],
        "-"
      ],
      stdin: withSystem(it.systemPrompt, call.prompt),
      ignored: [...it.ignored, ...given({ allowedTools: it.allowed.length > 0, deniedTools: it.denied.length > 0, maxTurns: it.maxTurns !== null })]
    }))

/** What was read from and written to a cache is within the input. */
const tokensOf = (usage: Fields): Tokens => {
  const input = countOf(usage["input_tokens"])
  const cacheRead = Math.min(input, countOf(usage["cached_input_tokens"]))
  const cacheWrite = Math.min(input - cacheRead, countOf(usage["cache_write_input_tokens"]))
  return { input: input - cacheRead - cacheWrite, cacheRead, cacheWrite, output: countOf(usage["output_tokens"]) }
}

const turnEnded = (state: State, usage: unknown): Step<State> => {
  const counted = typeof usage === "object" && usage !== null ? tokensOf(fieldsOf(usage)) : null
  const tokens = counted === null || state.before === null ? null : since(counted, state.before)
  const text = state.message
  return [
    { ...state, counted, tokens, complete: true, problem: null, stopReason: "end_turn", answers: [...state.answers, text], message: "" },
    [...tokens === null ? [] : [{ _tag: "Used", tokens } as const], { _tag: "Answered", text }]
  ]
}

/** The arguments of what is no message, by what kind it is. */
const inputOf = (item: Fields): unknown => {
  switch (item["type"]) {
    case "command_execution":
      return { command: item["command"] }
    case "file_change":
      return { changes: item["changes"] }
    case "mcp_tool_call":
    case "function_call":
      return item["arguments"]
    case "web_search":
      return { query: item["query"] }
    default:
      return item
  }
}

const nameOf = (item: Fields): string => {
  const server = textOf(item["server"])
  const tool = textOf(item["tool"]) ?? textOf(item["name"])
  return tool === null ? String(item["type"]) : server === null ? tool : `${server}.${tool}`
}

const tools: ReadonlySet<unknown> = new Set(["command_execution", "file_change", "mcp_tool_call", "web_search", "function_call", "collab_tool_call"])

const begins = (item: Fields): AgentEvent => {
  const input = inputOf(item)
  return { _tag: "ToolStarted", id: textOf(item["id"]), tool: nameOf(item), preview: previewOf(input), input, agent: null }
}

const ends = (item: Fields): AgentEvent => {
  const exit = numberOf(item["exit_code"])
  const output = item["aggregated_output"] ?? item["result"] ?? item["error"]
  return {
    _tag: "ToolEnded", id: textOf(item["id"]), tool: nameOf(item), agent: null, output: outputOf(output),
    ok: item["status"] !== "failed" && item["status"] !== "declined" && (exit === null || exit === 0)
  }
}

const item = (state: State, phase: string, item: Fields): Step<State> => {
  const type = item["item_type"] ?? item["type"]
  const text = item["text"]
  const id = textOf(item["id"])
  if (type === "agent_message" || type === "assistant_message") {
    if (phase !== "item.completed" || typeof text !== "string") return [state, []]
    return [{ ...state, message: more("", text) }, text === "" ? [] : [{ _tag: "Text", text, delta: false, message: id, agent: null }]]
  }
  if (type === "reasoning") {
    return [state, phase === "item.completed" && typeof text === "string" && text !== "" ? [{ _tag: "Thought", text, delta: false, agent: null }] : []]
  }
  if (type === "error") return [state, notice(textOf(item["message"]) ?? item)]
  if (type === "todo_list" || type === "plan") return [state, []]
  if (!tools.has(type)) return [state, []]
  const known = id !== null && state.begun.includes(id)
  const start = known ? [] : [begins(item)]
  return phase === "item.completed"
    ? [known ? { ...state, begun: state.begun.filter((it) => it !== id) } : state, [...start, ends(item)]]
    : [known || id === null ? state : { ...state, begun: [...state.begun, id] }, start]
}

/** `Reconnecting... 1/2 (why)`: it goes on. */
const reconnecting = /^Reconnecting\.{3} (\d{1,4})\/(\d{1,4})\s*(?:\(([\s\S]*)\))?$/

const error = (state: State, message: string): Step<State> => {
  const found = reconnecting.exec(message)
  if (found === null) return [{ ...state, trouble: message }, []]
  const problem = problemFrom({ message: found[3] ?? message })
  return [state, [{ _tag: "Retrying", attempt: Number(found[1]), of: Number(found[2]), inMs: problem.retryAfter, problem }]]
}

/** What standard error says of an end without a word on standard output. */
const outcry = /^(?:Error|error)\b|^Not inside a trusted directory|^Not logged in/

/** OpenAI Codex. Its usage is the whole thread's; `error` is no end, `turn.failed` is. */
export const codex: AgentCli<State> = {
  id: "codex",
  displayName: "OpenAI Codex",
  binary: "codex",
  installHint: "install it with: npm install -g @openai/codex",
  bound: false,
  command: build,
  start: (call) => ({
    ...nothingHeard, counted: call.counted, begun: [], trouble: null,
    before: call.sessionId === null ? noTokens : call.counted
  }),
  read: (state, value) => {
    const line = fieldsOf(value)
    switch (line["type"]) {
      case "thread.started": {
        const sessionId = textOf(line["thread_id"]) ?? state.sessionId
        return [{ ...state, sessionId }, [{ _tag: "Started", sessionId, model: null }]]
      }
      case "item.started":
      case "item.updated":
      case "item.completed":
        return item(state, line["type"], fieldsOf(line["item"]))
      case "turn.completed":
        return turnEnded(state, line["usage"])
      case "turn.failed":
        return failed({ ...state, complete: true }, { message: textOf(fieldsOf(line["error"])["message"]) ?? state.trouble ?? "the turn failed" })
      case "error":
        return error(state, textOf(line["message"]) ?? "an error that it does not name")
      default:
        return [state, typeof line["type"] === "string" ? [] : notice(value)]
    }
  },
  end: (state, { code, stderr }) => {
    const message = state.trouble ?? (code === null || code === 0 ? null : complaintIn(stderr, outcry))
    return { ...tell(state, { problem: state.complete || message === null ? null : problemFrom({ message }) }), counted: state.counted }
  }
}
