import { Result } from "effect"
import { countOf, fieldsOf, type Fields, numberOf, textOf } from "../../usage/Fields.ts"
import type { Tokens } from "../../usage/Usage.ts"
import type { AgentCli } from "../AgentCli.ts"
import { problemFrom } from "../Problem.ts"
import { addTokens, asked, type Built, command, complaintIn, failed, given, type Heard, more, noTokens, notice, nothingHeard, since, type Step, tell, without, withSystem } from "./heard.ts"
import { outputOf, previewOf } from "./preview.ts"

interface State extends Heard {
  /** Messages that came in pieces, which are not told again whole. */
  readonly streamed: ReadonlyArray<string>
  readonly thought: boolean
  /** Tools that run, by call. */
  readonly tools: Readonly<Record<string, string>>
  /** The request that failed last, for the retry that is told of next. */
  readonly trouble: { readonly message: string; readonly status: number | null; readonly attempt: number } | null
  readonly started: boolean
  /** The whole session's tokens before this run: 0 for a fresh one, null where that is not known. */
  readonly before: Tokens | null
}

const build: AgentCli<State>["command"] = (call): Built =>
  Result.flatMap(asked(call), (it) =>
    call.fork && call.sessionId !== null
      ? Result.fail({ option: "fork", why: "GitHub Copilot cannot go on in a copy of a session" })
      : Result.succeed(command({
        args: [
          // its stream names the session only at the very end, which a run that is interrupted never comes to
          call.sessionId === null ? `--session-id=${call.freshId}` : `--resume=${call.sessionId}`,
          "--output-format=json", "--silent",
          ...it.model === null ? [] : [`--model=${it.model}`],
          ...it.effort === null ? [] : [`--effort=${it.effort}`],
          ...it.allowed.map((tool) => `--allow-tool=${tool}`),
          ...it.denied.map((tool) => `--deny-tool=${tool}`),
          ...it.skip ? ["--allow-all"] : []
        ],
        stdin: withSystem(it.systemPrompt, call.prompt),
        ignored: [...it.ignored, ...given({ maxTurns: it.maxTurns !== null })],
        reportFlag: "--usage-output-file"
      })))

const agentOf = (line: Fields, data: Fields): string | null =>
  textOf(data["agentName"]) ?? textOf(line["agentId"]) ?? textOf(data["parentToolCallId"])

const message = (state: State, line: Fields, data: Fields): Step<State> => {
  const text = data["content"]
  const agent = agentOf(line, data)
  const id = textOf(data["messageId"])
  const model = textOf(data["model"]) ?? state.model
  const reasoning = data["reasoningText"]
  const thought = !state.thought && typeof reasoning === "string" && reasoning !== "" ? [{ _tag: "Thought", text: reasoning, delta: false, agent } as const] : []
  const now: State = { ...state, model, thought: false }
  if (typeof text !== "string" || text === "") return [now, thought]
  return [
    agent === null ? { ...now, message: more("", text) } : now,
    id !== null && state.streamed.includes(id) ? thought : [...thought, { _tag: "Text", text, delta: false, message: id, agent }]
  ]
}

const piece = (state: State, line: Fields, data: Fields): Step<State> => {
  const text = data["deltaContent"]
  const id = textOf(data["messageId"])
  const agent = agentOf(line, data)
  if (typeof text !== "string" || text === "") return [state, []]
  const known = id !== null && state.streamed.at(-1) === id
  return [
    {
      ...state,
      streamed: known || id === null ? state.streamed : [...state.streamed.slice(-99), id],
      message: agent === null ? more(known ? state.message : "", text) : state.message
    },
    [{ _tag: "Text", text, delta: true, message: id, agent }]
  ]
}

const toolEnded = (state: State, line: Fields, data: Fields): Step<State> => {
  const id = textOf(data["toolCallId"])
  const problem = fieldsOf(data["error"])
  const tool = id === null ? null : state.tools[id] ?? null
  const output = outputOf(data["result"] ?? problem["message"])
  return [{ ...state, tools: without(state.tools, id) }, [
    ...problem["code"] === "denied" || problem["code"] === "rejected" ? [{ _tag: "Refused", tool: tool ?? "unknown", why: output } as const] : [],
    { _tag: "ToolEnded", id, tool, ok: data["success"] === true, output, agent: agentOf(line, data) }
  ]]
}

