import { Result } from "effect"
import { fieldsOf, type Fields, numberOf, textOf } from "../../words/reading/Fields.ts"
import type { Tokens } from "../../cli/usage/Usage.ts"
import type { AgentCli } from "../../cli/headless/AgentCli.ts"
import { isStrict } from "../../cli/headless/AnswerSchema.ts"
import type { AgentEvent } from "../../cli/headless/AgentEvent.ts"
import { providerProblemOf } from "../../cli/headless/ProviderProblem.ts"
import { commandOf, type CommandResult, flag, readCliOptions, withSystem } from "../../cli/headless/cliOptions.ts"
import { requestOf } from "../../cli/provider/RequestReading.ts"
import { type McpServers, serversAs } from "../../cli/headless/McpServers.ts"
import * as Decode from "../../cli/headless/decoderState.ts"
import { noTokens, tokensSince } from "../../cli/headless/tokens.ts"
import { sizeOf } from "../../cli/usage/UsageReader.ts"
import { namesIn } from "../../words/text/namesIn.ts"
import { codexTokens, codexUsage } from "./Usage.ts"
import { codexHome, codexIdentity } from "./Identity.ts"

interface State extends Decode.DecoderState {
  /** The thread's tokens before this run: 0 for a new thread; null: unknown. */
  readonly before: Tokens | null
  readonly counted: Tokens | null
  /** Tool calls that have started and not ended. */
  readonly runningTools: ReadonlyArray<string>
  /** Codex has reported something that the model said or did. */
  readonly toldOfModel: boolean
  /** The last reported failure. The turn may still succeed after it. */
  readonly lastFailure: string | null
}

const sandboxes = { "read-only": "read-only", "workspace-write": "workspace-write", off: "danger-full-access" } as const

/** Arguments with which Codex ignores its sandbox option. */
const lifting: ReadonlySet<string> = new Set(namesIn("--yolo --dangerously-bypass-approvals-and-sandbox --full-auto"))

/** Configuration by which no command reaches out, nor the search that the provider runs. */
const cut = ["-c", "sandbox_workspace_write.network_access=false", "-c", 'web_search="disabled"'] as const
/** Further arguments that may give the network back. */
const configuring = /^(?:-[cps]|--(?:config|profile|enable|search|sandbox)(?:=|$))/

/** A text, a list of texts or a table of texts in TOML; JSON's texts and lists are TOML's. */
const tomlOf = (value: string | ReadonlyArray<string> | Readonly<Record<string, string>>): string =>
  typeof value === "string" || Array.isArray(value)
    ? JSON.stringify(value)
    : `{${Object.entries(value)
        .map((entry) => entry.map((text) => JSON.stringify(text)).join("="))
        .join(",")}}`

/** Codex's configuration of MCP servers. Their secrets are in variables, since everybody sees the arguments. */
const serversOf = (servers: McpServers) => {
  const env: Record<string, string> = {}
  const variable = (value: string): string => {
    const name = `LEAP_MCP_${Object.keys(env).length}`
    env[name] = value
    return name
  }
  const written = serversAs(
    servers,
    ({ args = [], command, env: own = {} }) => {
      // Codex passes its own variables on, by their names: a server's may be another's, or Codex's
      const names = Object.entries(own).map(([name, value]) => [name, variable(value)] as const)
      const script = [...names.map(([name, kept]) => `export ${name}="$${kept}"`), 'exec "$@"'].join("; ")
      return names.length === 0
        ? { command, args }
        : { command: "/bin/sh", args: ["-c", script, "sh", command, ...args], env_vars: names.map(([, kept]) => kept) }
    },
    ({ headers = {}, url }) => ({
      url,
      env_http_headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, variable(value)]))
    })
  )
  const args = Object.entries(written).flatMap(([name, server]) =>
    Object.entries(server).flatMap(([key, value]) => ["-c", `mcp_servers.${name}.${key}=${tomlOf(value)}`])
  )
  return { args, env }
}

