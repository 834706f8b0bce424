import { Result } from "effect"
import { countOf, fieldsOf, type Fields, numberOf, textOf } from "../../words/reading/Fields.ts"
import type { EventOf } from "../../cli/headless/AgentEvent.ts"
import type { AgentCli, Picture } from "../../cli/headless/AgentCli.ts"
import type { JsonSchema } from "../../cli/headless/AnswerSchema.ts"
import {
  commandOf,
  type CommandResult,
  flag,
  readCliOptions,
  serversFile,
  withSystem
} from "../../cli/headless/cliOptions.ts"
import { serversAs } from "../../cli/headless/McpServers.ts"
import { namesIn } from "../../words/text/namesIn.ts"
import * as Decode from "../../cli/headless/decoderState.ts"
import { noTokens } from "../../cli/headless/tokens.ts"
import { providerProblemOf } from "../../cli/headless/ProviderProblem.ts"
import { assistant, streamed, user } from "./HeadlessMessages.ts"
import { denials, result } from "./HeadlessResult.ts"
import type { State } from "./HeadlessState.ts"
import { claudeIdentity } from "./Identity.ts"

const answerTool = "StructuredOutput"

/** The limit of a schema on the command line. */
const schemaLength = 60_000

/** Claude Code lets the model answer by a tool whose input must fit the schema; such an input is an object. */
const keepsSchema = (schema: JsonSchema): boolean =>
  schema["type"] === "object" && JSON.stringify(schema).length <= schemaLength

const messageWith = (pictures: ReadonlyArray<Picture>, prompt: string): string => {
  const images = pictures.map(({ base64, mediaType }) => ({
    type: "image",
    source: { type: "base64", media_type: mediaType, data: base64 }
  }))
  const content = [...images, { type: "text", text: prompt }]
  return `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`
}

const build: AgentCli<State>["command"] = (call): CommandResult =>
  Result.map(readCliOptions(call, { ...claudeIdentity, without: ["sandbox"] }), (options) => {
    const { schema } = call.options
    // A session keeps its first system prompt, whatever is given later (2.1.329, tried).
    const prompt = call.sessionId === null ? call.prompt : withSystem(options.systemPrompt, call.prompt)
    return commandOf({
      args: [
        "-p",
        ...flag("--model", options.model),
        "--output-format",
        "stream-json",
        "--verbose",
        "--include-partial-messages",
        ...flag("-r", call.sessionId),
        ...(call.fork && call.sessionId !== null ? ["--fork-session"] : []),
        ...flag("--system-prompt", call.sessionId === null ? options.systemPrompt : null),
        ...flag("--allowedTools", options.allowed.length === 0 ? null : options.allowed.join(",")),
        ...flag("--disallowedTools", options.denied.length === 0 ? null : options.denied.join(",")),
        ...(options.skip ? ["--dangerously-skip-permissions"] : []),
        ...flag("--max-turns", options.maxTurns),
        ...flag("--max-budget-usd", call.options.maxCost ?? null),
        ...(schema === undefined || !keepsSchema(schema) ? [] : ["--json-schema", JSON.stringify(schema)]),
        ...(call.pictures.length === 0 ? [] : ["--input-format", "stream-json"]),
        ...flag("--effort", options.effort)
      ],
      stdin: call.pictures.length === 0 ? prompt : messageWith(call.pictures, prompt),
      // If leap itself runs inside a Claude Code session, that session is not this one's parent.
      env: { CLAUDECODE: null, CLAUDE_CODE_ENTRYPOINT: null, CLAUDE_CODE_SSE_PORT: null },
      files: serversFile(
        call.options,
        (servers) => ({
          mcpServers: serversAs(
            servers,
            (server) => server,
            (server) => ({ type: "http", ...server })
          )
        }),
        { words: (path) => [`--mcp-config=${path}`] }
      ),
      ignored: options.ignored
    })
  })

