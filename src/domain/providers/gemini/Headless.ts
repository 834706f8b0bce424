import { Result } from "effect"
import { countOf, fieldsOf, type Fields, textOf } from "../../words/reading/Fields.ts"
import { type Tokens, tokensIn } from "../../cli/usage/Usage.ts"
import type { AgentCli, Picture } from "../../cli/headless/AgentCli.ts"
import { providerProblemOf } from "../../cli/headless/ProviderProblem.ts"
import { commandOf, type CommandResult, flag, readCliOptions, withSystem } from "../../cli/headless/cliOptions.ts"
import * as Decode from "../../cli/headless/decoderState.ts"
import { mentionOf } from "./Input.ts"
import { namesIn } from "../../words/text/namesIn.ts"
import { geminiTools } from "./Permissions.ts"
import { geminiUsage } from "./Usage.ts"
import { geminiHome, geminiIdentity } from "./Identity.ts"

interface State extends Decode.DecoderState, Decode.RunningTools {
  /** The next text begins a message. */
  readonly fresh: boolean
  readonly lastError: string | null
  /** Turns of the model that have begun: each answers the prompt or the results of tools. */
  readonly begun: number
  /** The model's next output begins a turn. */
  readonly asked: boolean
  /** Gemini CLI ended the turn because it took it for a loop. */
  readonly looped: boolean
  /** A hook of the user's has refused the prompt or the model's answer. */
  readonly blocked: boolean
  /** A failed attempt of which standard error will report more lines. */
  readonly failedAttempt: { readonly attempt: number; readonly report: string } | null
}

/** A mention attaches a picture if the picture's directory is one of the session's. */
const withPictures = (pictures: ReadonlyArray<Picture>, prompt: string): string =>
  pictures.length === 0 ? prompt : `${pictures.map(({ path }) => mentionOf(path)).join(" ")}\n\n${prompt}`

const build: AgentCli<State>["command"] = (call): CommandResult =>
  call.options.mcpServers !== undefined
    ? Result.fail({
        option: "mcpServers",
        why: `${geminiIdentity.displayName} takes MCP servers from its own settings alone: 'gemini mcp add'`
      })
    : Result.map(
        readCliOptions(call, { ...geminiIdentity, without: ["deniedTools", "effort", "sandbox"], forks: false }),
        (options) =>
          commandOf({
            args: [
              // In an untrusted folder it needs a permission for every tool, and does not start without a terminal.
              ...(options.skip ? ["--approval-mode=yolo", "--skip-trust"] : []),
              "--output-format",
              "stream-json",
              ...flag("--model", options.model),
              ...options.allowed.map((tool) => `--allowed-tools=${tool}`),
              ...[...new Set(call.pictures.map(({ path }) => path.slice(0, path.lastIndexOf("/")) || "/"))].map(
                (directory) => `--include-directories=${directory}`
              ),
              ...flag("--resume", call.sessionId)
            ],
            stdin: withSystem(options.systemPrompt, withPictures(call.pictures, call.prompt)),
            ignored: options.ignored
          })
      )

const begun = (state: State): State => (state.asked ? { ...state, begun: state.begun + 1, asked: false } : state)

/** Gemini's input tokens include those read from a cache; thoughts are only counted in its total. */
const tokensOf = (stats: Fields): Tokens => {
  const { cached: cacheRead, input_tokens: input } = stats
  return tokensIn({ input, cacheRead, output: countOf(stats["output_tokens"]) + thoughtsOf(stats) })
}

const thoughtsOf = (stats: Fields): number =>
  Math.max(0, countOf(stats["total_tokens"]) - countOf(stats["input_tokens"]) - countOf(stats["output_tokens"]))

const modelsIn = (uses: Fields): State["models"] => {
  const models = Object.entries(uses).map(([model, use]) => ({ model, tokens: tokensOf(fieldsOf(use)), usd: null }))
  return models.length === 0 ? null : models
}

const result = (state: State, line: Fields): Decode.Step<State> => {
  const stats = line["stats"]
  const tokens = typeof stats === "object" && stats !== null ? tokensOf(fieldsOf(stats)) : null
  const reasoning = tokens === null ? null : thoughtsOf(fieldsOf(stats))
  const next: State = {
    ...state,
    tokens,
    reasoning,
    models: modelsIn(fieldsOf(fieldsOf(stats)["models"])),
    complete: true,
    stopReason: textOf(line["status"]) === "success" ? (state.looped ? "loop" : "end_turn") : state.stopReason
  }
  const isRefused = state.blocked && state.message === ""
  if (isRefused || line["status"] !== "success" || Object.keys(fieldsOf(line["error"])).length > 0) {
    const { message, type } = fieldsOf(line["error"])
    const [after, events] = Decode.failed(next, {
      message: textOf(message) ?? state.lastError ?? "the turn failed",
      code: type === "unknown" ? null : textOf(type)
    })
    return [after, [...Decode.used(tokens, reasoning), ...events]]
  }
  return Decode.answered(next, Decode.used(tokens, reasoning))
}

const message = (state: State, line: Fields): Decode.Step<State> => {
  const content = line["content"]
  if (line["role"] !== "assistant" || typeof content !== "string" || content === "") return [state, []]
  const delta = line["delta"] === true
  const before = state.fresh || !delta ? "" : state.message
  return [
    { ...begun(state), fresh: false, message: Decode.appendText(before, content) },
    [{ _tag: "Text", text: content, delta, message: null, agent: null }]
  ]
}

