import { Result } from "effect"
import { countOf, fieldsOf, type Fields, numberOf, textOf } from "../../words/reading/Fields.ts"
import type { AgentCli } from "../../cli/headless/AgentCli.ts"
import type { AgentEvent } from "../../cli/headless/AgentEvent.ts"
import {
  commandOf,
  type CommandResult,
  flag,
  readCliOptions,
  serversFile,
  withSystem
} from "../../cli/headless/cliOptions.ts"
import { serversAs } from "../../cli/headless/McpServers.ts"
import * as Decode from "../../cli/headless/decoderState.ts"
import { addTokens, noTokens } from "../../cli/headless/tokens.ts"
import { outputOf } from "../../cli/headless/toolPreview.ts"
import { opencodeIdentity } from "./Identity.ts"
import { databaseOf } from "./Resume.ts"
import { opencodeTokens } from "./Usage.ts"

interface State extends Decode.DecoderState {
  readonly started: boolean
  readonly begun: number
  /** Steps that have ended. */
  readonly steps: number
  /** The next text begins a message. */
  readonly fresh: boolean
  /** OpenCode has reported an error that ends the turn, and has begun no step since. */
  readonly broken: boolean
}

/** A name that OpenCode's permissions may have. Any other name denies nothing. */
const permission = /^[a-z*][\w*.-]*$/

const build: AgentCli<State>["command"] = (call): CommandResult =>
  Result.flatMap(readCliOptions(call, { ...opencodeIdentity, without: ["sandbox"] }), (options) => {
    const odd = options.denied.find((tool) => !permission.test(tool))
    if (odd !== undefined)
      return Result.fail({
        option: "deniedTools",
        why: `OpenCode has no permission '${odd}', and would deny nothing; its names are like bash, edit, webfetch`
      })
    const permissions = {
      ...Object.fromEntries(options.allowed.map((tool) => [tool, "allow"])),
      ...Object.fromEntries(options.denied.map((tool) => [tool, "deny"]))
    }
    const command = commandOf({
      args: [
        "run",
        "--format",
        "json",
        "--thinking",
        ...flag("--model", options.model),
        ...flag("--variant", options.effort),
        ...flag("-s", call.sessionId),
        ...(call.fork && call.sessionId !== null ? ["--fork"] : []),
        ...call.pictures.map(({ path }) => `--file=${path}`),
        ...(options.skip ? ["--dangerously-skip-permissions"] : [])
      ],
      stdin: withSystem(options.systemPrompt, call.prompt),
      env: Object.keys(permissions).length === 0 ? {} : { OPENCODE_PERMISSION: JSON.stringify(permissions) },
      files: serversFile(
        call.options,
        (servers) => ({
          mcp: serversAs(
            servers,
            ({ args = [], command, env }) => ({
              type: "local",
              command: [command, ...args],
              ...(env === undefined ? {} : { environment: env })
            }),
            (server) => ({ type: "remote", ...server })
          )
        }),
        { variable: "OPENCODE_CONFIG" }
      ),
      ignored: options.ignored
    })
    return Result.succeed(command)
  })

/** A step that ended with tool calls: another one follows. */
const callsTools = (reason: string | null): boolean => reason === "tool-calls" || reason === "tool_calls"

const stepEnded = (state: State, part: Fields): Decode.Step<State> => {
  const counts = part["tokens"]
  const its = typeof counts === "object" && counts !== null ? opencodeTokens(fieldsOf(counts)) : null
  const thought = its === null ? null : countOf(fieldsOf(counts)["reasoning"])
  const tokens = its === null ? state.tokens : addTokens(state.tokens ?? noTokens, its)
  const reasoning = Decode.addReasoning(state.reasoning, thought)
  const cost = numberOf(part["cost"])
  const reason = textOf(part["reason"])
  // OpenCode reports 0 for a model without a price.
  const usd = cost === null || cost <= 0 ? state.usd : (state.usd ?? 0) + cost
  const next: State = {
    ...state,
    tokens,
    reasoning,
    usd,
    steps: state.steps + 1,
    turns: state.steps + 1,
    stopReason: reason,
    complete: true
  }
  const told: ReadonlyArray<AgentEvent> = [
    { _tag: "RequestEnded", tokens: its, reasoning: thought, stopReason: reason, agent: null },
    ...Decode.used(tokens, reasoning)
  ]
  return callsTools(reason) ? [next, told] : Decode.answered(next, told)
}

const rejected = /rejected permission|permission .{0,40}(?:rejected|denied)|rule which prevents/i

const spanOf = (time: unknown): number | null => {
  const [start, end] = [numberOf(fieldsOf(time)["start"]), numberOf(fieldsOf(time)["end"])]
  return start === null || end === null ? null : end - start
}

