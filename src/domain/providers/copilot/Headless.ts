import { Result } from "effect"
import { countOf, fieldsOf, type Fields, numberOf, textOf } from "../../words/reading/Fields.ts"
import type { Tokens } from "../../cli/usage/Usage.ts"
import type { AgentCli } from "../../cli/headless/AgentCli.ts"
import type { EventOf, ModelUse } from "../../cli/headless/AgentEvent.ts"
import { providerProblemOf } from "../../cli/headless/ProviderProblem.ts"
import {
  commandOf,
  type CommandResult,
  readCliOptions,
  serversFile,
  withSystem
} from "../../cli/headless/cliOptions.ts"
import { serversAs } from "../../cli/headless/McpServers.ts"
import { namesIn } from "../../words/text/namesIn.ts"
import * as Decode from "../../cli/headless/decoderState.ts"
import { addTokens, noTokens, tokensSince } from "../../cli/headless/tokens.ts"
import { sizeOf } from "../../cli/usage/UsageReader.ts"
import { copilotTokens, copilotUsage } from "./Usage.ts"
import { copilotHome, copilotIdentity } from "./Identity.ts"

interface State extends Decode.DecoderState, Decode.RunningTools {
  /** The ids of streamed messages: their text is not emitted again when the whole message follows. */
  readonly streamed: ReadonlyArray<string>
  readonly thought: boolean
  /** The request that failed last; the line about its retry comes later. */
  readonly lastFailure: { readonly message: string; readonly status: number | null; readonly attempt: number } | null
  readonly started: boolean
  readonly about: Partial<EventOf<"Started">>
  /** Model turns of the main conversation that have begun. */
  readonly begun: number
  /** The session's tokens before this run: 0 for a new session; null: unknown. */
  readonly before: Tokens | null
}