const build: AgentCli<State>["command"] = (call): CommandResult =>
  Result.flatMap(readCliOptions(call, { ...codexIdentity, without: ["allowedTools", "deniedTools"] }), (options) => {
    const { args: further = [], network, sandbox, schema } = call.options
    const undoing = network === undefined ? undefined : further.find((word) => configuring.test(word))
    if (undoing !== undefined)
      return Result.fail({ option: "network", why: `behind --, '${undoing}' may give Codex the network back` })
    const servers = serversOf(call.options.mcpServers ?? {})
    const isLifted = options.skip || further.some((word) => lifting.has(word))
    if (isLifted && sandbox !== undefined && sandbox !== "off")
      return Result.fail({ option: "sandbox", why: "Codex skips permissions only without a sandbox" })
    if (call.options.mcpServers !== undefined && sandbox !== undefined && sandbox !== "off")
      return Result.fail({ option: "sandbox", why: "MCP servers run outside of Codex's sandbox: leave it or them out" })
    const args = [
      "exec",
      "--json",
      "--skip-git-repo-check",
      ...flag("--model", options.model),
      ...(options.skip ? ["--dangerously-bypass-approvals-and-sandbox"] : []),
      ...(sandbox === undefined || options.skip ? [] : ["--sandbox", sandboxes[sandbox]]),
      ...(network === undefined ? [] : cut),
      ...(options.effort === null ? [] : ["-c", `model_reasoning_effort=${JSON.stringify(options.effort)}`]),
      ...servers.args
    ]
    return Result.succeed(
      commandOf({
        args: [
          ...args,
          ...(call.sessionId === null ? [] : [call.fork ? "fork" : "resume", call.sessionId]),
          ...call.pictures.map(({ path }) => `--image=${path}`),
          "-"
        ],
        // its subcommands do not know all the flags of a first turn
        furtherAt: call.sessionId === null ? null : args.length,
        files:
          schema !== undefined && isStrict(schema)
            ? [{ option: "schema", content: schema, words: (path) => ["--output-schema", path] }]
            : [],
        env: servers.env,
        stdin: withSystem(options.systemPrompt, call.prompt),
        ignored: options.ignored
      })
    )
  })

/** Why a turn without a request failed. Codex does not print that a hook of the user's refused the prompt, nor why. */
const nothingAsked =
  "it asked the model nothing: a hook of yours that refuses the prompt does that, and its reason is not printed"

const turnEnded = (state: State, { usage }: Fields): Decode.Step<State> => {
  const counted = typeof usage === "object" && usage !== null ? codexTokens(fieldsOf(usage)) : null
  const tokens = counted === null || state.before === null ? null : tokensSince(counted, state.before)
  // Codex counts the whole thread: only in a new one all reasoning tokens are this run's
  const isNew = state.before !== null && sizeOf(state.before) === 0
  const reasoning = isNew ? numberOf(fieldsOf(usage)["reasoning_output_tokens"]) : null
  const next = { ...state, counted, tokens, reasoning, complete: true, problem: null, stopReason: "end_turn" }
  if (!state.toldOfModel && tokens !== null && sizeOf(tokens) === 0)
    return Decode.failed(next, { message: nothingAsked })
  return Decode.answered(next, Decode.used(tokens, reasoning))
}

/** The arguments of a tool, by its kind. */
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

const tools: ReadonlySet<unknown> = new Set(
  namesIn("command_execution file_change mcp_tool_call web_search function_call collab_tool_call")
)

const toolStarted = (item: Fields): AgentEvent =>
  Decode.toolStart({ id: textOf(item["id"]), tool: nameOf(item), input: inputOf(item), agent: null })

const toolEnded = (item: Fields): AgentEvent => {
  const exit = numberOf(item["exit_code"])
  const ok = item["status"] !== "failed" && item["status"] !== "declined" && (exit === null || exit === 0)
  return Decode.toolEnd(
    { id: textOf(item["id"]), tool: nameOf(item), ok, agent: null },
    item["aggregated_output"] ?? item["result"] ?? item["error"]
  )
}