const tool = (state: State, part: Fields): Decode.Step<State> => {
  const call = fieldsOf(part["state"])
  const id = textOf(part["callID"])
  const input = call["input"] ?? part["input"]
  // A call of an unknown tool is reported as the tool `invalid`, with the name in its input.
  const name =
    part["tool"] === "invalid"
      ? (textOf(fieldsOf(input)["tool"]) ?? "invalid")
      : (textOf(part["tool"]) ?? textOf(part["name"]) ?? "unknown")
  const metadata = fieldsOf(call["metadata"])
  const exit = numberOf(metadata["exit"])
  const said = call["output"] ?? call["error"]
  const { output } = outputOf(said)
  const refused = call["status"] === "error" && rejected.test(output)
  return [
    state,
    [
      Decode.toolStart({ id, tool: name, input, agent: null }),
      ...(refused ? [{ _tag: "Refused", tool: name, why: output } as const] : []),
      Decode.toolEnd(
        {
          id,
          tool: name,
          ok: call["status"] !== "error" && part["tool"] !== "invalid" && (exit === null || exit === 0),
          // OpenCode reports a tool when it has ended
          durationMs: spanOf(call["time"]),
          diff: textOf(metadata["diff"]) ?? textOf(fieldsOf(metadata["filediff"])["patch"]),
          agent: null
        },
        said
      )
    ]
  ]
}

const readLine = Decode.lineReader<State>(
  {
    step_start: (state) => [
      { ...state, fresh: true, complete: false, broken: false, problem: null, begun: state.begun + 1 },
      [{ _tag: "RequestStarted", model: null, agent: null }]
    ],
    text: (state, _, { messageID, text }) => {
      if (typeof text !== "string" || text === "") return [state, []]
      const before = state.fresh || state.message === "" ? "" : Decode.appendText(state.message, "\n\n")
      return [
        { ...state, fresh: false, message: Decode.appendText(before, text) },
        [{ _tag: "Text", text, delta: false, message: textOf(messageID), agent: null }]
      ]
    },
    reasoning: (state, _, { text }) => [state, Decode.thought(text, false, null)],
    tool_use: (state, _, part) => tool(state, part),
    step_finish: (state, _, part) => stepEnded(state, part),
    error: (state, line) => {
      const error = fieldsOf(line["error"])
      const data = fieldsOf(error["data"])
      const retry = fieldsOf(data["responseHeaders"])["retry-after"]
      return Decode.failed(
        // OpenCode shortens a context that is too long, and asks again
        { ...state, broken: error["name"] !== "ContextOverflowError" },
        {
          message: textOf(data["message"]) ?? textOf(error["message"]) ?? textOf(error["name"]) ?? "the turn failed",
          status: numberOf(data["statusCode"]),
          code: textOf(error["name"]),
          retryAfter: typeof retry === "string" && /^\d{1,9}$/.test(retry) ? Number(retry) * 1_000 : null
        }
      )
    }
  },
  "part"
)

/** OpenCode. No line marks the end of a run: the last step without a tool call is the answer. */
export const opencodeHeadless: AgentCli<State> = {
  ...opencodeIdentity,
  agentRequests: {
    file: databaseOf,
    query: `WITH RECURSIVE family(id) AS
      (SELECT id FROM session WHERE parent_id = ? UNION SELECT s.id FROM session s JOIN family ON s.parent_id = family.id)
      SELECT id AS agent, tokens_input AS input, tokens_output + tokens_reasoning AS output,
        tokens_cache_read AS cacheRead, tokens_cache_write AS cacheWrite
      FROM session JOIN family USING (id)`
  },
  bound: true,
  takesPictures: true,
  heldByHooks: {
    inert: ["todowrite", "todoread", "invalid"],
    // behind an edit it runs formatters and language servers, which run what the project configures
    offline: { OPENCODE_CONFIG_CONTENT: JSON.stringify({ formatter: false, lsp: false }) }
  },
  command: build,
  start: () => ({ ...Decode.initialDecoderState, started: false, begun: 0, steps: 0, fresh: true, broken: false }),
  askedTurns: ({ begun, complete, stopReason }) => begun + (complete && callsTools(stopReason) ? 1 : 0),
  ranTool: (event) => (event._tag === "ToolEnded" && event.ok ? event : null),
  read: (state, value) => {
    const line = fieldsOf(value)
    if (typeof line["type"] !== "string") return [state, Decode.notice(value)]
    const sessionId = textOf(line["sessionID"]) ?? state.sessionId
    const [next, events] = readLine({ ...state, sessionId, started: state.started || sessionId !== null }, value)
    return [next, state.started || sessionId === null ? events : [Decode.started({ sessionId }), ...events]]
  },
  // After an error OpenCode may wait for ever.
  isOver: ({ broken, complete, stopReason }) =>
    broken || (complete && stopReason !== null && stopReason !== "unknown" && !callsTools(stopReason)),
  // The run ends after a refused tool; the last text is then not an answer.
  end: (state, exit) =>
    Decode.outcomeOf(state, { message: Decode.failureTextIn(exit, /^Error\b/), answer: !state.complete })
}
