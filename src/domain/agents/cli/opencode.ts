import { Result } from "effect"
import { countOf, fieldsOf, type Fields, numberOf, textOf } from "../../usage/Fields.ts"
import type { Tokens } from "../../usage/Usage.ts"
import type { AgentCli } from "../AgentCli.ts"
import type { AgentEvent } from "../AgentEvent.ts"
import { problemFrom } from "../Problem.ts"
import { addTokens, asked, type Built, command, complaintIn, failed, flag, given, type Heard, more, noTokens, notice, nothingHeard, type Step, tell, withSystem } from "./heard.ts"
import { outputOf, previewOf } from "./preview.ts"

interface State extends Heard {
  readonly started: boolean
  /** Steps that have ended. */
  readonly steps: number
  /** The next text begins a message. */
  readonly fresh: boolean
}

const build: AgentCli<State>["command"] = (call): Built =>
  Result.map(asked(call), (it) => {
    const permissions = { ...Object.fromEntries(it.allowed.map((tool) => [tool, "allow"])), ...Object.fromEntries(it.denied.map((tool) => [tool, "deny"])) }
    return command({
      args: [
        "run", "--format", "json", "--thinking", ...flag("--model", it.model), ...flag("--variant", it.effort),
        ...flag("-s", call.sessionId), ...call.fork && call.sessionId !== null ? ["--fork"] : [],
        ...it.skip ? ["--dangerously-skip-permissions"] : []
      ],
      stdin: withSystem(it.systemPrompt, call.prompt),
      env: Object.keys(permissions).length === 0 ? {} : { OPENCODE_PERMISSION: JSON.stringify(permissions) },
      ignored: [...it.ignored, ...given({ maxTurns: it.maxTurns !== null })]
    })
  })

/** Each class counts for itself; what was thought is beside the output. */
const tokensOf = (tokens: Fields): Tokens => {
  const { read, write } = fieldsOf(tokens["cache"])
  return { input: countOf(tokens["input"]), cacheRead: countOf(read), cacheWrite: countOf(write), output: countOf(tokens["output"]) + countOf(tokens["reasoning"]) }
}

const stepEnded = (state: State, part: Fields): Step<State> => {
  const told = part["tokens"]
  const tokens = typeof told === "object" && told !== null ? addTokens(state.tokens ?? noTokens, tokensOf(fieldsOf(told))) : state.tokens
  const cost = numberOf(part["cost"])
  const reason = textOf(part["reason"])
  // a cost of 0 is that of a model that it has no price for
  const usd = cost === null || cost <= 0 ? state.usd : (state.usd ?? 0) + cost
  const now: State = { ...state, tokens, usd, steps: state.steps + 1, turns: state.steps + 1, stopReason: reason, complete: true }
  const used: ReadonlyArray<AgentEvent> = tokens === null ? [] : [{ _tag: "Used", tokens }]
  return reason === "tool-calls" || reason === "tool_calls"
    ? [now, used]
    : [{ ...now, answers: [...now.answers, now.message], message: "" }, [...used, { _tag: "Answered", text: now.message }]]
}

const rejected = /rejected permission|permission .{0,40}(?:rejected|denied)|rule which prevents/i

const tool = (state: State, part: Fields): Step<State> => {
  const call = fieldsOf(part["state"])
  const id = textOf(part["callID"])
  const input = call["input"] ?? part["input"]
  // a tool that is not there comes as `invalid`, with the name that was meant
  const name = part["tool"] === "invalid" ? textOf(fieldsOf(input)["tool"]) ?? "invalid" : textOf(part["tool"]) ?? textOf(part["name"]) ?? "unknown"
  const exit = numberOf(fieldsOf(call["metadata"])["exit"])
  const output = outputOf(call["output"] ?? call["error"])
  const refused = call["status"] === "error" && rejected.test(output)
  return [state, [
    { _tag: "ToolStarted", id, tool: name, preview: previewOf(input), input, agent: null },
    ...refused ? [{ _tag: "Refused", tool: name, why: output } as const] : [],
    { _tag: "ToolEnded", id, tool: name, ok: call["status"] !== "error" && part["tool"] !== "invalid" && (exit === null || exit === 0), output, agent: null }
  ]]
}

const read = (state: State, line: Fields, part: Fields): Step<State> => {
  const text = part["text"]
  switch (line["type"]) {
    case "step_start":
      return [{ ...state, fresh: true, complete: false }, []]
    case "text":
      if (typeof text !== "string" || text === "") return [state, []]
      return [
        { ...state, fresh: false, message: state.fresh || state.message === "" ? more("", text) : more(more(state.message, "\n\n"), text) },
        [{ _tag: "Text", text, delta: false, message: textOf(part["messageID"]), agent: null }]
      ]
    case "reasoning":
      return [state, typeof text === "string" && text !== "" ? [{ _tag: "Thought", text, delta: false, agent: null }] : []]
    case "tool_use":
      return tool(state, part)
    case "step_finish":
      return stepEnded(state, part)
    case "error": {
      const error = fieldsOf(line["error"])
      const data = fieldsOf(error["data"])
      const retry = fieldsOf(data["responseHeaders"])["retry-after"]
      return failed(state, {
        message: textOf(data["message"]) ?? textOf(error["message"]) ?? textOf(error["name"]) ?? "the turn failed",
        status: numberOf(data["statusCode"]),
        code: textOf(error["name"]),
        retryAfter: typeof retry === "string" && /^\d{1,9}$/.test(retry) ? Number(retry) * 1_000 : null
      })
    }
    default:
      return [state, []]
  }
}

/** OpenCode. No line says that it is done: the last step that wants no tool is the answer. */
export const opencode: AgentCli<State> = {
  id: "opencode",
  displayName: "OpenCode",
  binary: "opencode",
  installHint: "install it with: npm install -g opencode-ai",
  bound: true,
  command: build,
  start: () => ({ ...nothingHeard, started: false, steps: 0, fresh: true }),
  read: (state, value) => {
    const line = fieldsOf(value)
    if (typeof line["type"] !== "string") return [state, notice(value)]
    const sessionId = textOf(line["sessionID"]) ?? state.sessionId
    const [now, events] = read({ ...state, sessionId, started: state.started || sessionId !== null }, line, fieldsOf(line["part"]))
    return [now, state.started || sessionId === null ? events : [{ _tag: "Started", sessionId, model: null }, ...events]]
  },
  end: (state, { code, stderr }) => {
    const message = code === null || code === 0 ? null : complaintIn(stderr, /^Error\b/)
    // after a refusal it stops without an answer
    return tell(state, { problem: message === null ? null : problemFrom({ message }), answer: !state.complete })
  }
}
