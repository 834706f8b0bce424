import { Result } from "effect"
import { countOf, fieldsOf, type Fields, numberOf, textOf } from "../../words/reading/Fields.ts"
import type { Tokens } from "../../cli/usage/Usage.ts"
import type { AgentCli } from "../../cli/agents/AgentCli.ts"
import { providerProblemOf } from "../../cli/agents/ProviderProblem.ts"
import { commandOf, type CommandResult, readCliOptions, withSystem } from "../../cli/agents/cliOptions.ts"
import {
  appendText,
  type DecoderState,
  failed,
  failureTextIn,
  initialDecoderState,
  notice,
  outcomeOf,
  type Step,
  withoutCall
} from "../../cli/agents/decoderState.ts"
import { addTokens, noTokens, tokensSince } from "../../cli/agents/tokens.ts"
import { outputOf, previewOf } from "../../cli/agents/toolPreview.ts"

interface State extends DecoderState {
  /** Streamed messages, which no later event repeats whole. */
  readonly streamed: ReadonlyArray<string>
  readonly thought: boolean
  /** The running tools, by call. */
  readonly tools: Readonly<Record<string, string>>
  /** The request that failed last; the line about its retry comes later. */
  readonly lastFailure: { readonly message: string; readonly status: number | null; readonly attempt: number } | null
  readonly started: boolean
  /** Model turns of the main conversation that have begun. */
  readonly begun: number
  /** The tokens of the whole session before this run: 0 for a new session, null where they are not known. */
  readonly before: Tokens | null
}

const identity = { displayName: "GitHub Copilot" }

const build: AgentCli<State>["command"] = (call): CommandResult =>
  Result.flatMap(readCliOptions(call, { ...identity, without: ["sandbox"] }), (options) =>
    call.fork && call.sessionId !== null
      ? Result.fail({ option: "fork", why: "GitHub Copilot cannot go on in a copy of a session" })
      : Result.succeed(
          commandOf({
            args: [
              // The stream names the session only at its end, which an interrupted run never reaches.
              call.sessionId === null ? `--session-id=${call.freshId}` : `--resume=${call.sessionId}`,
              "--output-format=json",
              "--silent",
              ...(options.model === null ? [] : [`--model=${options.model}`]),
              ...(options.effort === null ? [] : [`--effort=${options.effort}`]),
              ...options.allowed.map((tool) => `--allow-tool=${tool}`),
              ...options.denied.map((tool) => `--deny-tool=${tool}`),
              ...call.pictures.map(({ path }) => `--attachment=${path}`),
              ...(options.skip ? ["--allow-all"] : [])
            ],
            stdin: withSystem(options.systemPrompt, call.prompt),
            ignored: options.ignored,
            reportFlag: "--usage-output-file"
          })
        )
  )

const agentOf = (line: Fields, data: Fields): string | null =>
  textOf(data["agentName"]) ?? textOf(line["agentId"]) ?? textOf(data["parentToolCallId"])

const message = (state: State, line: Fields, data: Fields): Step<State> => {
  const text = data["content"]
  const agent = agentOf(line, data)
  const id = textOf(data["messageId"])
  const model = textOf(data["model"]) ?? state.model
  const reasoning = data["reasoningText"]
  const thought =
    !state.thought && typeof reasoning === "string" && reasoning !== ""
      ? [{ _tag: "Thought", text: reasoning, delta: false, agent } as const]
      : []
  const next: State = { ...state, model, thought: false }
  if (typeof text !== "string" || text === "") return [next, thought]
  return [
    agent === null ? { ...next, message: appendText("", text) } : next,
    id !== null && state.streamed.includes(id)
      ? thought
      : [...thought, { _tag: "Text", text, delta: false, message: id, agent }]
  ]
}

const messageDelta = (state: State, line: Fields, data: Fields): Step<State> => {
  const text = data["deltaContent"]
  const id = textOf(data["messageId"])
  const agent = agentOf(line, data)
  if (typeof text !== "string" || text === "") return [state, []]
  const continues = id !== null && state.streamed.at(-1) === id
  return [
    {
      ...state,
      streamed: continues || id === null ? state.streamed : [...state.streamed.slice(-99), id],
      message: agent === null ? appendText(continues ? state.message : "", text) : state.message
    },
    [{ _tag: "Text", text, delta: true, message: id, agent }]
  ]
}

const toolEnded = (state: State, line: Fields, data: Fields): Step<State> => {
  const id = textOf(data["toolCallId"])
  const problem = fieldsOf(data["error"])
  const tool = id === null ? null : (state.tools[id] ?? null)
  const output = outputOf(data["result"] ?? problem["message"])
  return [
    { ...state, tools: withoutCall(state.tools, id) },
    [
      ...(problem["code"] === "denied" || problem["code"] === "rejected"
        ? [{ _tag: "Refused", tool: tool ?? "unknown", why: output } as const]
        : []),
      { _tag: "ToolEnded", id, tool, ok: data["success"] === true, output, agent: agentOf(line, data) }
    ]
  ]
}