const aboutItself = (line: Fields): Partial<EventOf<"Started">> => ({
  version: textOf(line["claude_code_version"]),
  mode: textOf(line["permissionMode"]),
  tools: Decode.textsIn(line["tools"]),
  mcpServers: Decode.mcpServersIn(line["mcp_servers"]),
  skills: Decode.textsIn(line["skills"])
})

const systemLines: Decode.LineTable<State> = {
  init: (state, line) => {
    const sessionId = textOf(line["session_id"]) ?? state.sessionId
    const model = textOf(line["model"]) ?? state.model
    return state.started
      ? [{ ...state, sessionId, model, complete: false }, []]
      : [{ ...state, sessionId, model, started: true }, [Decode.started({ sessionId, model, ...aboutItself(line) })]]
  },
  hook_response: (state, line) => {
    const ok = line["outcome"] === "success"
    const output = textOf(line["stdout"]) ?? textOf(line["stderr"]) ?? ""
    return [state, [{ _tag: "HookRan", hook: textOf(line["hook_name"]) ?? "unknown", ok, output }]]
  },
  api_retry: (state, line) => {
    const message = textOf(line["error"]) ?? "the request failed"
    const problem = providerProblemOf({ message, status: numberOf(line["error_status"]) })
    const of = countOf(line["max_retries"]) || null
    const inMs = numberOf(line["retry_delay_ms"])
    return [state, [{ _tag: "Retrying", attempt: countOf(line["attempt"]), of, inMs, problem }]]
  },
  background_tasks_changed: (state, line) => [
    { ...state, background: Array.isArray(line["tasks"]) ? line["tasks"].length : 0 },
    []
  ],
  permission_denied: (state, line) => denials(state, [line]),
  task_started: (state, line) => {
    const id = textOf(line["tool_use_id"])
    const name = textOf(line["subagent_type"])
    return [id === null || name === null ? state : { ...state, agents: { ...state.agents, [id]: name } }, []]
  }
}

const readLine = Decode.lineReader<State>({
  system: (state, line, inner) => Decode.rowOf(systemLines, line["subtype"])?.(state, line, inner) ?? [state, []],
  assistant,
  user,
  stream_event: streamed,
  result: (state, line) => result({ ...state, sessionId: textOf(line["session_id"]) ?? state.sessionId }, line)
})

/** A run may bring several results: background work may continue after the first. */
export const claudeHeadless: AgentCli<State> = {
  ...claudeIdentity,
  bound: false,
  takesPictures: true,
  heldByHooks: { inert: namesIn(`${answerTool} ToolSearch TodoWrite ListAgents ReportFindings`) },
  keepsCost: true,
  answerTool,
  // Claude Code reads the file of an `@` that begins a word, but not after a backslash (2.1.329, tried).
  inert: (text) => text.replaceAll(/(?<!\S)@(?=\S*[\w"])/g, "\\@"),
  keepsSchema,
  command: build,
  start: (call) => ({
    ...Decode.initialDecoderState,
    resumed: call.sessionId !== null,
    streams: {},
    requested: noTokens,
    countedMessages: [],
    tools: {},
    agents: {},
    refused: [],
    started: false,
    spoken: false,
    background: 0
  }),
  // After a result, background work may bring another.
  isOver: ({ background, complete }) => complete && background === 0,
  read: (state, value) => {
    const line = fieldsOf(value)
    const isFirst = state.sessionId === null && typeof line["type"] === "string"
    return readLine(isFirst ? { ...state, sessionId: textOf(line["session_id"]) } : state, value)
  },
  // The tool that carries an answer by schema is no tool to leap's user.
  ranTool: (event) =>
    event._tag === "ToolEnded" && event.ok && event.agent === null && event.tool !== answerTool ? event : null,
  end: (state, { code, stderr }) =>
    Decode.outcomeOf(state, {
      message:
        code !== null && code !== 0 && state.answers.length === 0 && !state.complete ? textOf(stderr.trim()) : null
    })
}