const item = (before: State, line: Fields): Decode.Step<State> => {
  const item = fieldsOf(line["item"])
  const isCompleted = line["type"] === "item.completed"
  const type = item["item_type"] ?? item["type"]
  const text = item["text"]
  const state = type === "error" ? before : { ...before, toldOfModel: true }
  const id = textOf(item["id"])
  if (type === "agent_message" || type === "assistant_message") {
    if (!isCompleted || typeof text !== "string") return [state, []]
    return [
      { ...state, message: Decode.appendText("", text) },
      text === "" ? [] : [{ _tag: "Text", text, delta: false, message: id, agent: null }]
    ]
  }
  if (type === "reasoning") return [state, isCompleted ? Decode.thought(text, false, null) : []]
  if (type === "error") return [state, Decode.notice(textOf(item["message"]) ?? item)]
  if (type === "todo_list" || type === "plan") return [state, []]
  if (!tools.has(type)) return [state, []]
  const running = id !== null && state.runningTools.includes(id)
  const start = running ? [] : [toolStarted(item)]
  return isCompleted
    ? [
        running ? { ...state, runningTools: state.runningTools.filter((runningId) => runningId !== id) } : state,
        [...start, toolEnded(item)]
      ]
    : [running || id === null ? state : { ...state, runningTools: [...state.runningTools, id] }, start]
}

/** `Reconnecting... 1/2 (why)`: the turn continues. */
const reconnecting = /^Reconnecting\.{3} (\d{1,4})\/(\d{1,4})\s*(?:\(([\s\S]*)\))?$/

const error = (state: State, line: Fields): Decode.Step<State> => {
  const message = textOf(line["message"]) ?? "an error that it does not name"
  const found = reconnecting.exec(message)
  if (found === null) return [{ ...state, lastFailure: message }, []]
  const problem = providerProblemOf({ message: found[3] ?? message })
  return [
    state,
    [{ _tag: "Retrying", attempt: Number(found[1]), of: Number(found[2]), inMs: problem.retryAfter, problem }]
  ]
}

/** The names of these tools in hooks. */
const hookedTools: Readonly<Record<string, string>> = { command_execution: "Bash", file_change: "apply_patch" }

/** How standard error begins when it explains why there is no output. */
const stderrFailure = /^(?:Error|error)\b|^Not inside a trusted directory|^Not logged in/

/** OpenAI Codex. It counts the tokens of the whole thread. A line `error` does not end the turn; `turn.failed` does. */
export const codexHeadless: AgentCli<State> = {
  ...codexIdentity,
  requests: {
    file: (env, sessionId) => ({ directory: `${codexHome(env)}/sessions`, ending: `-${sessionId}.jsonl` }),
    usage: codexUsage.record,
    parts: codexUsage.parts,
    unless: "--ephemeral"
  },
  countsTurns: true,
  bound: false,
  takesPictures: true,
  keepsSchema: isStrict,
  unasked: requestOf({ tool: "web_search", kind: "fetch" }),
  // what a server's tool does is not in its sandbox
  cutsNetwork: [{ kind: "mcp" }],
  command: build,
  start: (call) => ({
    ...Decode.initialDecoderState,
    counted: call.counted,
    runningTools: [],
    toldOfModel: false,
    lastFailure: null,
    before: call.sessionId === null ? noTokens : call.counted
  }),
  read: Decode.lineReader<State>({
    "thread.started": (state, line) => {
      const sessionId = textOf(line["thread_id"]) ?? state.sessionId
      return [{ ...state, sessionId }, [Decode.started({ sessionId })]]
    },
    "item.started": item,
    "item.updated": item,
    "item.completed": item,
    "turn.completed": turnEnded,
    "turn.failed": (state, line) =>
      Decode.failed(
        { ...state, complete: true },
        { message: textOf(fieldsOf(line["error"])["message"]) ?? state.lastFailure ?? "the turn failed" }
      ),
    error
  }),
  ranTool: (event) => {
    const tool = event._tag === "ToolStarted" ? hookedTools[event.tool] : undefined
    return tool === undefined ? null : { tool, id: null }
  },
  isOver: ({ complete }) => complete,
  end: (state, exit) => {
    const message = state.complete ? null : (state.lastFailure ?? Decode.failureTextIn(exit, stderrFailure))
    return { ...Decode.outcomeOf(state, { message }), counted: state.counted }
  }
}