const result = (state: State, line: Fields): Step<State> => {
  const sessionId = textOf(line["sessionId"]) ?? state.sessionId
  const code = numberOf(line["exitCode"])
  const heard: State = { ...state, sessionId, complete: true }
  if (code !== null && code !== 0) {
    return heard.problem === null ? failed(heard, { message: state.trouble?.message ?? `it ended with exit code ${code}`, status: state.trouble?.status ?? null }) : [heard, []]
  }
  return [{ ...heard, problem: null, stopReason: "end_turn", answers: [...heard.answers, heard.message], message: "" }, [{ _tag: "Answered", text: heard.message }]]
}

const read = (state: State, line: Fields, data: Fields): Step<State> => {
  switch (line["type"]) {
    case "session.tools_updated":
    case "model.call_start": {
      const model = textOf(data["model"]) ?? state.model
      return state.started || model === null
        ? [{ ...state, model }, []]
        : [{ ...state, model, started: true }, [{ _tag: "Started", sessionId: state.sessionId, model }]]
    }
    case "assistant.message_delta":
      return piece(state, line, data)
    case "assistant.message":
      return message(state, line, data)
    case "assistant.reasoning_delta": {
      const text = data["deltaContent"]
      return typeof text === "string" && text !== "" ? [{ ...state, thought: true }, [{ _tag: "Thought", text, delta: true, agent: agentOf(line, data) }]] : [state, []]
    }
    case "tool.execution_start": {
      const id = textOf(data["toolCallId"])
      const tool = textOf(data["toolName"]) ?? "unknown"
      const input = data["arguments"]
      return [
        { ...state, tools: id === null ? state.tools : { ...state.tools, [id]: tool } },
        [{ _tag: "ToolStarted", id, tool, preview: previewOf(input), input, agent: agentOf(line, data) }]
      ]
    }
    case "tool.execution_complete":
      return toolEnded(state, line, data)
    case "model.call_failure":
      return [{ ...state, trouble: { message: textOf(data["errorMessage"]) ?? "the request failed", status: numberOf(data["statusCode"]), attempt: countOf(data["retryAttempt"]) + 1 } }, []]
    case "assistant.turn_retry": {
      const problem = problemFrom(state.trouble ?? { message: textOf(data["reason"]) ?? "the request failed" })
      return [state, [{ _tag: "Retrying", attempt: state.trouble?.attempt ?? 1, of: null, inMs: problem.retryAfter, problem }]]
    }
    case "session.error":
      return failed(state, { message: textOf(data["message"]) ?? state.trouble?.message ?? "the session failed", status: numberOf(data["statusCode"]), code: textOf(data["errorType"]) })
    case "abort":
      return [{ ...state, stopReason: textOf(data["reason"]) ?? "aborted" }, []]
    case "result":
      return result(state, line)
    default:
      return [state, []]
  }
}

/** What the CLI wrote down of the whole session, by model. */
const reported = (report: unknown): Tokens | null => {
  const models = Object.values(fieldsOf(fieldsOf(report)["modelMetrics"])).map((model) => fieldsOf(fieldsOf(model)["usage"]))
  return models.length === 0 ? null : models.map((usage): Tokens => {
    const prompt = countOf(usage["inputTokens"])
    const cacheRead = Math.min(prompt, countOf(usage["cacheReadTokens"]))
    const cacheWrite = Math.min(prompt - cacheRead, countOf(usage["cacheWriteTokens"]))
    return { input: prompt - cacheRead - cacheWrite, cacheRead, cacheWrite, output: countOf(usage["outputTokens"]) }
  }).reduce(addTokens, noTokens)
}

/** GitHub Copilot CLI. Its usage is the whole session's. */
export const copilot: AgentCli<State> = {
  id: "copilot",
  displayName: "GitHub Copilot",
  binary: "copilot",
  installHint: "install it with: npm install -g @github/copilot",
  bound: true,
  command: build,
  start: (call) => ({ ...nothingHeard, sessionId: call.sessionId ?? call.freshId, streamed: [], thought: false, tools: {}, trouble: null, started: false, before: call.sessionId === null ? noTokens : call.counted }),
  read: (state, value) => {
    const line = fieldsOf(value)
    return typeof line["type"] === "string" ? read(state, line, fieldsOf(line["data"])) : [state, notice(value)]
  },
  end: (state, { code, report, stderr }) => {
    const counted = reported(report)
    const heard = { ...state, tokens: counted === null || state.before === null ? null : since(counted, state.before) }
    const message = state.complete || code === null || code === 0 ? null : complaintIn(stderr, /^error\b/i)
    // nothing was begun under the id that it was given
    const unborn = !state.started && message !== null
    return { ...tell(heard, { problem: message === null ? null : problemFrom({ message }) }), counted, ...unborn ? { sessionId: null } : {} }
  }
}
