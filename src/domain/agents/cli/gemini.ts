import { Result } from "effect"
import { countOf, fieldsOf, type Fields, textOf } from "../../usage/Fields.ts"
import type { Tokens } from "../../usage/Usage.ts"
import type { AgentCli } from "../AgentCli.ts"
import { problemFrom } from "../Problem.ts"
import { asked, type Built, command, complaintIn, failed, flag, given, type Heard, more, notice, nothingHeard, type Step, tell, without, withSystem } from "./heard.ts"
import { outputOf, previewOf } from "./preview.ts"

interface State extends Heard {
  /** The next text begins a message. */
  readonly fresh: boolean
  /** Tools that run, by call. */
  readonly tools: Readonly<Record<string, string>>
  readonly trouble: string | null
  /** The attempt that failed, where standard error has not yet told all of it. */
  readonly failing: { readonly attempt: number; readonly how: string } | null
}

const build: AgentCli<State>["command"] = (call): Built =>
  Result.flatMap(asked(call), (it) =>
    call.fork && call.sessionId !== null
      ? Result.fail({ option: "fork", why: "Gemini CLI cannot go on in a copy of a session" })
      : Result.succeed(command({
        args: [
          // it runs nothing unasked in a folder that is not trusted, and in such a one does not start at all
          ...it.skip ? ["--approval-mode=yolo", "--skip-trust"] : [],
          "--output-format", "stream-json", ...flag("--model", it.model),
          ...it.allowed.map((tool) => `--allowed-tools=${tool}`),
          ...flag("--resume", call.sessionId)
        ],
        stdin: withSystem(it.systemPrompt, call.prompt),
        ignored: [...it.ignored, ...given({ deniedTools: it.denied.length > 0, maxTurns: it.maxTurns !== null, effort: it.effort !== null })]
      })))

/** What was read from a cache is within the input; thoughts are only in the total. */
const tokensOf = (stats: Fields): Tokens => {
  const prompt = countOf(stats["input_tokens"])
  const cacheRead = Math.min(prompt, countOf(stats["cached"]))
  const output = countOf(stats["output_tokens"])
  return { input: prompt - cacheRead, cacheRead, cacheWrite: 0, output: Math.max(output, countOf(stats["total_tokens"]) - prompt) }
}

const result = (state: State, line: Fields): Step<State> => {
  const stats = line["stats"]
  const tokens = typeof stats === "object" && stats !== null ? tokensOf(fieldsOf(stats)) : null
  const heard: State = { ...state, tokens, complete: true, stopReason: textOf(line["status"]) === "success" ? "end_turn" : state.stopReason }
  const used = tokens === null ? [] : [{ _tag: "Used", tokens } as const]
  if (line["status"] !== "success" || Object.keys(fieldsOf(line["error"])).length > 0) {
    const { message, type } = fieldsOf(line["error"])
    const [after, events] = failed(heard, { message: textOf(message) ?? state.trouble ?? "the turn failed", code: type === "unknown" ? null : textOf(type) })
    return [after, [...used, ...events]]
  }
  const text = heard.message
  return [{ ...heard, answers: [...heard.answers, text], message: "" }, [...used, { _tag: "Answered", text }]]
}

const message = (state: State, line: Fields): Step<State> => {
  const content = line["content"]
  if (line["role"] !== "assistant" || typeof content !== "string" || content === "") return [state, []]
  const delta = line["delta"] === true
  const before = state.fresh || !delta ? "" : state.message
  return [{ ...state, fresh: false, message: more(before, content) }, [{ _tag: "Text", text: content, delta, message: null, agent: null }]]
}

const toolResult = (state: State, line: Fields): Step<State> => {
  const id = textOf(line["tool_id"])
  const problem = fieldsOf(line["error"])
  const ok = line["status"] === "success"
  const tool = id === null ? null : state.tools[id] ?? null
  const output = outputOf(line["output"] ?? problem["message"])
  return [{ ...state, tools: without(state.tools, id) }, [
    // a tool that would have to ask is not there at all
    ...problem["type"] === "tool_not_registered" ? [{ _tag: "Refused", tool: tool ?? "unknown", why: output } as const] : [],
    { _tag: "ToolEnded", id, tool, ok, output, agent: null }
  ]]
}