const result = (state: State, line: Fields): Step<State> => {
  const sessionId = textOf(line["sessionId"]) ?? state.sessionId
  const code = numberOf(line["exitCode"])
  const next: State = { ...state, sessionId, complete: true }
  if (code !== null && code !== 0) {
    return next.problem === null
      ? failed(next, {
          message: state.lastFailure?.message ?? `it ended with exit code ${code}`,
          status: state.lastFailure?.status ?? null
        })
      : [next, []]
  }
  return [
    { ...next, problem: null, stopReason: "end_turn", answers: [...next.answers, next.message], message: "" },
    [{ _tag: "Answered", text: next.message }]
  ]
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
    case "assistant.turn_start":
      return [agentOf(line, data) === null ? { ...state, begun: state.begun + 1 } : state, []]
    case "assistant.message_delta":
      return messageDelta(state, line, data)
    case "assistant.message":
      return message(state, line, data)
    case "assistant.reasoning_delta": {
      const text = data["deltaContent"]
      return typeof text === "string" && text !== ""
        ? [{ ...state, thought: true }, [{ _tag: "Thought", text, delta: true, agent: agentOf(line, data) }]]
        : [state, []]
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
      return [
        {
          ...state,
          lastFailure: {
            message: textOf(data["errorMessage"]) ?? "the request failed",
            status: numberOf(data["statusCode"]),
            attempt: countOf(data["retryAttempt"]) + 1
          }
        },
        []
      ]
    case "assistant.turn_retry": {
      const problem = providerProblemOf(
        state.lastFailure ?? { message: textOf(data["reason"]) ?? "the request failed" }
      )
      return [
        state,
        [{ _tag: "Retrying", attempt: state.lastFailure?.attempt ?? 1, of: null, inMs: problem.retryAfter, problem }]
      ]
    }
    case "session.error":
      return failed(state, {
        message: textOf(data["message"]) ?? state.lastFailure?.message ?? "the session failed",
        status: numberOf(data["statusCode"]),
        code: textOf(data["errorType"])
      })
    case "abort":
      return [{ ...state, stopReason: textOf(data["reason"]) ?? "aborted" }, []]
    case "result":
      return result(state, line)
    default:
      return [state, []]
  }
}

/** The tokens of the whole session in the usage file, which lists them by model. */
const tokensIn = (report: unknown): Tokens | null => {
  const models = Object.values(fieldsOf(fieldsOf(report)["modelMetrics"])).map((model) =>
    fieldsOf(fieldsOf(model)["usage"])
  )
  return models.length === 0
    ? null
    : models
        .map((usage): Tokens => {
          const prompt = countOf(usage["inputTokens"])
          const cacheRead = Math.min(prompt, countOf(usage["cacheReadTokens"]))
          const cacheWrite = Math.min(prompt - cacheRead, countOf(usage["cacheWriteTokens"]))
          return {
            input: prompt - cacheRead - cacheWrite,
            cacheRead,
            cacheWrite,
            output: countOf(usage["outputTokens"])
          }
        })
        .reduce(addTokens, noTokens)
}

/** GitHub Copilot CLI. It counts the tokens of the whole session. */
export const copilotHeadless: AgentCli<State> = {
  id: "copilot",
  ...identity,
  aliases: ["github_copilot"],
  binary: "copilot",
  installHint: "install it with: npm install -g @github/copilot",
  bound: true,
  takesPictures: true,
  command: build,
  start: (call) => ({
    ...initialDecoderState,
    sessionId: call.sessionId ?? call.freshId,
    streamed: [],
    thought: false,
    tools: {},
    lastFailure: null,
    started: false,
    begun: 0,
    before: call.sessionId === null ? noTokens : call.counted
  }),
  begunTurns: (state) => state.begun,
  ranTool: (event) => (event._tag === "ToolStarted" && event.agent === null ? { tool: event.tool, id: null } : null),
  read: (state, value) => {
    const line = fieldsOf(value)
    return typeof line["type"] === "string" ? read(state, line, fieldsOf(line["data"])) : [state, notice(value)]
  },
  isOver: ({ complete }) => complete,
  end: (state, { code, report, stderr }) => {
    const counted = tokensIn(report)
    const counting = {
      ...state,
      tokens: counted === null || state.before === null ? null : tokensSince(counted, state.before)
    }
    const message = state.complete || code === null || code === 0 ? null : failureTextIn(stderr, /^error\b/i)
    // It failed before it created the session with the id that leap chose.
    const neverBegan = !state.started && message !== null
    return {
      ...outcomeOf(counting, { problem: message === null ? null : providerProblemOf({ message }) }),
      counted,
      ...(neverBegan ? { sessionId: null } : {})
    }
  }
}