const build: AgentCli<State>["command"] = (call): CommandResult =>
  Result.map(readCliOptions(call, { ...copilotIdentity, without: ["sandbox"], forks: false }), (options) =>
    commandOf({
      args: [
        // The stream names the session only at its end, and an interrupted run never gets there.
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
      files: serversFile(
        call.options,
        (servers) => ({
          mcpServers: serversAs(
            servers,
            (server) => ({ type: "local", args: [], tools: ["*"], ...server }),
            (server) => ({ type: "http", tools: ["*"], ...server })
          )
        }),
        { words: (path) => [`--additional-mcp-config=@${path}`] }
      ),
      ignored: options.ignored,
      reportFlag: "--usage-output-file"
    })
  )

const agentOf = (line: Fields, data: Fields): string | null =>
  textOf(data["agentName"]) ?? textOf(line["agentId"]) ?? textOf(data["parentToolCallId"])

const message = (state: State, line: Fields, data: Fields): Decode.Step<State> => {
  const text = data["content"]
  const agent = agentOf(line, data)
  const id = textOf(data["messageId"])
  const model = textOf(data["model"]) ?? state.model
  const reasoning = state.thought ? [] : Decode.thought(data["reasoningText"], false, agent)
  const next: State = { ...state, model, thought: false }
  if (typeof text !== "string" || text === "") return [next, reasoning]
  return [
    agent === null ? { ...next, message: Decode.appendText("", text) } : next,
    id !== null && state.streamed.includes(id)
      ? reasoning
      : [...reasoning, { _tag: "Text", text, delta: false, message: id, agent }]
  ]
}

const messageDelta = (state: State, line: Fields, data: Fields): Decode.Step<State> => {
  const text = data["deltaContent"]
  const id = textOf(data["messageId"])
  const agent = agentOf(line, data)
  if (typeof text !== "string" || text === "") return [state, []]
  const continues = id !== null && state.streamed.at(-1) === id
  return [
    {
      ...state,
      streamed: continues || id === null ? state.streamed : [...state.streamed.slice(-99), id],
      message: agent === null ? Decode.appendText(continues ? state.message : "", text) : state.message
    },
    [{ _tag: "Text", text, delta: true, message: id, agent }]
  ]
}

const result = (state: State, line: Fields): Decode.Step<State> => {
  const sessionId = textOf(line["sessionId"]) ?? state.sessionId
  const code = numberOf(line["exitCode"])
  const next: State = { ...state, sessionId, complete: true }
  if (code !== null && code !== 0) {
    return next.problem === null
      ? Decode.failed(next, {
          message: state.lastFailure?.message ?? `it ended with exit code ${code}`,
          status: state.lastFailure?.status ?? null
        })
      : [next, []]
  }
  return Decode.answered({ ...next, problem: null, stopReason: "end_turn" })
}

/** The run has begun once its model is known. */
const begins = (state: State, data: Fields): Decode.Step<State> => {
  const model = textOf(data["model"]) ?? state.model
  return state.started || model === null
    ? [{ ...state, model }, []]
    : [{ ...state, model, started: true }, [Decode.started({ ...state.about, sessionId: state.sessionId, model })]]
}

const read = Decode.lineReader<State>(
  {
    "session.skills_loaded": (state, _, data) => {
      const skills = Decode.textsIn(data["skills"], (skill) => fieldsOf(skill)["name"])
      return [{ ...state, about: { ...state.about, skills } }, []]
    },
    "session.mcp_servers_loaded": (state, _, data) => [
      { ...state, about: { ...state.about, mcpServers: Decode.mcpServersIn(data["servers"]) } },
      []
    ],
    "model.call_start": (state, line, data) => {
      const [next, events] = begins(state, data)
      return [next, [...events, { _tag: "RequestStarted", model: next.model, agent: agentOf(line, data) }]]
    },
    "model.call_finished": (state, line, data) => {
      const agent = agentOf(line, data)
      return [state, [{ _tag: "RequestEnded", tokens: null, reasoning: null, stopReason: null, agent }]]
    },
    "session.tools_updated": (state, _, data) => begins(state, data),
    "assistant.turn_start": (state, line, data) => [
      agentOf(line, data) === null ? { ...state, begun: state.begun + 1 } : state,
      []
    ],
    "assistant.message_delta": messageDelta,
    "assistant.message": message,
    "assistant.reasoning_delta": (state, line, data) => {
      const events = Decode.thought(data["deltaContent"], true, agentOf(line, data))
      return [events.length === 0 ? state : { ...state, thought: true }, events]
    },
    "tool.execution_start": (state, line, data) =>
      Decode.toolStarted(state, {
        id: textOf(data["toolCallId"]),
        tool: textOf(data["toolName"]) ?? "unknown",
        input: data["arguments"],
        agent: agentOf(line, data)
      }),
    "tool.execution_complete": (state, line, data) => {
      const { code, message } = fieldsOf(data["error"])
      const detailed = textOf(fieldsOf(data["result"])["detailedContent"])
      return Decode.toolEnded(state, {
        id: textOf(data["toolCallId"]),
        ok: data["success"] === true,
        result: data["result"] ?? message,
        diff: detailed?.trimStart().startsWith("diff --git ") === true ? detailed.trimStart() : null,
        isRefused: code === "denied" || code === "rejected",
        agent: agentOf(line, data)
      })
    },
    "model.call_failure": (state, _, data) => {
      const message = textOf(data["errorMessage"]) ?? "the request failed"
      const attempt = countOf(data["retryAttempt"]) + 1
      return [{ ...state, lastFailure: { message, status: numberOf(data["statusCode"]), attempt } }, []]
    },
    "assistant.turn_retry": (state, _, data) => {
      const failure = state.lastFailure ?? { message: textOf(data["reason"]) ?? "the request failed" }
      const problem = providerProblemOf(failure)
      const attempt = state.lastFailure?.attempt ?? 1
      return [state, [{ _tag: "Retrying", attempt, of: null, inMs: problem.retryAfter, problem }]]
    },
    "session.error": (state, _, data) =>
      Decode.failed(state, {
        message: textOf(data["message"]) ?? state.lastFailure?.message ?? "the session failed",
        status: numberOf(data["statusCode"]),
        code: textOf(data["errorType"])
      }),
    abort: (state, _, data) => [{ ...state, stopReason: textOf(data["reason"]) ?? "aborted" }, []],
    result
  },
  "data"
)

/** The usage of each model in the whole session, as the usage file lists it, with its reasoning tokens. */
const modelsIn = (report: unknown): ReadonlyArray<ModelUse & { readonly reasoning: number | null }> =>
  Object.entries(fieldsOf(fieldsOf(report)["modelMetrics"])).map(([model, metrics]) => {
    const usage = fieldsOf(fieldsOf(metrics)["usage"])
    return { model, tokens: copilotTokens(usage), usd: null, reasoning: numberOf(usage["reasoningTokens"]) }
  })

/** GitHub Copilot CLI. It counts the tokens of the whole session. */
export const copilotHeadless: AgentCli<State> = {
  ...copilotIdentity,
  heldByHooks: { inert: namesIn("report_intent read_bash list_bash stop_bash read_agent list_agents") },
  requests: {
    file: (env, sessionId) => ({ directory: `${copilotHome(env)}/session-state/${sessionId}`, ending: "events.jsonl" }),
    usage: copilotUsage.record
  },
  aliases: ["github_copilot"],
  bound: true,
  takesPictures: true,
  command: build,
  start: (call) => ({
    ...Decode.initialDecoderState,
    sessionId: call.sessionId ?? call.freshId,
    streamed: [],
    thought: false,
    tools: {},
    lastFailure: null,
    started: false,
    about: {},
    begun: 0,
    before: call.sessionId === null ? noTokens : call.counted
  }),
  // Copilot reports a turn before it asks the model
  askedTurns: ({ begun }) => begun,
  ranTool: (event) => (event._tag === "ToolStarted" && event.agent === null ? { tool: event.tool, id: null } : null),
  read,
  isOver: ({ complete }) => complete,
  end: (state, exit) => {
    const uses = modelsIn(exit.report)
    const counted = uses.length === 0 ? null : uses.reduce((sum, { tokens }) => addTokens(sum, tokens), noTokens)
    // Copilot counts the whole session; the usage of each model belongs to the run only in a new session
    const isNew = state.before !== null && sizeOf(state.before) === 0 && counted !== null
    const counting = {
      ...state,
      tokens: counted === null || state.before === null ? null : tokensSince(counted, state.before),
      models: isNew ? uses.map(({ model, tokens, usd }) => ({ model, tokens, usd })) : null,
      reasoning: isNew ? uses.reduce<number | null>((sum, use) => Decode.addReasoning(sum, use.reasoning), null) : null
    }
    const message = state.complete ? null : Decode.failureTextIn(exit, /^error\b/i)
    // It failed before it created the session with the id that leap chose.
    const neverBegan = !state.started && message !== null
    return { ...Decode.outcomeOf(counting, { message }), counted, ...(neverBegan ? { sessionId: null } : {}) }
  }
}