/** What standard error says of an end without a word on standard output; all else there is noise. */
const outcry = /^(?:Error (?:resuming|starting|executing|when)|Gemini CLI is not running in a trusted|Unknown argument|No input provided|Please set an Auth|Invalid auth|Not enough|.{0,40}auth(?:entication)? (?:method|failed|error))/i

/** What it says of a request that it makes again; its stream has no word of that. The words may take several lines. */
const failing = /^Attempt (\d{1,4}) failed(.*)$/
const again = /^(.*?)\.? ?Retrying (?:with backoff|after (\d{1,9})ms)\.{3}\s*(.*)$/
/** What goes on for longer than this is something else. */
const longest = 2_000

const readError = (state: State, line: string): Step<State> => {
  const begins = failing.exec(line)
  const attempt = begins === null ? state.failing?.attempt : Number(begins[1])
  if (attempt === undefined) return [state, []]
  const how = (begins === null ? `${state.failing?.how ?? ""} ${line.trim()}` : begins[2] ?? "").slice(0, longest)
  const found = again.exec(how)
  if (found === null) return [{ ...state, failing: how.length === longest || how.endsWith("Max attempts reached") ? null : { attempt, how } }, []]
  const [, said = "", inMs, what = ""] = found
  const status = /^ with (?:status )?(\d{3}|5xx)/.exec(said)?.[1]?.replace("xx", "00")
  const message = textOf(what) ?? textOf(said.replace(/^:? ?/, "")) ?? "the request failed"
  const problem = problemFrom({ message, status: status === undefined ? null : Number(status) })
  return [{ ...state, failing: null }, [{ _tag: "Retrying", attempt, of: null, inMs: inMs === undefined ? null : Number(inMs), problem }]]
}

const exits: Readonly<Record<number, string>> = {
  41: "it is not logged in", 42: "it did not accept its input", 53: "it reached its limit of turns", 55: "it does not trust this folder"
}

/** Gemini CLI. Text comes only in pieces; a tool call ends a message. */
export const gemini: AgentCli<State> = {
  id: "gemini",
  displayName: "Gemini CLI",
  binary: "gemini",
  installHint: "install it with: npm install -g @google/gemini-cli",
  bound: true,
  command: build,
  start: () => ({ ...nothingHeard, fresh: true, tools: {}, trouble: null, failing: null }),
  read: (state, value) => {
    const line = fieldsOf(value)
    switch (line["type"]) {
      case "init": {
        const sessionId = textOf(line["session_id"]) ?? state.sessionId
        const model = textOf(line["model"]) ?? state.model
        return [{ ...state, sessionId, model }, [{ _tag: "Started", sessionId, model }]]
      }
      case "message":
        return message(state, line)
      case "tool_use": {
        const id = textOf(line["tool_id"])
        const tool = textOf(line["tool_name"]) ?? "unknown"
        const input = line["parameters"]
        return [
          { ...state, fresh: true, tools: id === null ? state.tools : { ...state.tools, [id]: tool } },
          [{ _tag: "ToolStarted", id, tool, preview: previewOf(input), input, agent: null }]
        ]
      }
      case "tool_result":
        return toolResult({ ...state, fresh: true }, line)
      case "error": {
        const text = textOf(line["message"]) ?? "an error that it does not name"
        return [line["severity"] === "error" ? { ...state, trouble: text } : state, notice(text)]
      }
      case "result":
        return result(state, line)
      default:
        return [state, typeof line["type"] === "string" ? [] : notice(value)]
    }
  },
  readError,
  end: (state, { code, stderr }) => {
    if (state.complete || code === null || code === 0) return tell(state)
    const message = complaintIn(stderr, outcry) ?? state.trouble ?? exits[code] ?? null
    const problem = message === null ? null : problemFrom({ message, code: code === 41 ? "authentication" : null })
    return tell(state, { problem })
  }
}