/** How standard error begins when it explains why there is no output; its other lines are irrelevant. */
const stderrFailure = new RegExp(
  `^(?:${[
    "Error (?:resuming|starting|executing|when)",
    "Gemini CLI is not running in a trusted",
    "Unknown argument",
    "No input provided",
    "Please set an Auth",
    "Invalid auth",
    "Not enough",
    ".{0,40}auth(?:entication)? (?:method|failed|error)"
  ].join("|")})`,
  "i"
)

/** A retried request is reported on standard error, not in the stream, in one line or several. */
const attemptFailed = /^Attempt (\d{1,4}) failed(.*)$/
const retryAnnounced = /^(.*?)\.? ?Retrying (?:with backoff|after (\d{1,9})ms)\.{3}\s*(.*)$/
/** Longer texts are no such reports. */
const longest = 2_000

const readError = (state: State, line: string): Decode.Step<State> => {
  const first = attemptFailed.exec(line)
  const attempt = first === null ? state.failedAttempt?.attempt : Number(first[1])
  if (attempt === undefined) return [state, []]
  const report = (first === null ? `${state.failedAttempt?.report ?? ""} ${line.trim()}` : (first[2] ?? "")).slice(
    0,
    longest
  )
  const found = retryAnnounced.exec(report)
  if (found === null)
    return [
      {
        ...state,
        failedAttempt: report.length === longest || report.endsWith("Max attempts reached") ? null : { attempt, report }
      },
      []
    ]
  const [, reason = "", inMs, details = ""] = found
  const status = /^ with (?:status )?(\d{3}|5xx)/.exec(reason)?.[1]?.replace("xx", "00")
  const message = textOf(details) ?? textOf(reason.replace(/^:? ?/, "")) ?? "the request failed"
  const problem = providerProblemOf({ message, status: status === undefined ? null : Number(status) })
  return [
    { ...state, failedAttempt: null },
    [{ _tag: "Retrying", attempt, of: null, inMs: inMs === undefined ? null : Number(inMs), problem }]
  ]
}

const exits: Readonly<Record<number, string>> = {
  41: "it is not logged in",
  42: "it did not accept its input",
  53: "it reached its limit of turns",
  55: "it does not trust this folder"
}

const inert = ["update_topic", "write_todos"]

/** Gemini CLI. Text is always streamed, without message ids: a tool call ends a message. */
export const geminiHeadless: AgentCli<State> = {
  ...geminiIdentity,
  heldByHooks: { inert, tools: [...Object.values(geminiTools).flatMap(namesIn), ...inert] },
  requests: {
    file: (env, sessionId) => ({ directory: `${geminiHome(env)}/tmp`, ending: `-${sessionId.slice(0, 8)}.jsonl` }),
    usage: geminiUsage.record,
    parts: geminiUsage.parts
  },
  // Gemini CLI reads the file of any `@`, even within a word, but not after a backslash.
  inert: (text) => text.replaceAll(/(?<!\\)@(?=\S)/g, "\\@"),
  bound: true,
  cutsPipes: true,
  takesPictures: true,
  command: build,
  start: () => ({
    ...Decode.initialDecoderState,
    fresh: true,
    tools: {},
    lastError: null,
    failedAttempt: null,
    begun: 0,
    asked: true,
    looped: false,
    blocked: false
  }),
  askedTurns: ({ asked, begun, tools }) => begun + (asked && Object.keys(tools).length === 0 ? 1 : 0),
  ranTool: (event) => (event._tag === "ToolEnded" && event.ok ? { tool: event.tool, id: null } : null),
  read: Decode.lineReader<State>({
    init: (state, line) => {
      const sessionId = textOf(line["session_id"]) ?? state.sessionId
      const model = textOf(line["model"]) ?? state.model
      return [{ ...state, sessionId, model }, [Decode.started({ sessionId, model })]]
    },
    message,
    tool_use: (state, line) =>
      Decode.toolStarted(
        { ...begun(state), fresh: true },
        {
          id: textOf(line["tool_id"]),
          tool: textOf(line["tool_name"]) ?? "unknown",
          input: line["parameters"],
          agent: null
        }
      ),
    tool_result: (state, line) => {
      const { message, type } = fieldsOf(line["error"])
      return Decode.toolEnded(
        { ...state, fresh: true, asked: true },
        {
          id: textOf(line["tool_id"]),
          ok: line["status"] === "success",
          result: line["output"] ?? message,
          // A tool that needs a permission is not registered at all.
          isRefused: type === "tool_not_registered",
          agent: null
        }
      )
    },
    error: (state, line) => {
      const text = textOf(line["message"]) ?? "an error that it does not name"
      // a warning, followed by a report of success
      const looped = state.looped || /^Loop detected\b/.test(text)
      const isBlocked = /^Agent execution blocked\b/.test(text)
      const lastError = isBlocked || line["severity"] === "error" ? text : state.lastError
      return [{ ...state, looped, blocked: state.blocked || isBlocked, lastError }, Decode.notice(text)]
    },
    result
  }),
  readError,
  isOver: ({ complete }) => complete,
  end: (state, exit) => {
    const { code } = exit
    if (state.complete || code === null || code === 0) return Decode.outcomeOf(state)
    const message = Decode.failureTextIn(exit, stderrFailure) ?? state.lastError ?? exits[code] ?? null
    return Decode.outcomeOf(state, { message, code: code === 41 ? "authentication" : null })
  }
}
